// SPDX-License-Identifier: MIT

import CUV
import Glibc

/// The libuv handle of a listener; belongs to the loop's thread.
final class ListeningSocket: LoopResource {
    /// How long a client may take for the TLS handshake.
    static let handshakeLimit = Duration.seconds(10)

    private let loop: EventLoop
    private let tls: TLSContext?
    private let accept: @Sendable (TCPConnection) -> Void
    private var closed: [@Sendable () -> Void] = []
    private var tcp: UnsafeMutablePointer<uv_tcp_t>?
    private var isClosed = false

    init(loop: EventLoop, tls: TLSContext?, accept: @escaping @Sendable (TCPConnection) -> Void) {
        self.loop = loop
        self.tls = tls
        self.accept = accept
        super.init(core: loop.core)
    }

    func start(descriptor: Int32) {
        let tcp = UnsafeMutablePointer<uv_tcp_t>.allocate(capacity: 1)
        uv_tcp_init(core.loop, tcp)
        attach(tcp)
        self.tcp = tcp
        var status = uv_tcp_open(tcp, descriptor)
        if status != 0 { Glibc.close(descriptor) }
        if status == 0 {
            let stream = UnsafeMutableRawPointer(tcp).assumingMemoryBound(to: uv_stream_t.self)
            status = uv_listen(stream, 1024, connectionArrived)
        }
        if status != 0 { closeHandle() }
    }

    func stop(_ closed: (@Sendable () -> Void)?) {
        if isClosed {
            closed?()
            return
        }
        if let closed { self.closed.append(closed) }
        tcp = nil
        closeHandle()
    }

    override func handleClosed() {
        isClosed = true
        tcp = nil
        let waiting = closed
        closed = []
        for item in waiting { item() }
    }

    fileprivate func arrived() {
        guard let tcp else { return }
        guard case .success(let socket) = TCPSocket.make(core: core) else { return }
        let server = UnsafeMutableRawPointer(tcp).assumingMemoryBound(to: uv_stream_t.self)
        guard uv_accept(server, socket.stream) == 0 else { return socket.closeHandle() }
        var engine: TLSEngine?
        if let tls {
            guard let made = try? TLSEngine(context: tls) else { return socket.closeHandle() }
            engine = made
        }
        let connection = TCPConnection(loop: loop, peerAddress: "", peerHost: "", phase: .connecting, tls: engine)
        connection.socket = socket
        socket.connection = connection
        connection.readPeerAddress()
        accept(connection)
        guard connection.handler != nil else { return connection.finish(nil) }
        guard connection.phase == .connecting else { return }
        if engine != nil {
            connection.phaseTimer.start(after: Self.handshakeLimit) {
                connection.finish(NetError(.timedOut, "\(connection.peerAddress) did not finish the TLS handshake."))
            }
        }
        connection.established()
    }
}

// Protected by: its loop's thread; other threads only hand it over to that.
extension ListeningSocket: @unchecked Sendable {}

private func connectionArrived(_ server: UnsafeMutablePointer<uv_stream_t>?, _ status: Int32) {
    guard status == 0 else { return }
    (LoopResource.owner(of: server) as? ListeningSocket)?.arrived()
}
