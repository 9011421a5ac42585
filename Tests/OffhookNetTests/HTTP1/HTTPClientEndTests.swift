// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

/// What ends a client's requests other than an answer, and what is never sent.
@Suite(.timeLimit(.minutes(10)))
struct HTTPClientEndTests {
    /// A server that never answers.
    private func silent(on loop: EventLoop) throws -> ScriptedServer {
        try ScriptedServer(on: loop) { _, _ in }
    }

    @Test("what HTTP cannot carry or the client writes itself is refused, quoting no secret and sending nothing")
    func refusedRequests() async throws {
        try await withLoop { loop async throws in
            let server = try silent(on: loop)
            let client = HTTPClient(loop: loop)
            let url = server.url
            let requests = [
                HTTPClientRequest(method: "", url: url), HTTPClientRequest(method: "GET /x", url: url),
                HTTPClientRequest(method: "GET\r\nX: y", url: url), HTTPClientRequest(method: "CONNECT", url: url),
                HTTPClientRequest(url: url, headers: ["X": "secret\r\nEvil: 1"]),
                HTTPClientRequest(url: url, headers: ["X": "secret\nEvil: 1"]),
                HTTPClientRequest(url: url, headers: ["X": "secret\0"]),
                HTTPClientRequest(url: url, headers: ["X: secret\r\nY": "1"]),
                HTTPClientRequest(url: url, headers: ["": "secret"]),
                HTTPClientRequest(url: url, headers: ["host": "secret"]),
                HTTPClientRequest(url: url, headers: ["content-length": "5"]),
                HTTPClientRequest(url: url, headers: ["Transfer-Encoding": "chunked"]),
                HTTPClientRequest(url: ""), HTTPClientRequest(url: "/calls"), HTTPClientRequest(url: "http://"),
                HTTPClientRequest(url: "ftp://127.0.0.1/"), HTTPClientRequest(url: "ws://127.0.0.1:\(server.port)/"),
                HTTPClientRequest(url: "http://user:secret@127.0.0.1:\(server.port)/"),
                HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/a b?secret"),
                HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/\r\nEvil: 1?secret"),
                HTTPClientRequest(url: "http://127.0.0.1\r\n:\(server.port)/"),
                HTTPClientRequest(url: "http://127.0.0.1:0/"), HTTPClientRequest(url: "http://127.0.0.1:65536/"),
                HTTPClientRequest(url: url + "#part"), HTTPClientRequest(url: "http://[::1/"),
            ]
            for request in requests {
                let outcome = await outcome(client, request)
                #expect(outcome.code == .invalidArgument, "\(request)")
                #expect(!outcome.message.contains("secret:") && !outcome.message.contains("secret\r"))
                #expect(outcome.message.utf8.allSatisfy { $0 != 13 && $0 != 10 }, "\(outcome.message)")
            }
            let last = client.send(HTTPClientRequest(url: url)) { _ in }
            #expect(try await server.requests.next().connection == 0)
            last.cancel()
        }
    }

    @Test("the request on the wire has its line, Host, the caller's fields and its length, in this order")
    func onTheWire() async throws {
        try await withLoop { loop async throws in
            let server = try ScriptedServer(on: loop, answering: "HTTP/1.1 204 No Content\r\n\r\n")
            let client = HTTPClient(loop: loop)
            let answer = try await client.send(
                HTTPClientRequest(
                    method: "POST", url: "http://127.0.0.1:\(server.port)?x=%20", headers: ["A": "1", "a": "2"]))
            #expect(answer == HTTPResponse(status: 204))
            let request = try await server.requests.next()
            let headers: HTTPHeaders = [
                "Host": "127.0.0.1:\(server.port)", "A": "1", "a": "2", "Content-Length": "0",
            ]
            #expect(request.head == HTTPRequestHead(method: "POST", target: "/?x=%20", headers: headers))
        }
    }

    @Test("cancelling the task closes the request's connection; a task cancelled before sends nothing")
    func cancelledTask() async throws {
        try await withLoop { loop async throws in
            let server = try silent(on: loop)
            let client = HTTPClient(loop: loop)
            let url = server.url
            let task = Task { await outcome(client, url) }
            #expect(try await server.requests.next().connection == 0)
            task.cancel()
            #expect(await task.value.code == .cancelled)
            #expect(try await server.closed.next() == 0)
            let gate = Recorder<Bool>()
            let before = Task {
                _ = try? await gate.next()
                return await outcome(client, url)
            }
            before.cancel()
            gate.report(true)
            #expect(await before.value.code == .cancelled)
            let next = Task { await outcome(client, url) }
            #expect(try await server.requests.next().connection == 1)
            next.cancel()
            #expect(await next.value.code == .cancelled)
        }
    }

    @Test("the completion form is called back on the loop's thread, once, later, also when it is cancelled")
    func completionForm() async throws {
        try await withLoop { loop async throws in
            let server = try ScriptedServer(on: loop, answering: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            let silent = try silent(on: loop)
            let client = HTTPClient(loop: loop)
            let reports = Recorder<String>()
            try await loop.run {
                for url in ["no address", server.url] {
                    client.send(HTTPClientRequest(url: url)) { result in
                        reports.report("\(loop.isCurrent) \(result.code?.description ?? "answered")")
                    }
                }
                reports.report("returned")
            }
            #expect(
                try await reports.next(3) == ["returned", "true invalidArgument", "true answered"])
            // From inside a completion, on the connection that just became free.
            loop.execute {
                client.send(HTTPClientRequest(url: server.url)) { _ in
                    client.send(HTTPClientRequest(url: server.url)) { reports.report("nested \($0.text ?? "")") }
                }
            }
            #expect(try await reports.next() == "nested ")
            #expect(Set(try await server.requests.next(3).map(\.connection)) == [0])
            let exchange = client.send(HTTPClientRequest(url: silent.url)) { reports.report("\($0.code as Any)") }
            _ = try await silent.requests.next()
            exchange.cancel()
            exchange.cancel()
            #expect(try await reports.next().contains("cancelled"))
            #expect(try await silent.closed.next() == 0)
        }
    }

    @Test("a server that does not answer, or too slowly, is given up after the request's time")
    func timeouts() async throws {
        try await withLoop { loop async throws in
            var limits = HTTPClientLimits()
            limits.requestTimeout = .milliseconds(100)
            let client = HTTPClient(loop: loop, limits: limits)
            let silent = try silent(on: loop)
            let none = await outcome(client, silent.url)
            #expect(none.code == .timedOut && none.message.contains("127.0.0.1:\(silent.port)"))
            #expect(try await silent.closed.next() == 0)
            let slow = try ScriptedServer(on: loop) { connection, _ in
                connection.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                Self.dripForever(connection)
            }
            #expect(await outcome(client, slow.url).code == .timedOut)
            #expect(try await slow.closed.next() == 0)
        }
    }

    private static func dripForever(_ connection: TCPConnection) {
        guard connection.isOpen else { return }
        connection.write("x")
        connection.loop.schedule(after: .milliseconds(2)) { dripForever(connection) }
    }

    @Test("closing the client fails what is under way and what comes later, and so does a stopped loop")
    func closed() async throws {
        let loop = try EventLoop(name: "test")
        defer { loop.stop() }
        let server = try silent(on: loop)
        let client = HTTPClient(loop: loop)
        let url = server.url
        async let waiting = outcome(client, url)
        _ = try await server.requests.next()
        client.close()
        #expect(await waiting.code == .closed)
        #expect(try await server.closed.next() == 0)
        #expect(await outcome(client, url).code == .closed)
        let second = HTTPClient(loop: loop)
        let cut = Recorder<NetError.Code?>()
        second.send(HTTPClientRequest(url: url)) { cut.report($0.code) }
        _ = try await server.requests.next()
        loop.stop()
        #expect(try await cut.next() == .closed)
        #expect(await outcome(second, url).code == .closed)
    }

    @Test("more requests at a time than allowed are refused, and the place is free again afterwards")
    func tooMany() async throws {
        try await withLoop { loop async throws in
            let server = try silent(on: loop)
            var limits = HTTPClientLimits()
            limits.requests = 2
            let client = HTTPClient(loop: loop, limits: limits)
            let url = server.url
            let codes = Recorder<NetError.Code?>()
            let first = client.send(HTTPClientRequest(url: url)) { codes.report($0.code) }
            client.send(HTTPClientRequest(url: url)) { codes.report($0.code) }
            client.send(HTTPClientRequest(url: url)) { codes.report($0.code) }
            #expect(try await codes.next() == .limitExceeded)
            first.cancel()
            #expect(try await codes.next() == .cancelled)
            let third = client.send(HTTPClientRequest(url: url)) { codes.report($0.code) }
            _ = try await server.requests.next(2)
            third.cancel()
            #expect(try await codes.next() == .cancelled)
        }
    }
}
