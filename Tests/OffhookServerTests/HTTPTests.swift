// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookServer
import OffhookWire
import Testing

@Suite("The server's HTTP side")
struct HTTPTests {
    @Test("The health page counts calls and connections")
    func health() async throws {
        let test = try await TestServer.start()
        let client = try await test.client("bob", "b1")
        let answer = try await test.get("/v1/health")
        #expect(answer.status == 200 && answer.text == #"{"status":"ok","calls":0,"connections":1}"#)
        client.close()
        await test.stop()
    }

    @Test("A call record is for the API key alone")
    func records() async throws {
        let test = try await TestServer.start { $0.apiKey = "the-key" }
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: Handle(value: "bob"), video: false))
        try await bob.ask(.answer(call: call))
        let path = "/v1/calls/\(call)"
        let record = try await test.get(path, key: "the-key")
        #expect(record.status == 200)
        for part in [#""state":"answered""#, #""answeredBy":"b1""#, #""callee":"bob""#, #""answeredAt":"#] {
            #expect(record.text.contains(part))
        }
        #expect(!record.text.contains("endedAt"))
        for key in [nil, "", "the-kez", "the-key-and-more"] {
            #expect(try await test.get(path, key: key).status == 401)
        }
        for other in [TestServer.newCall().description, "x", "../../etc/passwd", "%00"] {
            #expect(try await test.get("/v1/calls/\(other)", key: "the-key").status == 404)
        }
        await test.stop()
    }

    @Test("Without an API key the records are closed; other paths and methods are refused")
    func refusals() async throws {
        let test = try await TestServer.start()
        #expect(try await test.get("/v1/calls/\(TestServer.newCall())", key: "x").status == 403)
        #expect(try await test.get("/").status == 404)
        #expect(try await test.get("/v1/socket").status == 426)
        #expect(try await test.http("/v1/health", method: "POST").status == 405)
        await test.stop()
    }
}
