// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

@Suite(.timeLimit(.minutes(2)))
struct TCPTests {
    /// Listens and gives every connection the handler.
    private func listen(
        on loop: EventLoop, tls: TLSContext? = nil, _ make: @escaping @Sendable () -> TestPeer
    ) throws -> TCPListener {
        try TCPListener.listen(on: loop, host: "127.0.0.1", port: 0, tls: tls) { $0.handler = make() }
    }

    private func echo() -> TestPeer {
        let peer = TestPeer()
        peer.onReceived = { $0.write($1) }
        return peer
    }

    @Test("bytes come back, and both ends see a clean end")
    func echoes() async throws {
        try await withLoop { loop async throws in
            let atServer = Recorder<PeerReport>()
            let listener = try listen(on: loop) {
                let peer = TestPeer(atServer)
                peer.onReceived = { $0.write($1) }
                return peer
            }
            let atClient = Recorder<PeerReport>()
            loop.execute {
                let peer = TestPeer(atClient)
                peer.onOpened = { $0.write([1, 2, 3]) }
                peer.onReceived = { connection, _ in connection.close() }
                _ = TCPConnection.connect(on: loop, host: "localhost", port: listener.port, handler: peer)
            }
            #expect(try await atServer.next(4) == [.opened, .received([1, 2, 3]), .ended, .closed(nil)])
            #expect(try await atClient.next(3) == [.opened, .received([1, 2, 3]), .closed(nil)])
        }
    }

    @Test("everything written before a close arrives, plain and over TLS", arguments: [false, true])
    func flushesBeforeClose(_ isSecure: Bool) async throws {
        let certificate = try Certificate.selfSigned()
        let server: TLSContext? =
            isSecure ? try .server(certificate: certificate.certificatePEM, key: certificate.keyPEM) : nil
        let client: TLSContext? = isSecure ? try .client(roots: certificate.certificatePEM) : nil
        try await withLoop { loop async throws in
            let reports = Recorder<PeerReport>()
            let listener = try listen(on: loop, tls: server) { TestPeer(reports) }
            let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            loop.execute {
                let peer = TestPeer()
                peer.onOpened = {
                    $0.write(bytes)
                    $0.close()
                    $0.write([0])
                }
                _ = TCPConnection.connect(
                    on: loop, host: "127.0.0.1", port: listener.port, tls: client, handler: peer)
            }
            var received: [UInt8] = []
            collecting: while true {
                switch try await reports.next() {
                case .received(let more): received += more
                case .closed(let code):
                    #expect(code == nil)
                    break collecting
                case .opened, .ended, .drained: break
                }
            }
            #expect(received == bytes)
        }
    }

    @Test("an end that has ended its writing still reads the answer, plain and over TLS", arguments: [false, true])
    func halfClose(_ isSecure: Bool) async throws {
        let certificate = try Certificate.selfSigned()
        let server: TLSContext? =
            isSecure ? try .server(certificate: certificate.certificatePEM, key: certificate.keyPEM) : nil
        let client: TLSContext? = isSecure ? try .client(roots: certificate.certificatePEM) : nil
        try await withLoop { loop async throws in
            let listener = try listen(on: loop, tls: server) {
                let peer = TestPeer()
                peer.onEnded = {
                    $0.write(Array("answer".utf8))
                    $0.close()
                }
                return peer
            }
            let reports = Recorder<PeerReport>()
            loop.execute {
                let peer = TestPeer(reports)
                peer.onOpened = {
                    $0.write(Array("question".utf8))
                    $0.endWriting()
                    $0.write(Array("dropped".utf8))
                }
                _ = TCPConnection.connect(
                    on: loop, host: "127.0.0.1", port: listener.port, tls: client, handler: peer)
            }
            #expect(
                try await reports.next(4) == [.opened, .received(Array("answer".utf8)), .ended, .closed(nil)])
        }
    }

    @Test("a peer that does not read lets the queue grow; when it reads, the queue drains")
    func backpressure() async throws {
        try await withLoop { loop async throws in
            let total = 16 << 20
            let accepted = Recorder<TCPConnection>()
            let listener = try listen(on: loop) {
                let peer = TestPeer()
                peer.onOpened = {
                    $0.pauseReading()
                    accepted.report($0)
                }
                return peer
            }
            let reports = Recorder<PeerReport>()
            let buffered = Recorder<Int>()
            loop.execute {
                let peer = TestPeer(reports)
                peer.onOpened = {
                    $0.write([UInt8](repeating: 1, count: total))
                    buffered.report($0.bufferedBytes)
                }
                _ = TCPConnection.connect(on: loop, host: "127.0.0.1", port: listener.port, handler: peer)
            }
            #expect(try await buffered.next() > 0)
            let connection = try await accepted.next()
            loop.execute { connection.resumeReading() }
            #expect(try await reports.next(2) == [.opened, .drained])
        }
    }

    @Test("a busy port is an error that names the port and what to do")
    func busyPort() async throws {
        try await withLoop { loop async throws in
            let listener = try listen(on: loop) { TestPeer() }
            let error = #expect(throws: NetError.self) {
                try TCPListener.listen(on: loop, host: "127.0.0.1", port: listener.port) { _ in }
            }
            #expect(error?.code == .addressInUse)
            #expect(error?.message.contains("\(listener.port)") == true)
            #expect(error?.message.contains("choose another port") == true)
        }
    }

    @Test("a closed listener frees its port and refuses connections")
    func closedListener() async throws {
        try await withLoop { loop async throws in
            let listener = try listen(on: loop) { TestPeer() }
            let closed = Recorder<Bool>()
            listener.close { closed.report(true) }
            #expect(try await closed.next())
            let reports = Recorder<PeerReport>()
            loop.execute {
                _ = TCPConnection.connect(
                    on: loop, host: "127.0.0.1", port: listener.port, handler: TestPeer(reports))
            }
            #expect(try await reports.next() == .closed(.connectionRefused))
            let again = try TCPListener.listen(on: loop, host: "127.0.0.1", port: listener.port) { _ in }
            #expect(again.port == listener.port)
            listener.close { closed.report(true) }
            #expect(try await closed.next())
        }
    }

    @Test("an unusable address is an error, not a trap", arguments: [("", 80), ("127.0.0.1", 0), ("a\u{0}b", 80)])
    func badAddress(_ address: (host: String, port: Int)) async throws {
        try await withLoop { loop async throws in
            let reports = Recorder<PeerReport>()
            loop.execute {
                _ = TCPConnection.connect(
                    on: loop, host: address.host, port: address.port, handler: TestPeer(reports))
            }
            #expect(try await reports.next() == .closed(.invalidArgument))
            #expect(throws: NetError.self) {
                try TCPListener.listen(on: loop, host: "127.0.0.1", port: 65_536) { _ in }
            }
            #expect(throws: NetError.self) { try TCPListener.listen(on: loop, host: "300.0.0.1", port: 0) { _ in } }
        }
    }

    @Test("a server that does not answer the TLS handshake is given up")
    func handshakeTimeout() async throws {
        let client = try TLSContext.client(roots: Certificate.selfSigned().certificatePEM)
        try await withLoop { loop async throws in
            let listener = try listen(on: loop) { TestPeer() }
            let reports = Recorder<PeerReport>()
            loop.execute {
                _ = TCPConnection.connect(
                    on: loop, host: "127.0.0.1", port: listener.port, tls: client, timeout: .milliseconds(50),
                    handler: TestPeer(reports))
            }
            #expect(try await reports.next() == .closed(.timedOut))
        }
    }

    @Test("a certificate from elsewhere ends both ends with a TLS error")
    func untrusted() async throws {
        let certificate = try Certificate.selfSigned()
        let server = try TLSContext.server(certificate: certificate.certificatePEM, key: certificate.keyPEM)
        let client = try TLSContext.client(roots: Certificate.selfSigned().certificatePEM)
        try await withLoop { loop async throws in
            let atServer = Recorder<PeerReport>()
            let listener = try listen(on: loop, tls: server) { TestPeer(atServer) }
            let atClient = Recorder<PeerReport>()
            loop.execute {
                _ = TCPConnection.connect(
                    on: loop, host: "127.0.0.1", port: listener.port, tls: client, handler: TestPeer(atClient))
            }
            #expect(try await atClient.next() == .closed(.tls))
            #expect(try await atServer.next() == .closed(.tls))
        }
    }

    @Test("garbage instead of TLS ends the connection with a TLS error")
    func garbageForTLS() async throws {
        let certificate = try Certificate.selfSigned()
        let server = try TLSContext.server(certificate: certificate.certificatePEM, key: certificate.keyPEM)
        try await withLoop { loop async throws in
            let atServer = Recorder<PeerReport>()
            let listener = try listen(on: loop, tls: server) { TestPeer(atServer) }
            _ = try await exchange(loop, port: listener.port, "GET / HTTP/1.1\r\n\r\n")
            #expect(try await atServer.next() == .closed(.tls))
        }
    }

    @Test("a connection on which nothing comes is closed after its idle time")
    func idle() async throws {
        try await withLoop { loop async throws in
            let atServer = Recorder<PeerReport>()
            let listener = try listen(on: loop) {
                let peer = TestPeer(atServer)
                // Not before the byte has come: it may take its time on a busy machine.
                peer.onReceived = { connection, _ in connection.idleTimeout = .milliseconds(20) }
                return peer
            }
            let received = try await exchange(loop, port: listener.port, [7])
            #expect(received.isEmpty)
            #expect(try await atServer.next(3) == [.opened, .received([7]), .closed(.timedOut)])
        }
    }

    @Test("a connection nobody takes is cut")
    func unclaimed() async throws {
        try await withLoop { loop async throws in
            let listener = try TCPListener.listen(on: loop, host: "127.0.0.1", port: 0) { _ in }
            #expect(try await exchange(loop, port: listener.port, [1]).isEmpty)
        }
    }

    @Test("an abort inside a callback is reported once, with its error")
    func abortInside() async throws {
        try await withLoop { loop async throws in
            let atServer = Recorder<PeerReport>()
            let listener = try listen(on: loop) {
                let peer = TestPeer(atServer)
                peer.onReceived = { connection, _ in
                    connection.abort(NetError(.limitExceeded, "too much"))
                    connection.abort()
                    connection.close()
                    connection.write([1])
                }
                return peer
            }
            #expect(try await exchange(loop, port: listener.port, [1, 2]).isEmpty)
            #expect(try await atServer.next(3) == [.opened, .received([1, 2]), .closed(.limitExceeded)])
        }
    }

    @Test("stopping a loop closes its connections in every phase")
    func stopping() async throws {
        let loop = try EventLoop(name: "test")
        let other = try EventLoop(name: "peer")
        defer { other.stop() }
        let listener = try listen(on: other) { TestPeer() }
        let reports = Recorder<PeerReport>()
        loop.execute {
            _ = TCPConnection.connect(on: loop, host: "127.0.0.1", port: listener.port, handler: TestPeer(reports))
        }
        #expect(try await reports.next() == .opened)
        loop.execute {
            _ = TCPConnection.connect(on: loop, host: "127.0.0.1", port: listener.port, handler: TestPeer(reports))
            loop.stop()
        }
        #expect(try await reports.next(2) == [.closed(.closed), .closed(.closed)])
    }
}
