// SPDX-License-Identifier: MIT

/// One stay of one user on this device: from sign-in to sign-out (R90).
///
/// Checkpoint, journal, results and tokens belong to one generation and are never seen from another one.
public struct AccountGeneration: Hashable, Sendable, Codable {
    /// The user's id at the server, 1 to 128 bytes; empty before anybody signed in.
    public var account: String
    /// Counts the device's sign-ins, from 1.
    public var number: Int

    /// Makes a generation.
    public init(account: String, number: Int) {
        self.account = account
        self.number = number
    }
}
