// SPDX-License-Identifier: MIT

import CUV
import Glibc

/// Accepts TCP connections on a port.
public final class TCPListener {
    /// The port that is listened on; the system's choice when 0 was asked for.
    public let port: Int
    /// The loop whose thread accepts.
    public let loop: EventLoop
    private let server: ListeningSocket

    private init(loop: EventLoop, port: Int, server: ListeningSocket) {
        self.loop = loop
        self.port = port
        self.server = server
    }

    /// Listens on an address.
    ///
    /// When this returns, clients can connect.
    ///
    /// - Parameters:
    ///   - loop: The loop that owns the listener and its connections.
    ///   - host: A numeric address or a name of this machine; `0.0.0.0` or `::` for all.
    ///   - port: 0 ... 65535; 0 lets the system choose.
    ///   - tls: A server context for TLS; the handshake may take 10 s.
    ///   - reusePort: Lets several listeners of this process share the port, one per loop.
    ///   - accept: Called on the loop's thread for each new TCP connection, before TLS; it sets `handler`, or the
    ///     connection is cut.
    /// - Returns: The listener; it listens until closed, whether or not somebody holds it.
    /// - Throws: ``NetError``: `addressInUse` names the port and says what to do; `notPermitted`, `dns`,
    ///   `invalidArgument`.
    /// - Isolation: any thread
    public static func listen(
        on loop: EventLoop, host: String, port: Int, tls: TLSContext? = nil, reusePort: Bool = false,
        accept: @escaping @Sendable (TCPConnection) -> Void
    ) throws(NetError) -> TCPListener {
        let (descriptor, bound) = try openListeningSocket(host: host, port: port, reusePort: reusePort)
        let server = ListeningSocket(loop: loop, tls: tls, accept: accept)
        guard loop.execute({ server.start(descriptor: descriptor) }) else {
            Glibc.close(descriptor)
            throw NetError(.closed, "The event loop \"\(loop.name)\" is stopped; make a new one.")
        }
        return TCPListener(loop: loop, port: bound, server: server)
    }

    /// Stops listening; connections already accepted go on.
    ///
    /// - Parameter closed: Called on the loop's thread when the port is free; at once when the loop has stopped.
    /// - Isolation: any thread
    public func close(_ closed: (@Sendable () -> Void)? = nil) {
        if !loop.execute({ self.server.stop(closed) }) { closed?() }
    }
}

// Protected by: nothing changes after init; the socket inside is touched on the loop's thread alone.
extension TCPListener: @unchecked Sendable {}

private func openListeningSocket(
    host: String, port: Int, reusePort: Bool
) throws(NetError) -> (descriptor: Int32, port: Int) {
    let name = "Listening on \(host), port \(port)"
    guard (0...65_535).contains(port) else {
        throw NetError(.invalidArgument, "\(name) is not possible: a port is 0 to 65535.")
    }
    let (addresses, _) = SocketAddress.lookUp(host, port: port, flags: AI_PASSIVE | AI_NUMERICSERV)
    guard let address = addresses.first else {
        throw NetError(.dns, "\(name) failed: \"\(host)\" is no address of this machine. Try 127.0.0.1 or 0.0.0.0.")
    }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(address.family, kind, 0)
    guard descriptor >= 0 else { throw NetError.system(-errno, "\(name) failed") }
    var on: Int32 = 1
    let size = socklen_t(MemoryLayout<Int32>.size)
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, size)
    if reusePort { setsockopt(descriptor, SOL_SOCKET, SO_REUSEPORT, &on, size) }
    var status = address.withPointer { bind(descriptor, $0, $1) == 0 ? 0 : -errno }
    if status == 0 { status = Glibc.listen(descriptor, 1024) == 0 ? 0 : -errno }
    guard status == 0, let bound = SocketAddress(filledBy: { getsockname(descriptor, $0, $1) }) else {
        Glibc.close(descriptor)
        if status == UV_EADDRINUSE.rawValue {
            throw NetError(
                .addressInUse,
                "Port \(port) on \(host) is already in use. Stop the process that uses it (ss -ltnp 'sport = :\(port)' "
                    + "shows it) or choose another port.")
        }
        if status == UV_EACCES.rawValue {
            throw NetError(
                .notPermitted,
                "Port \(port) on \(host) is not permitted. Ports below 1024 need privileges; choose a higher one.")
        }
        throw NetError.system(status, "\(name) failed")
    }
    return (descriptor, bound.port)
}
