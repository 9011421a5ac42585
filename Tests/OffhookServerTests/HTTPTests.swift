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

    @Test("R95: a signed-in user is told whom to call, and who is there")
    func peers() async throws {
        let test = try await TestServer.start { configuration in
            configuration.users.append(ServerConfiguration.User(id: "carol d", name: "Carol"))
        }
        #expect(try await test.get("/v1/peers").status == 401)
        #expect(try await test.get("/v1/peers", key: "x").status == 401)
        let token = try test.token("alice")
        let carol = try await test.client("carol d", "c1")
        try await carol.ask(.register(PushRegistration(token: "aa", environment: .development, bundle: "com.example")))
        carol.close()
        try await test.settle(connections: 0)
        let bob = try await test.client("bob", "b1")
        let answer = try await test.get("/v1/peers", key: token)
        let handle = #""handle":{"kind":"generic","value":"#
        #expect(
            answer.text
                == #"{"user":"alice","peers":[{"user":"bob","name":"Bob","online":true,"reachable":true,"#
                + handle + #""bob"}},{"user":"carol d","name":"Carol","online":false,"reachable":true,"#
                + handle + #""carol d"}}],"more":false}"#)
        let rest = try await test.get("/v1/peers?after=bob", key: token)
        #expect(rest.text.contains("carol d") && !rest.text.contains("\"bob\""))
        #expect(
            try await test.get("/v1/peers?after=carol%20d", key: token).text.hasSuffix(#""peers":[],"more":false}"#))
        #expect(try await test.get("/v1/peers?after=%", key: token).status == 200)
        bob.close()
        await test.stop()
    }

    @Test("R95: peers come in pages")
    func peerPages() async throws {
        let test = try await TestServer.start { configuration in
            configuration.users = (0..<150).map { ServerConfiguration.User(id: "u\(1000 + $0)", name: "U") }
        }
        let token = try test.token("u1000")
        let first = try await test.get("/v1/peers", key: token).text
        #expect(first.hasSuffix(#""more":true}"#) && first.contains("u1100\"") && !first.contains("u1101\""))
        let second = try await test.get("/v1/peers?after=u1100", key: token).text
        #expect(second.hasSuffix(#""more":false}"#) && second.contains("u1101\"") && second.contains("u1149\""))
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
