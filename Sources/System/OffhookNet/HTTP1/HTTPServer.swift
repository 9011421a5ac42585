// SPDX-License-Identifier: MIT

/// Serves HTTP/1.1 and WebSockets on a port of an event loop.
///
/// Requests of a connection are handled one after the other. It serves until ``close(_:)``, ``drain(within:_:)`` or the
/// loop's end, whether or not somebody holds it.
public final class HTTPServer: Sendable {
    /// Answers a request by calling the second argument once, from any thread; called on the loop's thread.
    public typealias Handler = @Sendable (HTTPRequest, @escaping @Sendable (HTTPResponse) -> Void) -> Void
    /// Decides about a request for a WebSocket, at once; called on the loop's thread.
    public typealias Upgrade = @Sendable (HTTPRequest) -> WebSocketUpgrade

    /// The port that is listened on; the system's choice when 0 was asked for.
    public let port: Int
    /// The loop that owns the server.
    public let loop: EventLoop
    private let listener: TCPListener
    private let registry: HTTPServerRegistry

    /// Starts serving.
    ///
    /// When this returns, clients can connect.
    ///
    /// - Parameters:
    ///   - loop: The loop that owns the server and its connections.
    ///   - host: A numeric address or a name of this machine; `0.0.0.0` or `::` for all.
    ///   - port: 0 ... 65535; 0 lets the system choose.
    ///   - tls: A server context for `https` and `wss`, with the ALPN protocol `http/1.1` or none.
    ///   - limits: What clients may do at most.
    ///   - reusePort: Lets several servers of this process share the port, one per loop.
    ///   - handler: Answers requests.
    ///   - upgrade: Decides about WebSockets; refuses all with 404 unless given.
    /// - Throws: ``NetError`` as ``TCPListener/listen(on:host:port:tls:reusePort:accept:)`` does: a busy port is
    ///   `addressInUse`.
    /// - Isolation: any thread
    public init(
        loop: EventLoop, host: String, port: Int, tls: TLSContext? = nil,
        limits: HTTPServerLimits = HTTPServerLimits(), reusePort: Bool = false, handler: @escaping Handler,
        upgrade: @escaping Upgrade = { _ in .refuse(.text(404, "There is no WebSocket here.")) }
    ) throws(NetError) {
        let registry = HTTPServerRegistry(loop: loop, limits: limits, handler: handler, upgrade: upgrade)
        listener = try TCPListener.listen(on: loop, host: host, port: port, tls: tls, reusePort: reusePort) {
            registry.accept($0)
        }
        self.loop = loop
        self.port = listener.port
        self.registry = registry
    }

    /// Stops listening and cuts every connection; WebSockets get `closed` with code 1006.
    ///
    /// - Parameter closed: Called on the loop's thread when port and connections are gone; at once when the loop has
    ///   stopped.
    /// - Isolation: any thread
    public func close(_ closed: (@Sendable () -> Void)? = nil) {
        listener.close { self.registry.abortAll(closed) }
    }

    /// Stops listening, lets requests finish and closes WebSockets with 1001; cuts what is left after a time.
    ///
    /// - Parameters:
    ///   - limit: How long connections may take.
    ///   - drained: Called on the loop's thread when port and connections are gone; at once when the loop has stopped.
    /// - Isolation: any thread
    public func drain(within limit: Duration, _ drained: (@Sendable () -> Void)? = nil) {
        listener.close { self.registry.drain(within: limit, drained) }
    }

    /// The open connections, WebSockets included.
    ///
    /// - Isolation: the loop's thread
    public var connectionCount: Int {
        loop.requireCurrent("HTTPServer.connectionCount")
        return registry.count
    }
}
