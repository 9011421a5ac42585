// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookPush
import OffhookServer
import OffhookWire
import Testing

@Suite("The server's pushes")
struct PushTests {
    private static let bob = Handle(value: "bob")
    private static let unregistered = PushOutcome.rejected(
        reason: "Unregistered", reaction: .deleteToken, tokenInvalidSince: nil)
    private static let token = PushRegistration(token: "0a1b2c3d", environment: .development, bundle: "com.example.app")

    /// A device of Bob that registered a token and left.
    private func sleepingDevice(_ test: TestServer, _ device: String, _ registration: PushRegistration) async throws {
        let client = try await test.client("bob", device)
        try await client.ask(.register(registration))
        client.close()
        _ = await client.end()
    }

    @Test("R105, P04, P11: a device without a connection is pushed, connects, rings and answers")
    func pushedAndAnswered() async throws {
        let gateway = TestGateway()
        let test = try await TestServer.start(push: gateway)
        try await sleepingDevice(test, "b1", PushTests.token)
        try await test.settle(connections: 0)
        let alice = try await test.client("alice", "a1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: PushTests.bob, video: false))
        let push = await gateway.next()
        #expect(push.target == PushTests.token)
        #expect(push.call == call)
        let payload = try PushPayload.decode(push.payload)
        #expect(payload.invitation.call == call)
        #expect(payload.invitation.callerName == "Alice Adams")
        #expect(payload.invitation.expiresAt == push.expiresAt)
        let (bob, welcome) = try await TestClient.hello(
            port: test.server.port, token: test.token("bob"), device: "b1", calls: [call])
        #expect(welcome.calls.map(\.state) == [.ringing])
        #expect(welcome.calls.first?.invitation == payload.invitation)
        try await bob.ask(.answer(call: call))
        try await alice.receives(.answered(call: call))
        // R96: the hang-up goes over the connection.
        try await alice.ask(.hangup(call: call, reason: .localHangup))
        #expect(try await bob.ended(call) == .remoteEnded)
        #expect(gateway.pushes.count == 1)
        await test.stop()
    }

    @Test("R105: a connected device that shows the call is not pushed")
    func connectedDeviceIsNotPushed() async throws {
        let gateway = TestGateway()
        let test = try await TestServer.start(push: gateway)
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        try await bob.ask(.register(PushTests.token))
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: PushTests.bob, video: false))
        try await bob.ask(.ringing(call: call))
        await test.clock.advance(by: .seconds(45))
        #expect(try await alice.ended(call) == .unanswered)
        #expect(gateway.pushes.isEmpty)
        await test.stop()
    }

    @Test("Race 13: a connected device that stays silent is also pushed")
    func silentDeviceIsPushed() async throws {
        let gateway = TestGateway()
        let test = try await TestServer.start(push: gateway)
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        try await bob.ask(.register(PushTests.token))
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: PushTests.bob, video: false))
        await test.clock.advance(by: .milliseconds(1_999))
        #expect(gateway.pushes.isEmpty)
        await test.clock.advance(by: .milliseconds(1))
        #expect(await gateway.next().call == call)
        await test.stop()
    }

    @Test("Race 17, R106, P44: a dead token is forgotten, and the caller hears unreachable early")
    func deadToken() async throws {
        let gateway = TestGateway(PushTests.unregistered)
        let test = try await TestServer.start(push: gateway)
        try await sleepingDevice(test, "b1", PushTests.token)
        try await test.settle(connections: 0)
        let alice = try await test.client("alice", "a1")
        for _ in 0..<2 {
            let call = TestServer.newCall()
            try await alice.ask(.invite(call: call, to: PushTests.bob, video: false))
            #expect(try await alice.ended(call) == .unreachable)
        }
        #expect(gateway.pushes.count == 1)
        await test.stop()
    }

    @Test("R106: a refusal that is not the token's fault keeps the token")
    func refusalKeepsToken() async throws {
        let gateway = TestGateway(
            .rejected(reason: "TooManyRequests", reaction: .backOffToken, tokenInvalidSince: nil))
        let test = try await TestServer.start(push: gateway)
        try await sleepingDevice(test, "b1", PushTests.token)
        try await test.settle(connections: 0)
        let alice = try await test.client("alice", "a1")
        for _ in 0..<2 {
            let call = TestServer.newCall()
            try await alice.ask(.invite(call: call, to: PushTests.bob, video: false))
            #expect(try await alice.ended(call) == .unreachable)
        }
        #expect(gateway.pushes.count == 2)
        await test.stop()
    }

    @Test("Race 28: the same token registered again after APNs knew it as dead is kept", arguments: [true, false])
    func registeredAgain(before: Bool) async throws {
        let since: Int64 = before ? 1 : 32_503_680_000_000
        let gateway = TestGateway(
            .rejected(reason: "Unregistered", reaction: .deleteToken, tokenInvalidSince: since))
        let test = try await TestServer.start(push: gateway)
        try await sleepingDevice(test, "b1", PushTests.token)
        try await test.settle(connections: 0)
        let alice = try await test.client("alice", "a1")
        for _ in 0..<2 {
            let call = TestServer.newCall()
            try await alice.ask(.invite(call: call, to: PushTests.bob, video: false))
            #expect(try await alice.ended(call) == .unreachable)
        }
        #expect(gateway.pushes.count == (before ? 2 : 1))
        await test.stop()
    }

    @Test("Race 28: a token replaced while a push is under way survives the refusal of the old one")
    func replacedToken() async throws {
        let gateway = TestGateway(nil)
        let test = try await TestServer.start(push: gateway)
        try await sleepingDevice(test, "b1", PushTests.token)
        try await test.settle(connections: 0)
        let alice = try await test.client("alice", "a1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: PushTests.bob, video: false))
        _ = await gateway.next()
        var renewed = PushTests.token
        renewed.token = "ffff"
        try await sleepingDevice(test, "b1", renewed)
        gateway.answer(PushTests.unregistered)
        try await alice.ask(.cancel(call: call))
        try await test.settle(connections: 1)
        let second = TestServer.newCall()
        try await alice.ask(.invite(call: second, to: PushTests.bob, video: false))
        #expect(await gateway.next().target == renewed)
        await test.stop()
    }

    @Test("R107, P44: a token belongs to its last registrant, and to nobody after sign-out")
    func tokenMoves() async throws {
        let gateway = TestGateway()
        let test = try await TestServer.start(push: gateway)
        try await sleepingDevice(test, "b1", PushTests.token)
        let alice = try await test.client("alice", "a1")
        try await alice.ask(.register(PushTests.token))
        try await test.settle(connections: 1)
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: PushTests.bob, video: false))
        #expect(try await alice.ended(call) == .unreachable)
        await test.server.signOut(user: "alice", device: "a1")
        _ = await alice.end()
        let bob = try await test.client("bob", "b1")
        let second = TestServer.newCall()
        try await bob.ask(.invite(call: second, to: Handle(value: "alice"), video: false))
        #expect(try await bob.ended(second) == .unreachable)
        #expect(gateway.pushes.isEmpty)
        await test.stop()
    }

    @Test("R107: every device of the callee is pushed")
    func everyDevice() async throws {
        let gateway = TestGateway()
        let test = try await TestServer.start(push: gateway)
        for (device, token) in [("b1", "01"), ("b2", "02"), ("b3", "03")] {
            var registration = PushTests.token
            registration.token = token
            try await sleepingDevice(test, device, registration)
        }
        try await test.settle(connections: 0)
        let alice = try await test.client("alice", "a1")
        try await alice.ask(.invite(call: TestServer.newCall(), to: PushTests.bob, video: false))
        var tokens: Set<String> = []
        for _ in 0..<3 { tokens.insert(await gateway.next().target.token) }
        #expect(tokens == ["01", "02", "03"])
        await test.stop()
    }

    @Test("P42: each token is pushed in the environment that its device named") func environments() async throws {
        let gateway = TestGateway()
        let test = try await TestServer.start(push: gateway)
        var wanted: Set<PushRegistration> = []
        for (device, environment) in [("b1", PushRegistration.Environment.development), ("b2", .production)] {
            let registration = PushRegistration(
                token: "00\(device)", environment: environment, bundle: "com.example.app")
            try await sleepingDevice(test, device, registration)
            wanted.insert(registration)
        }
        try await test.settle(connections: 0)
        let alice = try await test.client("alice", "a1")
        try await alice.ask(.invite(call: TestServer.newCall(), to: PushTests.bob, video: false))
        for _ in wanted { _ = await gateway.next() }
        #expect(Set(gateway.pushes.map(\.target)) == wanted)
        await test.stop()
    }

    @Test("A caller's name that is hostile text is cleaned before anybody sees it")
    func hostileName() async throws {
        let gateway = TestGateway()
        let test = try await TestServer.start(push: gateway) {
            $0.users[0].name = "\u{202E}Ali\u{0}ce\n" + String(repeating: "é", count: 300)
        }
        try await sleepingDevice(test, "b1", PushTests.token)
        try await test.settle(connections: 0)
        let alice = try await test.client("alice", "a1")
        try await alice.ask(.invite(call: TestServer.newCall(), to: PushTests.bob, video: false))
        let name = try PushPayload.decode(await gateway.next().payload).invitation.callerName
        #expect(name.hasPrefix("Alice"))
        #expect(name.utf8.count <= 256)
        #expect(!name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        await test.stop()
    }
}
