// SPDX-License-Identifier: MIT

/// Is told what happens on a WebSocket; every call comes on the loop's thread, one at a time, in order.
public struct WebSocketHandlers: Sendable {
    /// The handshake is done.
    ///
    /// Not called when it fails.
    public var opened: @Sendable (WebSocket) -> Void
    /// A text message came.
    public var text: @Sendable (WebSocket, String) -> Void
    /// A binary message came.
    ///
    /// Closes with 1003 unless set.
    public var binary: @Sendable (WebSocket, [UInt8]) -> Void
    /// Everything sent has gone to the operating system, after some had to wait.
    public var drained: @Sendable (WebSocket) -> Void
    /// The WebSocket is over or never came to be: the last call, made exactly once.
    public var closed: @Sendable (WebSocket, WebSocketClose) -> Void

    /// Makes handlers; what is left out does nothing, except that binary messages are refused.
    public init(
        opened: @escaping @Sendable (WebSocket) -> Void = { _ in },
        text: @escaping @Sendable (WebSocket, String) -> Void = { _, _ in },
        binary: @escaping @Sendable (WebSocket, [UInt8]) -> Void = { socket, _ in
            socket.close(code: 1003, reason: "text only")
        },
        drained: @escaping @Sendable (WebSocket) -> Void = { _ in },
        closed: @escaping @Sendable (WebSocket, WebSocketClose) -> Void = { _, _ in }
    ) {
        self.opened = opened
        self.text = text
        self.binary = binary
        self.drained = drained
        self.closed = closed
    }
}

/// How a WebSocket ended.
public struct WebSocketClose: Hashable, Sendable {
    /// The code of the peer's close frame, else of this end's; 1005: the frame had none; 1006: there was none.
    public var code: Int
    /// The reason of the same frame.
    public var reason: String
    /// Client only: the HTTP status of a refused handshake.
    public var status: Int?
    /// What went wrong; nil after a close that one of the ends wanted.
    public var error: NetError?

    /// Makes a description of an end.
    public init(code: Int, reason: String = "", status: Int? = nil, error: NetError? = nil) {
        self.code = code
        self.reason = reason
        self.status = status
        self.error = error
    }
}
