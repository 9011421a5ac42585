// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookServer
import OffhookWire
import Testing

@Suite("Calls over real connections")
struct CallFlowTests {
    private static let bob = Handle(value: "bob")

    @Test("R97, R103: a call rings, is answered, connects and ends, and the record says when")
    func wholeCall() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()

        let start = test.clock.now
        try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: true))
        let invitation = try await bob.invited(call)
        #expect(invitation.callerName == "Alice Adams")
        #expect(invitation.callerHandle == Handle(value: "alice"))
        #expect(invitation.video)
        #expect(invitation.expiresAt - invitation.issuedAt == .seconds(45))

        await test.clock.advance(by: .seconds(1))
        try await bob.ask(.ringing(call: call))
        try await alice.receives(.ringing(call: call))
        await test.clock.advance(by: .seconds(20))
        try await bob.ask(.answer(call: call))
        try await bob.receives(.answered(call: call))
        try await alice.receives(.answered(call: call))

        let offer = MediaSignal(kind: .offer, body: "v=0\r\nо \"quoted\" 🙂")
        try await alice.ask(.media(call: call, signal: offer))
        try await bob.receives(.media(call: call, signal: offer))
        try await bob.ask(.update(call: call, update: CallUpdate(held: true)))
        try await alice.receives(.update(call: call, update: CallUpdate(held: true)))
        await test.clock.advance(by: .milliseconds(300))
        try await alice.ask(.connected(call: call))
        await test.clock.advance(by: .seconds(3_600))
        try await bob.ask(.hangup(call: call, reason: .localHangup))
        #expect(try await alice.ended(call) == .remoteEnded)
        #expect(try await bob.ended(call) == .localHangup)

        let record = try #require(await test.server.callRecord(call))
        #expect(record.state == .ended)
        #expect(record.reason == .remoteEnded)
        #expect(record.answeredBy == "b1")
        #expect(record.devices.map(\.device) == ["b1"])
        let times = record.times
        #expect(times.createdAt == start)
        #expect(times.rangAt == start + .seconds(1))
        #expect(times.answeredAt == start + .seconds(21))
        #expect(times.connectedAt == start + .milliseconds(21_300))
        #expect(times.endedAt == start + .milliseconds(3_621_300))
        await test.stop()
    }

    @Test("P21, race 2: the second device learns that another one answered")
    func answeredElsewhere() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let phone = try await test.client("bob", "b1")
        let tablet = try await test.client("bob", "b2")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: false))
        try await phone.invited(call)
        try await tablet.invited(call)
        try await tablet.ask(.answer(call: call))
        #expect(try await phone.ended(call) == .answeredElsewhere)
        // Its own claim comes too late and is told the same.
        try await phone.ask(.answer(call: call))
        #expect(try await phone.ended(call) == .answeredElsewhere)
        #expect(await test.server.callRecord(call)?.answeredBy == "b2")
        await test.stop()
    }

    @Test("R97: of three devices that answer at once exactly one wins", arguments: 0..<5)
    func threeDevicesRace(round: Int) async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        var devices: [TestClient] = []
        for number in 1...3 { devices.append(try await test.client("bob", "b\(number)")) }
        for _ in 0..<10 {
            let call = TestServer.newCall()
            try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: false))
            for device in devices { try await device.invited(call) }
            for device in devices.shuffled() { device.send(.answer(call: call)) }
            var answered = 0
            for device in devices {
                let outcome = try await device.next("answered or ended") {
                    $0.body == .answered(call: call) || $0.body == .ended(call: call, reason: .answeredElsewhere)
                }
                if outcome.body == .answered(call: call) { answered += 1 }
            }
            #expect(answered == 1)
            try await alice.ask(.hangup(call: call, reason: .localHangup))
        }
        await test.stop()
    }

    @Test("P21, race 4: a decline stops the ringing on every device and tells the caller")
    func decline() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let phone = try await test.client("bob", "b1")
        let tablet = try await test.client("bob", "b2")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: false))
        try await phone.invited(call)
        try await phone.ask(.decline(call: call))
        #expect(try await alice.ended(call) == .declined)
        #expect(try await phone.ended(call) == .declined)
        #expect(try await tablet.ended(call) == .declinedElsewhere)
        await test.stop()
    }

    @Test("Race 1: the caller gives up while it rings; the late answer is told so")
    func cancel() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: false))
        try await bob.invited(call)
        try await alice.ask(.cancel(call: call))
        #expect(try await bob.ended(call) == .callerCancelled)
        try await bob.ask(.answer(call: call))
        #expect(try await bob.ended(call) == .callerCancelled)
        #expect(await test.server.callRecord(call)?.reason == .callerCancelled)
        await test.stop()
    }

    @Test("R99: nobody answers, the server's timer ends the call for both sides")
    func timeout() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: false))
        await test.clock.advance(by: .milliseconds(44_999))
        #expect(await test.server.callRecord(call)?.state == .ringing)
        await test.clock.advance(by: .milliseconds(1))
        #expect(try await alice.ended(call) == .unanswered)
        #expect(try await bob.ended(call) == .unanswered)
        #expect(await test.server.callRecord(call)?.reason == .unanswered)
        await test.stop()
    }

    @Test("R99: the system's clock ends a call as well")
    func systemTimeout() async throws {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.database = ":memory:"
        configuration.ringDuration = .seconds(1)
        configuration.users = [ServerConfiguration.User(id: "bob")]
        let server = OffhookServer(configuration)
        try await server.start()
        let (alice, _) = try await TestClient.hello(
            port: server.port, token: server.mintToken(user: "alice"), device: "a1")
        let (bob, _) = try await TestClient.hello(port: server.port, token: server.mintToken(user: "bob"), device: "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: false))
        #expect(try await alice.ended(call) == .unanswered)
        #expect(try await bob.ended(call) == .unanswered)
        await server.stop()
    }

    @Test(
        "R99: a wall clock that is set leaves a ringing call its time, and the next call has the new time",
        arguments: [3_600, -3_600])
    func wallClockIsSet(by seconds: Int) async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let (first, second) = (TestServer.newCall(), TestServer.newCall())
        try await alice.ask(.invite(call: first, to: CallFlowTests.bob, video: false))
        let before = try await bob.invited(first)
        test.clock.setWall(by: .seconds(seconds))
        await test.clock.advance(by: .milliseconds(44_999))
        #expect(await test.server.callRecord(first)?.state == .ringing)
        await test.clock.advance(by: .milliseconds(1))
        #expect(try await alice.ended(first) == .unanswered)
        #expect(await test.server.callRecord(first)?.times.endedAt == before.expiresAt)
        try await alice.ask(.invite(call: second, to: CallFlowTests.bob, video: false))
        let after = try await bob.invited(second)
        #expect(after.issuedAt == test.clock.now)
        #expect(after.issuedAt - before.issuedAt == .seconds(45 + seconds))
        await test.stop()
    }

    @Test("Race 6: all devices are busy")
    func busy() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: false))
        try await bob.ask(.busy(call: call))
        #expect(try await alice.ended(call) == .busy)
        await test.stop()
    }

    @Test("Race 9: the same two call anew, the old call ends")
    func recall() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let (first, second) = (TestServer.newCall(), TestServer.newCall())
        try await alice.ask(.invite(call: first, to: CallFlowTests.bob, video: false))
        try await bob.ask(.answer(call: first))
        try await alice.ask(.invite(call: second, to: CallFlowTests.bob, video: false))
        #expect(try await bob.ended(first) == .remoteEnded)
        try await bob.invited(second)
        await test.stop()
    }

    @Test("Race 17: a known user without any device is unreachable at once")
    func unreachable() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: false))
        #expect(try await alice.ended(call) == .unreachable)
        await test.stop()
    }

    @Test("Race 19: the same invitation again is the same call; its id with another callee or kind is refused")
    func repeatedInvitation() async throws {
        let test = try await TestServer.start { $0.users.append(ServerConfiguration.User(id: "carol")) }
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: false))
        try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: false))
        try await bob.invited(call)
        alice.send(.invite(call: call, to: Handle(value: "carol"), video: false))
        #expect(try await alice.error().code == .conflict)
        alice.send(.invite(call: call, to: CallFlowTests.bob, video: true))
        #expect(try await alice.error().code == .conflict)
        try await bob.ask(.decline(call: call))
        try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: false))
        #expect(bob.all.count { if case .invited = $0.body { true } else { false } } == 1)
        await test.stop()
    }

    @Test("R97: what the server notes names no user, handle or token")
    func eventsNameNobody() async throws {
        let gateway = TestGateway()
        let test = try await TestServer.start(push: gateway)
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        try await bob.ask(
            .register(PushRegistration(token: "abcdef01", environment: .development, bundle: "com.example.app")))
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: CallFlowTests.bob, video: false))
        try await bob.ask(.answer(call: call))
        try await bob.ask(.hangup(call: call, reason: .localHangup))
        let texts = test.events.all.map { $0.text.lowercased() }
        #expect(texts.contains { $0.contains("answered") })
        for secret in ["alice", "bob", "adams", "abcdef01", "com.example"] {
            #expect(!texts.contains { $0.contains(secret) })
        }
        await test.stop()
    }
}
