// SPDX-License-Identifier: MIT

import CUV
import Glibc

extension TCPConnection {
    /// Connects to a host, trying its addresses one after the other.
    ///
    /// Returns at once; `connectionOpened` or `connectionClosed` follows, never before this returns.
    ///
    /// - Parameters:
    ///   - loop: The loop that owns the connection; the caller runs on its thread.
    ///   - host: A name or a numeric address.
    ///   - port: 1 ... 65535.
    ///   - tls: A client context for TLS; the certificate must be one for `host`.
    ///   - timeout: Limits everything until `connectionOpened`: DNS, TCP and TLS.
    ///   - handler: Told what happens; held until `connectionClosed`.
    /// - Returns: The connection, which may be written to and closed at once.
    public static func connect(
        on loop: EventLoop, host: String, port: Int, tls: TLSContext? = nil,
        timeout: Duration = .seconds(10), handler: any TCPConnectionHandler
    ) -> TCPConnection {
        loop.requireCurrent("TCPConnection.connect")
        var engine: TLSEngine?
        var failure: NetError?
        if let tls {
            do {
                engine = try TLSEngine(context: tls, serverName: host)
            } catch {
                failure = error
            }
        }
        let connection = TCPConnection(
            loop: loop, peerAddress: "\(host):\(port)", peerHost: host, phase: .connecting, tls: engine)
        connection.handler = handler
        if let failure {
            connection.finish(failure)
        } else if !(1...65_535).contains(port) || host.isEmpty || host.utf8.contains(0) {
            connection.finish(
                NetError(.invalidArgument, "\"\(host):\(port)\" is no address: give a host and a port of 1 to 65535."))
        } else {
            connection.start(host: host, port: port, timeout: timeout)
        }
        return connection
    }

    private func start(host: String, port: Int, timeout: Duration) {
        phaseTimer.start(after: timeout) { [self] in
            finish(
                NetError(.timedOut, "\(peerAddress) did not answer within \(timeout). Check host, port and firewall."))
        }
        let numeric = SocketAddress.numeric(host, port: port)
        if numeric.isEmpty {
            resolve(host: host, port: port)
        } else {
            addresses = numeric.reversed()
            tryNextAddress(after: UV_ENETUNREACH.rawValue)
        }
    }

    private func resolve(host: String, port: Int) {
        guard !loop.core.isClosing else { return finish(NetError(.closed, "The event loop was stopped.")) }
        let request = UnsafeMutablePointer<uv_getaddrinfo_t>.allocate(capacity: 1)
        request.pointee.data = Unmanaged.passRetained(self).toOpaque()
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        let status = uv_getaddrinfo(loop.core.loop, request, hostResolved, host, String(port), &hints)
        if status != 0 { hostResolved(request, status, nil) }
    }

    fileprivate func resolved(_ found: [SocketAddress], status: Int32) {
        guard phase == .connecting else { return }
        guard status == 0 else { return finish(.system(status, "Connecting to \(peerAddress) failed")) }
        addresses = found.reversed()
        tryNextAddress(after: UV_EAI_NONAME.rawValue)
    }

    private func tryNextAddress(after lastStatus: Int32) {
        guard let address = addresses.popLast() else {
            return finish(.system(lastStatus, "Connecting to \(peerAddress) failed"))
        }
        switch TCPSocket.make(core: loop.core) {
        case .failure(let failure): finish(.system(failure.status, "Connecting to \(peerAddress) failed"))
        case .success(let socket):
            self.socket = socket
            socket.connection = self
            let status = socket.connect(to: address)
            if status != 0 { socketConnected(socket, status: status) }
        }
    }

    func socketConnected(_ socket: TCPSocket, status: Int32) {
        guard phase == .connecting, socket === self.socket else { return }
        if status != 0 {
            self.socket = nil
            socket.connection = nil
            socket.closeHandle()
            return tryNextAddress(after: status)
        }
        addresses = []
        readPeerAddress()
        established()
    }

    /// TCP is up: start TLS, or open.
    func established() {
        guard let socket else { return }
        uv_tcp_nodelay(socket.tcp, 1)
        updateReading()
        guard let tls else { return open() }
        phase = .handshaking
        do {
            try tls.start()
            flushTLS()
        } catch {
            failTLS(error)
        }
    }

    /// Both directions work; the phase's timer has done its work.
    func open() {
        phaseTimer.cancel()
        phase = .open
        idle?.start()
        if !early.isEmpty {
            let bytes = early
            early = []
            write(bytes)
        }
        handler?.connectionOpened(self)
    }

    func readPeerAddress() {
        guard let socket else { return }
        let address = SocketAddress { pointer, length in
            var count = Int32(length.pointee)
            let status = uv_tcp_getpeername(socket.tcp, pointer, &count)
            length.pointee = socklen_t(count)
            return status
        }
        guard let address else { return }
        peerAddress = address.description
        peerHost = address.host
    }
}

private func hostResolved(
    _ request: UnsafeMutablePointer<uv_getaddrinfo_t>?, _ status: Int32, _ result: UnsafeMutablePointer<addrinfo>?
) {
    guard let request, let data = request.pointee.data else { return }
    let connection = Unmanaged<TCPConnection>.fromOpaque(data).takeRetainedValue()
    request.deallocate()
    let addresses = SocketAddress.list(result)
    uv_freeaddrinfo(result)
    connection.resolved(addresses, status: status)
}
