// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookServer
import OffhookWire
import Testing

@Suite("The server's HTTP side")
struct HTTPTests {
    @Test("The health page counts calls and connections")
    func health() async throws {
        let test = try await TestServer.start()
        let client = try await test.client("bob", "b1")
        let answer = try await HTTPExchange.get("/v1/health", port: test.server.port)
        #expect(answer.hasPrefix("HTTP/1.1 200 "))
        #expect(answer.hasSuffix(#"{"status":"ok","calls":0,"connections":1}"#))
        client.close()
        await test.stop()
    }

    @Test("A call record is for the API key alone")
    func records() async throws {
        let test = try await TestServer.start { $0.apiKey = "the-key" }
        let port = test.server.port
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: Handle(value: "bob"), video: false))
        try await bob.ask(.answer(call: call))
        let path = "/v1/calls/\(call)"
        let record = try await HTTPExchange.get(path, port: port, key: "the-key")
        #expect(record.hasPrefix("HTTP/1.1 200 "))
        for part in [#""state":"answered""#, #""answeredBy":"b1""#, #""callee":"bob""#, #""answeredAt":"#] {
            #expect(record.contains(part))
        }
        #expect(!record.contains("endedAt"))
        for key in [nil, "", "the-kez", "the-key-and-more"] {
            #expect(try await HTTPExchange.get(path, port: port, key: key).hasPrefix("HTTP/1.1 401 "))
        }
        for other in [TestServer.newCall().description, "x", "../../etc/passwd", "%00"] {
            let answer = try await HTTPExchange.get("/v1/calls/\(other)", port: port, key: "the-key")
            #expect(answer.hasPrefix("HTTP/1.1 404 "))
        }
        await test.stop()
    }

    @Test("Without an API key the records are closed; other paths and methods are refused")
    func refusals() async throws {
        let test = try await TestServer.start()
        let port = test.server.port
        let call = TestServer.newCall()
        #expect(try await HTTPExchange.get("/v1/calls/\(call)", port: port, key: "x").hasPrefix("HTTP/1.1 403 "))
        #expect(try await HTTPExchange.get("/", port: port).hasPrefix("HTTP/1.1 404 "))
        #expect(try await HTTPExchange.get("/v1/socket", port: port).hasPrefix("HTTP/1.1 426 "))
        let post = "POST /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
        #expect(try await HTTPExchange.send(post, port: port).hasPrefix("HTTP/1.1 405 "))
        await test.stop()
    }
}
