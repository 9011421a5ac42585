// SPDX-License-Identifier: MIT

/// Names one command of the app: a UUID as two numbers.
///
/// The same id with the same command is the same operation (R82).
public struct OperationID: Hashable, Sendable, Codable {
    /// The first eight octets, most significant first.
    public let high: UInt64
    /// The last eight octets, most significant first.
    public let low: UInt64

    /// Makes an identifier of its 16 octets.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}
