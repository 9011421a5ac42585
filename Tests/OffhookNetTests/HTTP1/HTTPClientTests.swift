// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

/// The number that a request's query is.
private func number(_ request: HTTPRequest) -> Int {
    request.head.query.flatMap { Int($0) } ?? 0
}

/// The client against the server of this module.
@Suite(.timeLimit(.minutes(10)))
struct HTTPClientTests {
    /// A server whose answers say what was asked, and from which port.
    private func server(on loop: EventLoop, tls: TLSContext? = nil) throws -> HTTPServer {
        try HTTPServer(
            loop: loop, host: "127.0.0.1", port: 0, tls: tls,
            handler: { request, respond in
                switch request.path {
                case "/port": respond(HTTPResponse(status: 200, body: Array(request.peerAddress.utf8)))
                case "/big": respond(HTTPResponse(status: 200, body: .init(repeating: 7, count: number(request))))
                case "/status": respond(HTTPResponse(status: number(request), headers: ["Location": "/elsewhere"]))
                case "/never": break
                default:
                    let body = String(decoding: request.body, as: UTF8.self)
                    respond(.text(200, "\(request.method) \(request.head.target) [\(body)]"))
                }
            })
    }

    @Test(
        "every method reaches the server with target and body, and HEAD has an answer without body",
        arguments: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"])
    func methods(_ method: String) async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            let client = HTTPClient(loop: loop)
            for body in ["", "hällo"] {
                let answer = try await client.send(
                    HTTPClientRequest(
                        method: method, url: "http://127.0.0.1:\(server.port)/calls?id=1", body: Array(body.utf8)))
                let expected = "\(method) /calls?id=1 [\(body)]\n"
                #expect(answer.status == 200)
                #expect(answer.headers["Content-Length"] == String(expected.utf8.count))
                #expect(String(decoding: answer.body, as: UTF8.self) == (method == "HEAD" ? "" : expected))
            }
            #expect(try await loop.run { client.idleConnectionCount } == 1)
        }
    }

    @Test("requests one after the other share a connection, those at a time do not, and one connection is kept")
    func reuse() async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            let client = HTTPClient(loop: loop)
            let url = "http://127.0.0.1:\(server.port)/port"
            var peers: Set<String?> = []
            for _ in 0..<5 { peers.insert(await outcome(client, url).text) }
            #expect(peers.count == 1 && peers != [nil])
            let parallel = Recorder<String?>()
            try await loop.run {
                for _ in 0..<20 { client.send(HTTPClientRequest(url: url)) { parallel.report($0.text) } }
            }
            #expect(Set(try await parallel.next(20)).count == 20)
            #expect(try await loop.run { client.idleConnectionCount } == 1)
            while try await loop.run({ server.connectionCount }) > 1 {}
        }
    }

    @Test("no more connections are kept than allowed, the one unused for longest goes, and 0 keeps none")
    func boundedPool() async throws {
        try await withLoop { loop async throws in
            let servers = try (0..<3).map { _ in try server(on: loop) }
            for kept in [2, 0] {
                var limits = HTTPClientLimits()
                limits.idleConnections = kept
                let client = HTTPClient(loop: loop, limits: limits)
                for server in servers {
                    #expect(await outcome(client, "http://127.0.0.1:\(server.port)/port").code == nil)
                }
                #expect(try await loop.run { client.idleConnectionCount } == kept)
                let left = kept == 2 ? [0, 1, 1] : [0, 0, 0]
                while try await loop.run({ servers.map(\.connectionCount) }) != left {}
                client.close()
            }
        }
    }

    @Test("a kept connection is closed after its idle time, and when its client is let go")
    func idleTime() async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            var limits = HTTPClientLimits()
            limits.idleTimeout = .milliseconds(1)
            let client = HTTPClient(loop: loop, limits: limits)
            #expect(await outcome(client, "http://127.0.0.1:\(server.port)/").code == nil)
            while try await loop.run({ client.idleConnectionCount + server.connectionCount }) > 0 {}
            // It goes on with a new one.
            #expect(await outcome(client, "http://127.0.0.1:\(server.port)/").code == nil)
            var other: HTTPClient? = HTTPClient(loop: loop)
            #expect(try await other?.send(HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/")).status == 200)
            other = nil
            while try await loop.run({ server.connectionCount }) > 0 {}
        }
    }

    @Test("a client that is let go during a request still gives its answer, then closes the connection")
    func letGo() async throws {
        try await withLoop { loop async throws in
            let asked = Recorder<@Sendable (HTTPResponse) -> Void>()
            let server = try HTTPServer(loop: loop, host: "127.0.0.1", port: 0, handler: { asked.report($1) })
            let answers = Recorder<Int?>()
            HTTPClient(loop: loop).send(HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/")) {
                answers.report(try? $0.get().status)
            }
            try await asked.next()(.text(201, "late"))
            #expect(try await answers.next() == 201)
            while try await loop.run({ server.connectionCount }) > 0 {}
        }
    }

    @Test("Connection: close is obeyed from either side")
    func connectionClose() async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            let client = HTTPClient(loop: loop)
            let request = HTTPClientRequest(
                url: "http://127.0.0.1:\(server.port)/", headers: ["connection": "x, Close"])
            let answer = try await client.send(request)
            #expect(answer.headers["Connection"] == "close")
            #expect(try await loop.run { client.idleConnectionCount } == 0)
            let draining = try ScriptedServer(
                on: loop, answering: "HTTP/1.1 200 OK\r\nConnection: Close\r\nContent-Length: 2\r\n\r\nhi")
            #expect(await outcome(client, draining.url).text == "hi")
            #expect(try await loop.run { client.idleConnectionCount } == 0)
        }
    }

    @Test("redirects are not followed, and 204 and 304 have no body")
    func plainStatuses() async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            let client = HTTPClient(loop: loop)
            for status in [201, 204, 301, 302, 304, 307, 404, 500] {
                let answer = try await client.send(
                    HTTPClientRequest(url: "http://127.0.0.1:\(server.port)/status?\(status)"))
                #expect(answer.status == status && answer.headers["Location"] == "/elsewhere" && answer.body.isEmpty)
            }
            #expect(try await loop.run { server.connectionCount } == 1)
        }
    }

    @Test("a body of exactly the limit comes, one byte more is an error, and HEAD may announce any length")
    func bodyLimit() async throws {
        try await withLoop { loop async throws in
            let server = try server(on: loop)
            let client = HTTPClient(loop: loop)
            let url = "http://127.0.0.1:\(server.port)/big?"
            #expect(try await client.send(HTTPClientRequest(url: url + "1048576")).body.count == 1_048_576)
            let tooLong = await outcome(client, url + "1048577")
            #expect(tooLong.code == .limitExceeded && tooLong.message.contains("1048576 bytes"))
            let head = try await client.send(HTTPClientRequest(method: "HEAD", url: url + "9000000"))
            #expect(head.headers["Content-Length"] == "9000000" && head.body.isEmpty)
            #expect(await outcome(client, "http://127.0.0.1:\(server.port)/").text == "GET / []\n")
            var limits = HTTPClientLimits()
            limits.messages.bodyBytes = 10
            let small = HTTPClient(loop: loop, limits: limits)
            #expect(await outcome(small, url + "10").code == nil)
            #expect(await outcome(small, url + "11").code == .limitExceeded)
        }
    }

    @Test("https works with a trusted certificate for the host, and fails without one, saying why")
    func overTLS() async throws {
        let certificate = try Certificate.selfSigned()
        let other = try Certificate.selfSigned(hosts: ["elsewhere.example"])
        try await withLoop { loop async throws in
            let tls = try TLSContext.server(certificate: certificate.certificatePEM, key: certificate.keyPEM)
            let server = try server(on: loop, tls: tls)
            let client = HTTPClient(loop: loop, tls: try .client(roots: certificate.certificatePEM))
            var peers: Set<String?> = []
            for _ in 0..<3 { peers.insert(await outcome(client, "HTTPS://127.0.0.1:\(server.port)/port").text) }
            #expect(peers.count == 1 && peers != [nil])
            #expect(await outcome(client, "https://localhost:\(server.port)/").text == "GET / []\n")
            #expect(try await loop.run { client.idleConnectionCount } == 2)
            let big = try await client.send(HTTPClientRequest(url: "https://127.0.0.1:\(server.port)/big?1048576"))
            #expect(big.body.count == 1_048_576)
            // Not trusted, and trusted but for another name.
            let stranger = HTTPClient(loop: loop, tls: try .client(roots: other.certificatePEM))
            let untrusted = await outcome(stranger, "https://127.0.0.1:\(server.port)/")
            #expect(untrusted.code == .tls && untrusted.message.contains("not trusted"))
            #expect(await outcome(HTTPClient(loop: loop), "https://127.0.0.1:\(server.port)/").code == .tls)
            let elsewhere = try self.server(
                on: loop, tls: .server(certificate: other.certificatePEM, key: other.keyPEM))
            let wrongName = await outcome(stranger, "https://127.0.0.1:\(elsewhere.port)/")
            #expect(wrongName.code == .tls && wrongName.message.contains("not for \"127.0.0.1\""))
            // One end speaks TLS and the other does not.
            let plain = try self.server(on: loop)
            #expect(await outcome(client, "https://127.0.0.1:\(plain.port)/").code == .tls)
            #expect(await outcome(client, "http://127.0.0.1:\(server.port)/").code != nil)
        }
    }

    @Test("nobody at the port, or no such host, is an error that says so")
    func noServer() async throws {
        try await withLoop { loop async throws in
            let client = HTTPClient(loop: loop)
            let free = try ScriptedServer(on: loop, answering: "").port
            let other = try EventLoop(name: "gone")
            let gone = try server(on: other).port
            other.stop()
            #expect(free != gone)
            let refused = await outcome(client, "http://127.0.0.1:\(gone)/")
            #expect(refused.code == .connectionRefused && refused.message.contains("nothing listens"))
            #expect(await outcome(client, "http://[::1]:\(gone)/").code != nil)
        }
    }
}
