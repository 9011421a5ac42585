// SPDX-License-Identifier: MIT

/// Accepts HTTP/2 connections on a port.
public final class HTTP2Server: Sendable {
    /// What bounds a client.
    public struct Limits: Sendable {
        /// How many streams a client may have open at a time; a connection can change it later.
        public var concurrentStreams: UInt32 = 100
        /// How many bytes of a request's body are kept; the rest is dropped and the request marked as truncated.
        public var bodyBytes = 65_536
        /// How many bytes of header names and values a request may have; a larger one is reset.
        public var headerBytes = 16_384
        /// How long a client may be silent before its connection is closed; nil: for ever.
        public var idleTimeout: Duration?

        /// Makes the usual limits.
        public init() {}
    }

    /// The port that is listened on; the system's choice when 0 was asked for.
    public var port: Int { listener.port }

    private let listener: TCPListener

    private init(listener: TCPListener) {
        self.listener = listener
    }

    /// Listens on an address.
    ///
    /// When this returns, clients can connect.
    ///
    /// - Parameters:
    ///   - loop: The loop that owns the server and its connections.
    ///   - host: A numeric address or a name of this machine.
    ///   - port: 0 ... 65535; 0 lets the system choose.
    ///   - tls: A server context that speaks `h2`; nil: plain HTTP/2 with prior knowledge.
    ///   - limits: What bounds a client.
    ///   - accept: Called on the loop's thread for each connection, before its first byte; it sets the handlers.
    /// - Returns: The server.
    /// - Throws: ``NetError`` as ``TCPListener`` does, above all `addressInUse`.
    /// - Isolation: any thread
    public static func listen(
        on loop: EventLoop, host: String, port: Int, tls: TLSContext?, limits: Limits = Limits(),
        accept: @escaping @Sendable (HTTP2ServerConnection) -> Void
    ) throws(NetError) -> HTTP2Server {
        let requiresALPN = tls != nil
        let listener = try TCPListener.listen(on: loop, host: host, port: port, tls: tls) { connection in
            do throws(NetError) {
                let server = try HTTP2ServerConnection(connection, limits: limits, requiresALPN: requiresALPN)
                connection.handler = server
                accept(server)
            } catch {
                connection.abort(error)
            }
        }
        return HTTP2Server(listener: listener)
    }

    /// Stops listening; connections already accepted go on.
    ///
    /// - Isolation: any thread
    public func close() {
        listener.close()
    }
}
