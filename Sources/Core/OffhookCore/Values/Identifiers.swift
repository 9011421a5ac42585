// SPDX-License-Identifier: MIT

/// Names one CallKit action: the action's UUID as two numbers.
public struct ActionID: Hashable, Sendable, Codable {
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

/// Names one delivered push; the shell counts them.
public struct PushID: Hashable, Sendable, Codable {
    /// The shell's count.
    public let number: Int

    /// Makes an identifier of a count.
    public init(_ number: Int) {
        self.number = number
    }
}
