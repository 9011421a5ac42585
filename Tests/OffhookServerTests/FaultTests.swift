// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookServer
import OffhookWire
import Testing

@Suite("Bad input to the server")
struct FaultTests {
    private static let bob = Handle(value: "bob")

    @Test("A frame that is no JSON gets an error, the connection stays and the call goes on")
    func noJSON() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: FaultTests.bob, video: false))
        try await bob.invited(call)
        bob.send(raw: "hello, server")
        let failure = try await bob.error()
        #expect(failure.code == .malformed)
        #expect(failure.message.contains("byte 0"))
        try await bob.ask(.answer(call: call))
        try await alice.receives(.answered(call: call))
        await test.stop()
    }

    @Test(
        "Frames that are no message name what is wrong",
        arguments: [
            (#"{"v":1,"id":"x","type":"answer"}"#, "malformed", "\"call\""),
            (#"{"v":1,"id":"x","type":"answer","call":7}"#, "malformed", "\"call\""),
            (#"{"v":1,"id":"x","type":"dance"}"#, "malformed", "type"),
            (#"{"v":2,"id":"x","type":"answer"}"#, "unsupportedVersion", "version 2"),
            (#"[]"#, "malformed", "object"),
        ])
    func namedFaults(frame: String, code: String, words: String) async throws {
        let test = try await TestServer.start()
        let bob = try await test.client("bob", "b1")
        bob.send(raw: frame)
        let failure = try await bob.error()
        #expect(failure.code.rawValue == code)
        #expect(failure.message.contains(words))
        if frame.contains("\"x\"") { #expect(failure.replyTo == "x") }
        try await bob.ask(.unregister)
        await test.stop()
    }

    @Test("A client that sends nothing but rubbish is cut off, and comes back to its session")
    func onlyRubbish() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let (bob, welcome) = try await TestClient.hello(
            port: test.server.port, token: test.token("bob"), device: "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: FaultTests.bob, video: false))
        try await bob.invited(call)
        for _ in 0..<10 { bob.send(raw: "}{") }
        #expect(await bob.end().code == 4400)
        let (again, resumed) = try await TestClient.hello(
            port: test.server.port, token: test.token("bob"), device: "b1", session: welcome.session, sequence: 1)
        #expect(resumed.resumed)
        #expect(resumed.calls.map(\.state) == [.ringing])
        try await again.ask(.answer(call: call))
        await test.stop()
    }

    @Test("A frame beyond 64 KiB closes the connection with 1009")
    func oversizedFrame() async throws {
        let test = try await TestServer.start()
        let bob = try await test.client("bob", "b1")
        bob.send(raw: String(repeating: "x", count: 65_537))
        #expect(await bob.end().code == 1009)
        await test.stop()
    }

    @Test("Race 25: an unknown call and another user's call look the same")
    func unknownAndForeignCalls() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let mallory = try await test.client("mallory", "m1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: FaultTests.bob, video: false))
        try await bob.invited(call)
        var failures: [WireFailure] = []
        for target in [call, TestServer.newCall()] {
            for body in [ClientMessage.Body.answer(call: target), .cancel(call: target), .decline(call: target)] {
                mallory.send(body)
                var failure = try await mallory.error()
                failure.call = nil
                failure.replyTo = nil
                failures.append(failure)
            }
        }
        #expect(Set(failures).count == 1)
        #expect(failures.first?.code == .unknownCall)
        #expect(await test.server.callRecord(call)?.state == .ringing)

        let (_, welcome) = try await TestClient.hello(
            port: test.server.port, token: test.token("mallory"), device: "m2", calls: [call, TestServer.newCall()])
        #expect(welcome.calls.map(\.state) == [.unknown, .unknown])
        await test.stop()
    }

    @Test("A call to a user whom nobody knows is an error, and makes no call")
    func unknownUser() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let call = TestServer.newCall()
        alice.send(.invite(call: call, to: Handle(value: "nobody'; DROP TABLE call; --"), video: false))
        #expect(try await alice.error().code == .unknownUser)
        #expect(await test.server.callRecord(call) == nil)
        await test.stop()
    }

    @Test("A wrong token is refused with 401 before there is a WebSocket")
    func wrongToken() async throws {
        let test = try await TestServer.start()
        let good = try test.token("alice")
        let other = try SessionTokens(secret: Array("another secret, also long enough...".utf8))
        let foreign = other.mint(
            SessionTokens.Claims(user: "alice", expiresAt: Instant(milliseconds: 32_503_680_000_000)))
        let expired = try test.server.mintToken(user: "alice", lifetime: .seconds(-1))
        for token in [nil, "", "x", good + "x", foreign, expired] {
            let client = try TestClient(port: test.server.port, token: token)
            #expect(await client.end().status == 401)
        }
        await test.stop()
    }

    @Test("A refused connection says why in JSON, without the token")
    func refusalIsJSON() async throws {
        let test = try await TestServer.start()
        let answer = try await test.http(
            "/v1/socket",
            headers: [
                "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==", "Authorization": "Bearer secret-token",
            ])
        #expect(answer.status == 401 && answer.headers["Content-Type"] == "application/json")
        #expect(answer.text.contains(#"{"error":{"code":"unauthorized""#))
        #expect(!answer.text.contains("secret-token") && !answer.headers.contains { $0.value.contains("secret-token") })
        await test.stop()
    }

    @Test("A token for one device does not open another")
    func tokenOfAnotherDevice() async throws {
        let test = try await TestServer.start()
        let client = try TestClient(port: test.server.port, token: test.token("bob", device: "b1"))
        client.send(.hello(Hello(device: "b2")))
        #expect(try await client.error().code == .unauthorized)
        client.send(.hello(Hello(device: "b1")))
        #expect(try await client.welcome().user == "bob")
        await test.stop()
    }

    @Test("A connection ends when its token's time is over")
    func tokenExpires() async throws {
        let test = try await TestServer.start()
        let token = try test.server.mintToken(user: "bob", lifetime: .seconds(60))
        let (client, _) = try await TestClient.hello(port: test.server.port, token: token, device: "b1")
        await test.clock.advance(by: .milliseconds(59_999))
        try await client.ask(.unregister)
        await test.clock.advance(by: .milliseconds(1))
        #expect(await client.end().code == 4001)
        #expect(await (try TestClient(port: test.server.port, token: token)).end().status == 401)
        await test.stop()
    }

    @Test("A web page may connect only when its origin is allowed")
    func origins() async throws {
        let test = try await TestServer.start { $0.allowedOrigins = ["https://good.example"] }
        let token = try test.token("bob")
        let evil = try TestClient(port: test.server.port, token: token, headers: ["Origin": "https://evil.example"])
        #expect(await evil.end().status == 403)
        let good = try TestClient(port: test.server.port, token: token, headers: ["Origin": "https://good.example"])
        good.send(.hello(Hello(device: "b1")))
        #expect(try await good.welcome().user == "bob")
        await test.stop()
    }

    @Test("The first message is hello, and hello comes once")
    func helloFirst() async throws {
        let test = try await TestServer.start()
        let client = try TestClient(port: test.server.port, token: test.token("bob"))
        client.send(.unregister)
        #expect(try await client.error().code == .invalidState)
        client.send(.hello(Hello(device: "b1")))
        _ = try await client.welcome()
        client.send(.hello(Hello(device: "b1")))
        #expect(try await client.error().code == .invalidState)
        await test.stop()
    }

    @Test("A connection that never says hello is closed")
    func noHello() async throws {
        let test = try await TestServer.start()
        let silent = try TestClient(port: test.server.port, token: test.token("bob"))
        let polite = try await test.client("bob", "b1")
        try await test.settle(connections: 2)
        await test.clock.advance(by: .milliseconds(9_999))
        try await test.settle(connections: 2)
        await test.clock.advance(by: .milliseconds(1))
        #expect(await silent.end().code == 4008)
        try await polite.ask(.unregister)
        await test.stop()
    }

    @Test("A client that floods the server is cut off")
    func flood() async throws {
        let test = try await TestServer.start {
            $0.limits.messageBurst = 20
            $0.limits.messagesPerSecond = 1
        }
        let bob = try await test.client("bob", "b1")
        // The hello was the first of twenty; a second brings one more.
        for _ in 0..<19 { try await bob.ask(.unregister) }
        await test.clock.advance(by: .seconds(1))
        try await bob.ask(.unregister)
        // A clock that is set brings none.
        test.clock.setWall(by: .seconds(3_600))
        bob.send(.unregister)
        #expect(await bob.end().code == 4429)
        await test.stop()
    }

    @Test("One user can have only so many calls and connections")
    func limitsOfAUser() async throws {
        let test = try await TestServer.start {
            $0.limits.callsPerUser = 2
            $0.limits.connectionsPerUser = 2
            $0.users += ["carol", "dave"].map { ServerConfiguration.User(id: $0) }
        }
        let alice = try await test.client("alice", "a1")
        var others: [TestClient] = []
        for user in ["bob", "carol", "dave"] { others.append(try await test.client(user, "d")) }
        for user in ["bob", "carol"] {
            try await alice.ask(.invite(call: TestServer.newCall(), to: Handle(value: user), video: false))
        }
        alice.send(.invite(call: TestServer.newCall(), to: Handle(value: "dave"), video: false))
        #expect(try await alice.error().code == .limitExceeded)
        let second = try await test.client("alice", "a2")
        let third = try TestClient(port: test.server.port, token: test.token("alice"))
        #expect(await third.end().status == 429)
        // One that leaves makes room.
        second.close()
        _ = await second.end()
        try await test.settle(connections: 4)
        _ = try await test.client("alice", "a3")
        await test.stop()
    }
}
