// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

@Suite(.timeLimit(.minutes(2)))
struct HTTPServerTests {
    /// Limits that a busy machine does not reach.
    private static let patient: HTTPServerLimits = {
        var limits = HTTPServerLimits()
        limits.requestTimeout = .seconds(3_600)
        limits.keepAliveTimeout = .seconds(3_600)
        return limits
    }()

    /// A server whose answers say what was asked.
    private func server(on loop: EventLoop, _ limits: HTTPServerLimits = patient) throws -> HTTPServer {
        try HTTPServer(
            loop: loop, host: "127.0.0.1", port: 0, limits: limits,
            handler: { request, respond in
                let body = String(decoding: request.body, as: UTF8.self)
                respond(.text(200, "\(request.method) \(request.path) \(request.head.query ?? "-") [\(body)]"))
            })
    }

    private func get(_ path: String, _ fields: String = "", close: Bool = true) -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\(close ? "Connection: close\r\n" : "")\r\n"
    }

    @Test("a request is answered, and the connection closed when the client asks for that")
    func answers() async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            let answer = try await exchange(loop, port: server.port, get("/calls?id=1"))
            #expect(
                answer
                    == "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 19\r\n"
                    + "Connection: close\r\n\r\nGET /calls id=1 []\n")
        }
    }

    @Test("bodies reach the handler, counted and chunked, and HEAD gets none")
    func bodies() async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            let counted = "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello"
            let chunked =
                "POST /b HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n"
            let head = "HEAD /c HTTP/1.0\r\n\r\n"
            let answer = try await exchange(loop, port: server.port, counted + chunked + head)
            #expect(answer.contains("POST /a - [hello]\n") && answer.contains("POST /b - [hello]\n"))
            #expect(answer.hasSuffix("Connection: close\r\n\r\n"))
        }
    }

    @Test("pipelined requests are answered in their order, even by a handler that answers late from elsewhere")
    func pipelining() async throws {
        let other = try EventLoop(name: "handler")
        defer { other.stop() }
        try await withLoop { loop async throws in
            let server = try HTTPServer(
                loop: loop, host: "127.0.0.1", port: 0,
                handler: { request, respond in
                    other.schedule(after: .milliseconds(request.path == "/0" ? 20 : 1)) {
                        respond(.text(200, "answer \(request.path)"))
                        respond(.text(500, "a second answer is ignored"))
                    }
                })
            let requests = (0..<20).map { get("/\($0)", close: $0 == 19) }.joined()
            let answer = try await exchange(loop, port: server.port, requests)
            let lines = answer.split(whereSeparator: \.isNewline).filter { $0.hasPrefix("answer") }
            #expect(lines == (0..<20).map { "answer /\($0)" })
            #expect(!answer.contains("second"))
        }
    }

    @Test("a long row of pipelined requests does not nest")
    func manyPipelined() async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            let requests = (0..<5_000).map { get("/\($0)", close: $0 == 4_999) }.joined()
            let answer = try await exchange(loop, port: server.port, requests)
            #expect(answer.split(whereSeparator: \.isNewline).count { $0.hasPrefix("GET /") } == 5_000)
        }
    }

    @Test(
        "what is no HTTP or against its rules is answered with the right status, then the connection closed",
        arguments: [
            ("GET / HTTP/1.1\n\n", 400), ("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("GET / HTTP/3.0\r\n\r\n", 505), ("\u{16}\u{3}\u{1}\r\n", 400), ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\n\r\n", 413),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ])
    func refuses(_ input: (text: String, status: Int)) async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            let answer = try await exchange(loop, port: server.port, input.text)
            #expect(answer.hasPrefix("HTTP/1.1 \(input.status) "), "\(answer)")
            #expect(answer.contains("Connection: close\r\n"))
        }
    }

    @Test("a client that sends its request too slowly is told so and closed")
    func slowloris() async throws {
        try await withLoop { loop async throws in
            var limits = HTTPServerLimits()
            limits.requestTimeout = .milliseconds(50)
            let server = try server(on: loop, limits)
            let answer = try await exchange(loop, port: server.port, "GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ")
            #expect(answer.hasPrefix("HTTP/1.1 408 "))
            #expect(try await exchange(loop, port: server.port, "").isEmpty)
            // The second request of a connection has its time too.
            var second = ""
            for time in growingTimes where !second.contains("HTTP/1.1 200 OK") {
                limits.requestTimeout = time
                let later = try self.server(on: loop, limits)
                second = try await exchange(loop, port: later.port, get("/", close: false) + "GET /slow")
            }
            #expect(second.contains("HTTP/1.1 200 OK") && second.contains("HTTP/1.1 408 "))
        }
    }

    @Test("a connection without a further request is closed after a time")
    func keepAlive() async throws {
        try await withLoop { loop async throws in
            var limits = Self.patient
            limits.keepAliveTimeout = .milliseconds(30)
            let server = try server(on: loop, limits)
            let answer = try await exchange(loop, port: server.port, get("/", close: false))
            #expect(answer.hasPrefix("HTTP/1.1 200 OK") && answer.hasSuffix("GET / - []\n"))
        }
    }

    @Test("connections over the limit are answered with 503", arguments: [true, false])
    func full(_ perAddress: Bool) async throws {
        try await withLoop { loop async throws in
            var limits = Self.patient
            if perAddress { limits.connectionsPerAddress = 1 } else { limits.connections = 1 }
            let server = try server(on: loop, limits)
            let reports = Recorder<PeerReport>()
            let first = try await loop.run {
                TCPConnection.connect(on: loop, host: "127.0.0.1", port: server.port, handler: TestPeer(reports))
            }
            #expect(try await reports.next() == .opened)
            #expect(try await exchange(loop, port: server.port, get("/")).hasPrefix("HTTP/1.1 503 "))
            loop.execute { first.abort() }
            #expect(try await reports.next() == .closed(nil))
            // The server sees the end of the first connection a moment later.
            var answer = ""
            repeat { answer = try await exchange(loop, port: server.port, get("/")) } while answer.contains(" 503 ")
            #expect(answer.hasPrefix("HTTP/1.1 200 "))
        }
    }

    @Test("a client that waits for 100 Continue gets it")
    func expectContinue() async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            let reports = Recorder<PeerReport>()
            loop.execute {
                let peer = TestPeer(reports)
                peer.onReceived = { connection, bytes in
                    if bytes.starts(with: "HTTP/1.1 100".utf8) { connection.write(Array("hi".utf8)) }
                }
                TCPConnection.connect(on: loop, host: "127.0.0.1", port: server.port, handler: peer).write(
                    Array(
                        "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n"
                            .utf8))
            }
            #expect(try await reports.next() == .opened)
            #expect(try await reports.next() == .received(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)))
            guard case .received(let answer) = try await reports.next() else {
                Issue.record("no answer")
                return
            }
            #expect(String(decoding: answer, as: UTF8.self).hasSuffix("PUT / - [hi]\n"))
        }
    }

    @Test("a draining server finishes its requests, closes the rest and frees its port")
    func drain() async throws {
        try await withLoop { loop async throws in
            let asked = Recorder<@Sendable (HTTPResponse) -> Void>()
            let server = try HTTPServer(
                loop: loop, host: "127.0.0.1", port: 0, limits: Self.patient, handler: { asked.report($1) },
                upgrade: { _ in .accept(WebSocketHandlers()) })
            let idle = Recorder<PeerReport>()
            loop.execute {
                _ = TCPConnection.connect(on: loop, host: "127.0.0.1", port: server.port, handler: TestPeer(idle))
            }
            #expect(try await idle.next() == .opened)
            let socket = Recorder<SocketReport>()
            WebSocketClient.connect(
                to: "ws://127.0.0.1:\(server.port)/", on: loop, handlers: recording(socket))
            #expect(try await socket.next() == .opened)
            async let answer = exchange(loop, port: server.port, get("/late", close: false))
            let respond = try await asked.next()
            let drained = Recorder<Bool>()
            server.drain(within: .seconds(60)) { drained.report(true) }
            #expect(try await idle.next(2) == [.ended, .closed(nil)])
            #expect(try await socket.next() == .closed(WebSocketClose(code: 1001, reason: "the server stops")))
            respond(.text(200, "late but here"))
            #expect(try await answer.hasSuffix("Connection: close\r\n\r\nlate but here\n"))
            #expect(try await drained.next())
            let again = try HTTPServer(loop: loop, host: "127.0.0.1", port: server.port, handler: { _, _ in })
            #expect(again.port == server.port)
        }
    }

    @Test("a drain that takes too long, and a close, cut what is left")
    func cut() async throws {
        try await withLoop { loop async throws in
            for drains in [true, false] {
                let asked = Recorder<@Sendable (HTTPResponse) -> Void>()
                let server = try HTTPServer(loop: loop, host: "127.0.0.1", port: 0, handler: { asked.report($1) })
                async let answer = exchange(loop, port: server.port, get("/never"))
                let respond = try await asked.next()
                let done = Recorder<Bool>()
                if drains {
                    server.drain(within: .milliseconds(20)) { done.report(true) }
                } else {
                    server.close { done.report(true) }
                }
                #expect(try await done.next())
                #expect(try await answer.isEmpty)
                respond(.text(200, "nobody is there"))
                #expect(try await loop.run { server.connectionCount } == 0)
            }
        }
    }

    @Test("an answer that HTTP cannot carry becomes a 500 instead of a second head")
    func headerInjection() async throws {
        try await withLoop { loop async throws in
            let server = try HTTPServer(
                loop: loop, host: "127.0.0.1", port: 0,
                handler: { request, respond in
                    let value = request.head.query == "status" ? "fine" : "x\r\nSet-Cookie: evil"
                    respond(HTTPResponse(status: value == "fine" ? 99 : 302, headers: ["Location": value]))
                })
            for query in ["status", "header"] {
                let answer = try await exchange(loop, port: server.port, get("/?\(query)"))
                #expect(answer.hasPrefix("HTTP/1.1 500 ") && !answer.contains("evil"))
            }
        }
    }

    @Test("a client that has ended its sending side still gets its answer, then the connection ends")
    func halfClosed() async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            let request = get("/half", close: false)
            let reports = Recorder<PeerReport>()
            loop.execute {
                let peer = TestPeer(reports)
                peer.onOpened = {
                    $0.write(Array(request.utf8))
                    $0.endWriting()
                }
                _ = TCPConnection.connect(on: loop, host: "127.0.0.1", port: server.port, handler: peer)
            }
            #expect(try await reports.next() == .opened)
            guard case .received(let answer) = try await reports.next() else {
                Issue.record("no answer")
                return
            }
            #expect(String(decoding: answer, as: UTF8.self).hasSuffix("GET /half - []\n"))
            #expect(try await reports.next(2) == [.ended, .closed(nil)])
        }
    }

    @Test("a client that pipelines, then ends its sending side, gets every answer")
    func halfClosedPipeline() async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            let requests = (0..<100).map { get("/\($0)", close: false) }.joined()
            let reports = Recorder<PeerReport>()
            loop.execute {
                let peer = TestPeer(reports)
                peer.onOpened = {
                    $0.write(Array(requests.utf8))
                    $0.endWriting()
                }
                _ = TCPConnection.connect(on: loop, host: "127.0.0.1", port: server.port, handler: peer)
            }
            var answers: [UInt8] = []
            var isOver = false
            while !isOver {
                switch try await reports.next() {
                case .received(let bytes): answers += bytes
                case .closed: isOver = true
                case .opened, .drained, .ended: break
                }
            }
            let lines = String(decoding: answers, as: UTF8.self).split(whereSeparator: \.isNewline)
            #expect(lines.count { $0.hasPrefix("GET /") } == 100)
        }
    }

    @Test("a client that pipelines without reading is not worked for until it reads")
    func unreadAnswers() async throws {
        let clientLoop = try EventLoop(name: "client")
        defer { clientLoop.stop() }
        try await withLoop { loop async throws in
            let handled = Guarded(0)
            let asked = Recorder<Bool>()
            let body = [UInt8](repeating: 0x61, count: 262_144)
            let server = try HTTPServer(
                loop: loop, host: "127.0.0.1", port: 0, limits: Self.patient,
                handler: { _, respond in
                    handled.withLock { $0 += 1 }
                    asked.report(true)
                    respond(.json(200, body))
                })
            // 256 MB of answers: more than the system's buffers take.
            let requests = (0..<1_000).map { get("/\($0)", close: $0 == 999) }.joined()
            let reports = Recorder<PeerReport>()
            let connection = try await clientLoop.run {
                let connection = TCPConnection.connect(
                    on: clientLoop, host: "127.0.0.1", port: server.port, handler: TestPeer(reports))
                connection.pauseReading()
                connection.write(Array(requests.utf8))
                return connection
            }
            #expect(try await asked.next())
            // Many turns of the server's loop, each of which would take a request if one was taken.
            for _ in 0..<5_000 { try await loop.run {} }
            #expect(handled.withLock { $0 } < 500)
            clientLoop.execute { connection.resumeReading() }
            var isOver = false
            while !isOver {
                if case .closed = try await reports.next() { isOver = true }
            }
            #expect(handled.withLock { $0 } == 1_000)
        }
    }

    @Test("closing a server of a stopped loop is reported too")
    func stoppedLoop() async throws {
        let loop = try EventLoop(name: "test")
        let first = try server(on: loop)
        let second = try server(on: loop)
        loop.stop()
        let closed = Recorder<Bool>()
        first.close { closed.report(true) }
        second.drain(within: .seconds(3_600)) { closed.report(true) }
        #expect(try await closed.next(2) == [true, true])
        #expect(throws: NetError.self) { try server(on: loop) }
    }

    @Test("a busy port is an error that names the port")
    func busyPort() async throws {
        try await withLoop { loop async throws in
            let first = try server(on: loop)
            let error = #expect(throws: NetError.self) {
                try HTTPServer(loop: loop, host: "127.0.0.1", port: first.port, handler: { _, _ in })
            }
            #expect(error?.code == .addressInUse && error?.message.contains("Port \(first.port)") == true)
        }
    }
}
