// SPDX-License-Identifier: MIT

/// Carries text frames to the server: OffhookNet's WebSocket on Linux, URLSession's on Apple's systems.
public protocol SignalTransport: AnyObject, Sendable {
    /// Opens a connection; every event of it comes through `events`, in order, from the transport's own thread.
    ///
    /// - Parameters:
    ///   - url: `ws://` or `wss://` with host, optional port and path.
    ///   - headers: Extra request headers, such as Authorization.
    ///   - events: Called in order, one at a time; `closed` is the last.
    /// - Returns: The connection, not open yet.
    func connect(
        to url: String, headers: [(name: String, value: String)],
        events: @escaping @Sendable (SignalTransportEvent) -> Void
    ) -> any SignalConnection
}

/// One connection of a transport; methods may come from any thread and return at once.
public protocol SignalConnection: AnyObject, Sendable {
    /// Sends a text frame; dropped silently when the connection is closed.
    func send(_ text: String)
    /// Closes the connection; `closed` follows.
    func close()
}

/// What happens to a connection.
public enum SignalTransportEvent: Hashable, Sendable {
    /// The handshake is done.
    case opened
    /// A text frame came.
    case received(String)
    /// The connection is over or never came to be. `status` is the HTTP status of a refused handshake.
    case closed(code: Int?, status: Int?, reason: String)
}
