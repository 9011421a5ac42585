// SPDX-License-Identifier: MIT

import OffhookNet
import Testing

/// The client against servers that break the protocol, the connection or the client's patience.
@Suite(.timeLimit(.minutes(10)))
struct HTTPClientHostileTests {
    private static let counted =
        "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nX: y\r\nContent-Length: 5\r\n\r\nhello"
    private static let chunked =
        "HTTP/1.1 200 OK\r\nX: y\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0\r\nT: t\r\n\r\n"
    private static let toTheEnd = "HTTP/1.1 200 OK\r\nX: y\r\n\r\nhello"

    @Test("an answer in pieces of one byte is the same answer", arguments: [counted, chunked])
    func dripped(_ text: String) async throws {
        try await withLoop { loop async throws in
            let server = try ScriptedServer(on: loop) { connection, _ in connection.drip(Array(text.utf8)[...]) }
            let client = HTTPClient(loop: loop)
            for _ in 0..<2 {
                let answer = try await client.send(HTTPClientRequest(url: server.url))
                #expect(answer.status == 200 && answer.headers["X"] == "y" && answer.body == Array("hello".utf8))
            }
            #expect(try await server.requests.next(2).map(\.connection) == [0, 0])
        }
    }

    @Test("an answer cut off at any byte is an error, never half an answer", arguments: [counted, chunked])
    func cutEverywhere(_ text: String) async throws {
        try await withLoop { loop async throws in
            let bytes = Array(text.utf8)
            let server = try ScriptedServer(on: loop) { connection, request in
                connection.write(Array(bytes.prefix(request.connection)))
                connection.close()
            }
            let client = HTTPClient(loop: loop)
            for count in 0...bytes.count {
                let outcome = await outcome(client, server.url)
                if count == bytes.count {
                    #expect(outcome.text == "hello")
                } else {
                    #expect(outcome.code == .connectionReset, "after \(count) bytes")
                    #expect(outcome.message.contains("127.0.0.1:\(server.port)"))
                }
            }
            #expect(try await loop.run { client.idleConnectionCount } == 0)
        }
    }

    @Test("a body without length goes to the connection's end, which over TLS has to be a clean one")
    func untilTheEnd() async throws {
        let certificate = try Certificate.selfSigned()
        let tls = try TLSContext.server(certificate: certificate.certificatePEM, key: certificate.keyPEM)
        try await withLoop { loop async throws in
            let client = HTTPClient(loop: loop, tls: try .client(roots: certificate.certificatePEM))
            for isSecure in [false, true] {
                let server = try ScriptedServer(on: loop, tls: isSecure ? tls : nil) { connection, request in
                    connection.write(Self.toTheEnd)
                    // Without close_notify the second time.
                    if request.connection == 0 { connection.close() } else { connection.abort() }
                }
                let url = "\(isSecure ? "https" : "http")://127.0.0.1:\(server.port)/"
                #expect(await outcome(client, url).text == "hello")
                let cut = await outcome(client, url)
                #expect(isSecure ? cut.code == .connectionReset : cut.text == "hello")
            }
        }
    }

    @Test("an answer with any byte changed is an answer or a clear error, and the client goes on")
    func malformedSweep() async throws {
        try await withLoop { loop async throws in
            let original = Array((Self.chunked).utf8)
            let values: [UInt8] = [0, 10, 13, 32, 58, 102, 255]
            let server = try ScriptedServer(on: loop) { connection, request in
                guard let number = request.head.query.flatMap({ Int($0) }) else { return }
                var bytes = original
                bytes[number / values.count] = values[number % values.count]
                connection.write(bytes)
                connection.close()
            }
            let client = HTTPClient(loop: loop)
            var codes: [NetError.Code?: Int] = [:]
            let count = original.count * values.count
            for number in 0..<count {
                let outcome = await outcome(client, server.url + "?\(number)")
                codes[outcome.code, default: 0] += 1
                #expect(outcome.code == nil || outcome.message.contains("127.0.0.1:\(server.port)"))
            }
            let expected: Set<NetError.Code?> = [nil, .protocolViolation, .connectionReset, .limitExceeded]
            #expect(Set(codes.keys).isSubset(of: expected), "\(codes)")
            #expect(codes[.protocolViolation, default: 0] > count / 4, "\(codes)")
            let healthy = try ScriptedServer(on: loop, answering: Self.counted)
            #expect(await outcome(client, healthy.url).text == "hello")
        }
    }

    @Test(
        "what is not HTTP/1.1, or could be read in two ways, is refused",
        arguments: [
            "SSH-2.0-OpenSSH_9.2\r\n\r\n", "\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/2 200\r\n\r\n", "HTTP/1.1 200\r\n\r\n",
            "HTTP/1.1 99 Low\r\n\r\n", "HTTP/1.1 600 High\r\n\r\n", "HTTP/1.1 200 OK\n\n", "\u{15}\u{3}\u{1}\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\n\r\nhello", "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nA : b\r\n\r\n", "HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n",
        ])
    func refused(_ text: String) async throws {
        try await withLoop { loop async throws in
            let server = try ScriptedServer(on: loop, answering: text)
            let client = HTTPClient(loop: loop)
            #expect(await outcome(client, server.url).code == .protocolViolation)
            #expect(try await server.closed.next() == 0)
            #expect(try await loop.run { client.idleConnectionCount } == 0)
        }
    }

    @Test(
        "an answer that is too long in any way is refused early",
        arguments: [
            "HTTP/1.1 200 OK\r\nX: " + String(repeating: "x", count: 2_000),
            "HTTP/1.1 200 OK\r\n" + String(repeating: "X: y\r\n", count: 20),
            "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n65\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: "32\r\n", count: 1)
                + String(repeating: "x", count: 50) + "\r\n33\r\n",
            "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 101),
        ])
    func tooLong(_ text: String) async throws {
        try await withLoop { loop async throws in
            var limits = HTTPClientLimits()
            limits.messages = HTTPLimits(headBytes: 1_000, headerCount: 10, bodyBytes: 100)
            // The head with too many fields is complete, the others need not be.
            let server = try ScriptedServer(on: loop, answering: text + (text.hasSuffix("y\r\n") ? "\r\n" : ""))
            let outcome = await outcome(HTTPClient(loop: loop, limits: limits), server.url)
            #expect(outcome.code == .limitExceeded && outcome.message.contains("raise the limits"))
            #expect(try await server.closed.next() == 0)
        }
    }

    @Test("a body of a hundred thousand chunks of one byte is put together")
    func tinyChunks() async throws {
        try await withLoop { loop async throws in
            let chunks = String(repeating: "1\r\nx\r\n", count: 100_000)
            let server = try ScriptedServer(
                on: loop, answering: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)0\r\n\r\n")
            #expect(await outcome(HTTPClient(loop: loop), server.url).text?.utf8.count == 100_000)
        }
    }

    @Test("interim answers are skipped, but not without end")
    func interim() async throws {
        try await withLoop { loop async throws in
            let server = try ScriptedServer(on: loop) { connection, request in
                let count = request.head.query.flatMap { Int($0) } ?? 0
                connection.write(String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: count))
                connection.write(Self.counted)
            }
            let client = HTTPClient(loop: loop)
            #expect(await outcome(client, server.url + "?31").text == "hello")
            #expect(await outcome(client, server.url + "?31").text == "hello")
            #expect(await outcome(client, server.url + "?32").code == .protocolViolation)
        }
    }

    @Test("bytes behind an answer are never taken for the next one")
    func garbageBehind() async throws {
        try await withLoop { loop async throws in
            let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
            let client = HTTPClient(loop: loop)
            for garbage in ["x", "\r\n", evil] {
                let server = try ScriptedServer(on: loop, answering: Self.counted + garbage)
                for connection in 0..<3 {
                    #expect(await outcome(client, server.url).text == "hello")
                    #expect(try await server.requests.next().connection == connection)
                }
                #expect(try await loop.run { client.idleConnectionCount } == 0)
            }
            // The same, when the bytes come later.
            let release = Recorder<TCPConnection>()
            let late = try ScriptedServer(on: loop) { connection, _ in
                connection.write(Self.counted)
                release.report(connection)
            }
            #expect(await outcome(client, late.url).text == "hello")
            #expect(try await loop.run { client.idleConnectionCount } == 1)
            let connection = try await release.next()
            loop.execute { connection.write(evil) }
            #expect(try await late.closed.next() == 0)
            #expect(await outcome(client, late.url).text == "hello")
            // Whatever a server sends behind an answer that has no body.
            let head = try ScriptedServer(on: loop, answering: Self.counted)
            let answer = try await client.send(HTTPClientRequest(method: "HEAD", url: head.url))
            #expect(answer.body.isEmpty)
            #expect(try await head.closed.next() == 0)
        }
    }
}
