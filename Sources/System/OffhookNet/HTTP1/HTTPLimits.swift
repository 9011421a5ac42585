// SPDX-License-Identifier: MIT

/// What a peer may send at most in HTTP/1.1 heads and bodies.
public struct HTTPLimits: Hashable, Sendable {
    /// The bytes of a head: 16,384 unless set.
    ///
    /// More: status 431.
    public var headBytes: Int
    /// The field lines of a head or trailer: 100 unless set.
    ///
    /// More: status 431.
    public var headerCount: Int
    /// The bytes of a body: 1,048,576 unless set.
    ///
    /// More: status 413.
    public var bodyBytes: Int

    /// Makes limits.
    public init(headBytes: Int = 16_384, headerCount: Int = 100, bodyBytes: Int = 1_048_576) {
        self.headBytes = headBytes
        self.headerCount = headerCount
        self.bodyBytes = bodyBytes
    }
}

/// Why a peer's HTTP/1.1 bytes are refused.
public struct HTTPViolation: Error, Hashable, Sendable, CustomStringConvertible {
    /// The status that a server answers with before it closes: 400, 413, 414, 431, 501 or 505.
    public var status: Int
    /// The broken rule, in words; quotes nothing of what was sent.
    public var message: String

    /// Makes a violation.
    public init(status: Int, message: String) {
        self.status = status
        self.message = message
    }

    /// The status and the rule.
    public var description: String { "\(status): \(message)" }
}
