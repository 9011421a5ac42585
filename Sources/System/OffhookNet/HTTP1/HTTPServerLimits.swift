// SPDX-License-Identifier: MIT

/// What a server allows its clients.
public struct HTTPServerLimits: Hashable, Sendable {
    /// The sizes of heads and bodies: 16,384 bytes, 100 fields, 1,048,576 bytes unless set.
    public var messages = HTTPLimits()
    /// The open connections at most, WebSockets included: 20,000 unless set.
    ///
    /// More: status 503, or cut off with TLS.
    public var connections = 20_000
    /// The open connections of one address at most: nil, no limit, unless set; behind a proxy all are one address.
    public var connectionsPerAddress: Int?
    /// The time from the start of a connection or request until it is complete: 10 s unless set.
    ///
    /// Else: status 408.
    public var requestTimeout: Duration = .seconds(10)
    /// The time between two requests on a connection: 60 s unless set.
    ///
    /// Else: closed.
    public var keepAliveTimeout: Duration = .seconds(60)

    /// Makes the default limits.
    public init() {}
}
