// SPDX-License-Identifier: MIT

/// What an ``HTTPClient`` takes from servers, and how long it waits for them.
public struct HTTPClientLimits: Hashable, Sendable {
    /// The sizes of answers: heads of 16,384 bytes and 100 fields, bodies of 1,048,576 bytes unless set.
    ///
    /// More: the error `limitExceeded`.
    public var messages = HTTPLimits()
    /// The time for DNS, TCP and TLS of a new connection: 10 s unless set.
    public var connectTimeout: Duration = .seconds(10)
    /// The time from the start of a request until its whole answer is there: 30 s unless set.
    ///
    /// Connecting and a second try are included.
    public var requestTimeout: Duration = .seconds(30)
    /// How long a connection is kept for the next request to its server: 15 s unless set.
    ///
    /// Best below the time after which the servers close: what arrives just as they do is lost.
    public var idleTimeout: Duration = .seconds(15)
    /// How many connections without a request are kept, one for each server: 16 unless set; 0 keeps none.
    ///
    /// More: the one unused for longest is closed.
    public var idleConnections = 16
    /// The requests under way at a time: 256 unless set.
    ///
    /// More: the error `limitExceeded`.
    public var requests = 256

    /// Makes the default limits.
    public init() {}
}
