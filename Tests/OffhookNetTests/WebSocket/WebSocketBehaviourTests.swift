// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

/// A client made of a plain connection and the codecs, which misbehaves where a test wants it; bound to the loop.
func rawClient(
    on loop: EventLoop, port: Int, path: String = "/", _ frames: [UInt8] = [],
    reports: Recorder<PeerReport> = Recorder(),
    then: @escaping @Sendable (TCPConnection, [UInt8]) -> Void = { _, _ in }
) {
    loop.execute {
        let peer = TestPeer(reports)
        peer.onReceived = then
        let handshake = """
            GET \(path) HTTP/1.1\r
            Host: a\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            \r

            """
        TCPConnection.connect(on: loop, host: "127.0.0.1", port: port, handler: peer).write(
            Array(handshake.utf8) + frames)
    }
}

/// What the server's socket says until it is closed.
func untilClosed(_ recorder: Recorder<SocketReport>) async throws -> WebSocketClose {
    while true {
        if case .closed(let close) = try await recorder.next() { return close }
    }
}

@Suite(.timeLimit(.minutes(2)))
struct WebSocketBehaviourTests {
    private let client = WebSocketEncoder(role: .client)

    @Test("the handshake of RFC 6455 §1.3 is answered as there, and frames sent with it are read")
    func handshake() async throws {
        try await withLoop { loop async throws in
            let atServer = Recorder<SocketReport>()
            let server = try webSocketServer(on: loop, recording(atServer))
            let reports = Recorder<PeerReport>()
            rawClient(on: loop, port: server.port, client.text("early") + client.close(code: 1000), reports: reports)
            #expect(
                try await atServer.next(3)
                    == [.opened, .text("early"), .closed(WebSocketClose(code: 1000))])
            #expect(try await reports.next() == .opened)
            guard case .received(let bytes) = try await reports.next() else {
                Issue.record("no answer")
                return
            }
            let answer = String(decoding: bytes, as: UTF8.self)
            #expect(answer.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
            #expect(answer.contains("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        }
    }

    @Test("a server that refuses the upgrade is reported with its status")
    func refused() async throws {
        try await withLoop { loop async throws in
            let server = try HTTPServer(
                loop: loop, host: "127.0.0.1", port: 0, handler: { $1(.text(200, "x")) },
                upgrade: { request in
                    request.headers["Authorization"] == "Bearer good"
                        ? .accept(echoing()) : .refuse(.text(401, "who are you?"))
                })
            let reports = Recorder<SocketReport>()
            WebSocketClient.connect(
                to: "ws://127.0.0.1:\(server.port)", on: loop, headers: ["Authorization": "Bearer bad"],
                handlers: recording(reports))
            let close = try await untilClosed(reports)
            #expect(close.status == 401 && close.error?.code == .handshakeRefused && close.code == 1006)
            WebSocketClient.connect(
                to: "ws://127.0.0.1:\(server.port)", on: loop, headers: ["Authorization": "Bearer good"],
                handlers: recording(reports))
            #expect(try await reports.next() == .opened)
        }
    }

    @Test(
        "a handshake that is not one is refused",
        arguments: [
            ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 8\r\n", 426),
            ("Upgrade: websocket\r\nConnection: Upgrade\r\n", 426),
            ("Upgrade: websocket\r\nConnection: keep-alive\r\nSec-WebSocket-Version: 13\r\n", 426),
            ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n", 400),
            (
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: short\r\n", 400
            ),
            (
                "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                    + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n",
                400
            ),
        ])
    func badHandshake(_ input: (fields: String, status: Int)) async throws {
        try await withLoop { loop async throws in
            let server = try webSocketServer(on: loop, echoing())
            let answer = try await exchange(
                loop, port: server.port, "GET / HTTP/1.1\r\nHost: a\r\n\(input.fields)\r\n")
            #expect(answer.hasPrefix("HTTP/1.1 \(input.status) "))
        }
    }

    @Test("both ends agree on a subprotocol")
    func subprotocol() async throws {
        try await withLoop { loop async throws in
            let server = try HTTPServer(
                loop: loop, host: "127.0.0.1", port: 0, handler: { $1(.text(200, "x")) },
                upgrade: { request in
                    let offered = request.headers.list(of: "Sec-WebSocket-Protocol")
                    return .accept(echoing(), subprotocol: offered.first { $0 == "offhook.v1" })
                })
            let chosen = Recorder<String?>()
            WebSocketClient.connect(
                to: "ws://127.0.0.1:\(server.port)/", on: loop, subprotocols: ["offhook.v2", "offhook.v1"],
                handlers: WebSocketHandlers(opened: { chosen.report($0.subprotocol) }))
            #expect(try await chosen.next() == "offhook.v1")
            WebSocketClient.connect(
                to: "ws://127.0.0.1:\(server.port)/", on: loop,
                handlers: WebSocketHandlers(opened: { chosen.report($0.subprotocol) }))
            #expect(try await chosen.next() == nil)
        }
    }

    @Test("a peer that does not answer a ping is cut off")
    func pongTimeout() async throws {
        try await withLoop { loop async throws in
            var limits = WebSocketLimits()
            limits.pingInterval = .milliseconds(20)
            limits.pongTimeout = .milliseconds(40)
            let atServer = Recorder<SocketReport>()
            let server = try webSocketServer(on: loop, limits: limits, recording(atServer))
            rawClient(on: loop, port: server.port)
            let close = try await untilClosed(atServer)
            #expect(close.code == 1006 && close.error?.code == .timedOut)
        }
    }

    @Test("a peer that answers pings stays connected")
    func pings() async throws {
        try await withLoop { loop async throws in
            var limits = WebSocketLimits()
            limits.pingInterval = .milliseconds(5)
            limits.pongTimeout = .seconds(60)
            let atServer = Recorder<SocketReport>()
            let server = try webSocketServer(on: loop, limits: limits, recording(atServer))
            let client = client
            let reports = Recorder<PeerReport>()
            rawClient(on: loop, port: server.port, reports: reports) { connection, bytes in
                if bytes.last == 0x00, bytes.contains(0x89) { connection.write(client.pong([])) }
            }
            var count = 0
            while count < 5 {
                if case .received(let bytes) = try await reports.next(), bytes == [0x89, 0x00] { count += 1 }
            }
            #expect(try await atServer.next() == .opened)
        }
    }

    @Test("a peer that reads too slowly is closed with 1013 instead of filling the memory")
    func slowConsumer() async throws {
        try await withLoop { loop async throws in
            var limits = WebSocketLimits()
            limits.closeTimeout = .milliseconds(50)
            let atServer = Recorder<SocketReport>()
            let buffered = Recorder<Int>()
            let chunk = [UInt8](repeating: 1, count: 100_000)
            let server = try webSocketServer(
                on: loop, limits: limits,
                WebSocketHandlers(
                    opened: { socket in
                        for _ in 0..<1_000 { socket.send(binary: chunk) }
                        buffered.report(socket.bufferedBytes)
                    },
                    closed: { atServer.report(.closed($1)) }))
            let reports = Recorder<PeerReport>()
            loop.execute {
                let peer = TestPeer(reports)
                peer.onOpened = { $0.pauseReading() }
                TCPConnection.connect(on: loop, host: "127.0.0.1", port: server.port, handler: peer).write(
                    Array(
                        "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                            .utf8)
                        + Array(
                            "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n".utf8))
            }
            #expect(try await buffered.next() < 2_000_000)
            let close = try await untilClosed(atServer)
            #expect(close.code == 1013 && close.error?.code == .limitExceeded)
        }
    }

    @Test("a broken rule is answered with a close frame that says which, and reported", arguments: [1002, 1007, 1009])
    func violation(_ code: Int) async throws {
        try await withLoop { loop async throws in
            let atServer = Recorder<SocketReport>()
            let server = try webSocketServer(on: loop, recording(atServer))
            let frames: [UInt8] =
                switch code {
                case 1002: [0xff, 0x80]
                case 1007: client.frame(.text, [0xff])
                default: [0x82, 0xff, 0, 0, 0, 0, 0, 1, 0, 1]
                }
            let received = Recorder<[UInt8]>()
            rawClient(on: loop, port: server.port, frames) { received.report($1) }
            let close = try await untilClosed(atServer)
            #expect(close.code == code)
            #expect(close.error?.code == (code == 1009 ? .limitExceeded : .protocolViolation))
            var bytes: [UInt8] = []
            while !bytes.contains(0x88) { bytes += try await received.next() }
            let frame = try #require(bytes.lastIndex(of: 0x88))
            #expect(Array(bytes[(frame + 2)...].prefix(2)) == [UInt8(code >> 8), UInt8(code & 0xff)])
        }
    }

    @Test("a binary message that nobody wants closes with 1003")
    func textOnly() async throws {
        try await withLoop { loop async throws in
            let server = try webSocketServer(on: loop, WebSocketHandlers())
            let reports = Recorder<SocketReport>()
            WebSocketClient.connect(
                to: "ws://127.0.0.1:\(server.port)/", on: loop, handlers: recording(reports)
            ).send(binary: [1])
            #expect(try await untilClosed(reports) == WebSocketClose(code: 1003, reason: "text only"))
        }
    }

    @Test("a peer that does not answer a close frame is cut off after a time")
    func closeTimeout() async throws {
        try await withLoop { loop async throws in
            var limits = WebSocketLimits()
            limits.closeTimeout = .milliseconds(30)
            let atServer = Recorder<SocketReport>()
            let server = try webSocketServer(
                on: loop, limits: limits,
                WebSocketHandlers(
                    opened: { $0.close(code: 4000, reason: "go") }, closed: { atServer.report(.closed($1)) }))
            rawClient(on: loop, port: server.port)
            #expect(try await untilClosed(atServer) == WebSocketClose(code: 4000, reason: "go"))
        }
    }

    @Test("a connection that ends without a close frame is reported as 1006")
    func vanished() async throws {
        try await withLoop { loop async throws in
            let atServer = Recorder<SocketReport>()
            let server = try webSocketServer(on: loop, recording(atServer))
            rawClient(on: loop, port: server.port) { connection, _ in connection.abort() }
            let close = try await untilClosed(atServer)
            #expect(close.code == 1006 && close.error?.code == .connectionReset)
        }
    }

    @Test("what a client cannot connect to is reported, not trapped on")
    func unreachable() async throws {
        try await withLoop { loop async throws in
            let silent = try TCPListener.listen(on: loop, host: "127.0.0.1", port: 0) { $0.handler = TestPeer() }
            let odd = try TCPListener.listen(on: loop, host: "127.0.0.1", port: 0) { connection in
                let peer = TestPeer()
                peer.onReceived = { connection, _ in
                    connection.write(
                        Array(
                            "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Accept: x\r\n\r\n"
                                .utf8))
                }
                connection.handler = peer
            }
            let dead = try TCPListener.listen(on: loop, host: "127.0.0.1", port: 0) { _ in }
            let freed = Recorder<Bool>()
            dead.close { freed.report(true) }
            #expect(try await freed.next())
            let cases: [(url: String, code: NetError.Code)] = [
                ("ws://127.0.0.1:\(silent.port)/", .timedOut), ("ws://127.0.0.1:\(odd.port)/", .protocolViolation),
                ("ws://127.0.0.1:\(dead.port)/", .connectionRefused), ("http://127.0.0.1/", .invalidArgument),
                ("ws://", .invalidArgument), ("ws://a:b/", .invalidArgument), ("ws://a:0/", .invalidArgument),
                ("ws://user@a/", .invalidArgument), ("ws://a/x y", .invalidArgument), ("ws://[::1", .invalidArgument),
                ("", .invalidArgument), ("ws://a/#part", .invalidArgument),
            ]
            for fields in [["A b": "1"], ["X": "1\r\nY: 2"], ["": ""]] as [HTTPHeaders] {
                let reports = Recorder<SocketReport>()
                WebSocketClient.connect(
                    to: "ws://127.0.0.1:\(dead.port)/", on: loop, headers: fields, handlers: recording(reports))
                #expect(try await untilClosed(reports).error?.code == .invalidArgument)
            }
            for (url, code) in cases {
                let reports = Recorder<SocketReport>()
                var limits = WebSocketLimits()
                limits.connectTimeout = code == .timedOut ? .milliseconds(50) : .seconds(3_600)
                WebSocketClient.connect(to: url, on: loop, limits: limits, handlers: recording(reports))
                let close = try await untilClosed(reports)
                #expect(close.error?.code == code, "\(url): \(close)")
                #expect(close.code == 1006 && close.status == nil)
            }
        }
    }

    @Test("a client may close or abort before it is open")
    func closedEarly() async throws {
        try await withLoop { loop async throws in
            let server = try webSocketServer(on: loop, echoing())
            for aborts in [false, true] {
                let reports = Recorder<SocketReport>()
                let socket = try await loop.run {
                    let socket = WebSocketClient.connect(
                        to: "ws://127.0.0.1:\(server.port)/", on: loop, handlers: recording(reports))
                    if aborts { socket.abort() } else { socket.close(code: 4001) }
                    return socket
                }
                socket.send(text: "dropped")
                #expect(try await reports.next() == .closed(WebSocketClose(code: aborts ? 1006 : 4001)))
            }
        }
    }

    @Test("a stopping loop ends its sockets, and a stopped one makes none")
    func stoppedLoop() async throws {
        let loop = try EventLoop(name: "test")
        let atServer = Recorder<SocketReport>()
        let atClient = Recorder<SocketReport>()
        let server = try webSocketServer(on: loop, recording(atServer))
        let url = "ws://127.0.0.1:\(server.port)/"
        WebSocketClient.connect(to: url, on: loop, handlers: recording(atClient))
        #expect(try await atServer.next() == .opened)
        #expect(try await atClient.next() == .opened)
        loop.stop()
        #expect(try await untilClosed(atServer).error?.code == .closed)
        #expect(try await untilClosed(atClient).error?.code == .closed)
        WebSocketClient.connect(to: url, on: loop, handlers: recording(atClient))
        #expect(try await untilClosed(atClient).error?.code == .closed)
    }
}
