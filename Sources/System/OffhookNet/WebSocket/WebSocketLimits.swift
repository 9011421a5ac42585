// SPDX-License-Identifier: MIT

/// What a WebSocket allows its peer, in bytes and in time.
public struct WebSocketLimits: Hashable, Sendable {
    /// The bytes of a received message at most: 65,536 unless set.
    ///
    /// More: close code 1009.
    public var messageBytes = 65_536
    /// The bytes of a received frame at most: 65,536 unless set.
    ///
    /// More: close code 1009.
    public var frameBytes = 65_536
    /// The bytes that may wait for the peer to read: 1,048,576 unless set.
    ///
    /// A message that would go beyond is dropped and the connection closed with 1013: a peer that slow is lost, and it
    /// can ask for the state anew. A single message larger than that is sent when nothing else waits.
    public var outboundBytes = 1_048_576
    /// The time between pings: 30 s unless set; nil: no pings.
    public var pingInterval: Duration? = .seconds(30)
    /// The time after a ping in which something must come from the peer: 10 s unless set.
    ///
    /// Else: cut off, code 1006.
    public var pongTimeout: Duration = .seconds(10)
    /// The time the peer has to answer a close frame and to close: 5 s unless set.
    ///
    /// Else: cut off.
    public var closeTimeout: Duration = .seconds(5)
    /// Client only: the time until the WebSocket is open, DNS, TCP, TLS and handshake together: 10 s unless set.
    public var connectTimeout: Duration = .seconds(10)

    /// Makes the default limits.
    public init() {}
}
