// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookServer
import OffhookWire
import Testing

@Suite("Sessions that outlive connections")
struct SessionTests {
    private static let bob = Handle(value: "bob")

    @Test("R100, race 21: a device that was away gets what it missed, in order and once")
    func resume() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let (bob, welcome) = try await TestClient.hello(
            port: test.server.port, token: test.token("bob"), device: "b1")
        #expect(!welcome.resumed)
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: SessionTests.bob, video: false))
        try await bob.invited(call)
        try await bob.ask(.answer(call: call))
        let answered = try await bob.receives(.answered(call: call))
        bob.abort()
        _ = await bob.end()
        var sent: [MediaSignal] = []
        for index in 0..<5 {
            let signal = MediaSignal(kind: .candidate, body: "candidate \(index)")
            try await alice.ask(.media(call: call, signal: signal))
            sent.append(signal)
        }
        let (again, resumed) = try await TestClient.hello(
            port: test.server.port, token: test.token("bob"), device: "b1", session: welcome.session,
            sequence: answered.sequence)
        #expect(resumed.resumed)
        #expect(resumed.session == welcome.session)
        #expect(resumed.calls == [CallSnapshot(call: call, state: .answered, outgoing: false)])
        try await again.receives(.media(call: call, signal: sent[4]))
        let media = again.all.compactMap { message -> MediaSignal? in
            if case .media(_, let signal) = message.body { return signal }
            return nil
        }
        #expect(media == sent)
        let numbers = again.all.compactMap(\.sequence)
        #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
        #expect(numbers.first == (answered.sequence ?? 0) + 1)
        await test.stop()
    }

    @Test("R100: a session that the server does not know any more is said to be new")
    func unknownSession() async throws {
        let test = try await TestServer.start { $0.limits.replayMessages = 2 }
        let alice = try await test.client("alice", "a1")
        let (bob, welcome) = try await TestClient.hello(
            port: test.server.port, token: test.token("bob"), device: "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: SessionTests.bob, video: false))
        try await bob.ask(.answer(call: call))
        for index in 0..<5 {
            try await alice.ask(.media(call: call, signal: MediaSignal(kind: .candidate, body: "\(index)")))
        }
        for (session, sequence) in [(welcome.session, 1), (welcome.session, 1000), ("no-such-session", 7)] {
            let (_, again) = try await TestClient.hello(
                port: test.server.port, token: test.token("bob"), device: "b1", session: session, sequence: sequence)
            #expect(!again.resumed)
            #expect(again.session != welcome.session)
            #expect(again.calls.map(\.state) == [.answered])
        }
        await test.stop()
    }

    @Test("R100: what is kept for a device that is away is kept for five minutes", arguments: [true, false])
    func sessionLifetime(_ isInTime: Bool) async throws {
        let test = try await TestServer.start()
        let (bob, welcome) = try await TestClient.hello(port: test.server.port, token: test.token("bob"), device: "b1")
        bob.abort()
        try await test.settle(connections: 0)
        await test.clock.advance(by: .milliseconds(isInTime ? 299_999 : 300_000))
        let (_, again) = try await TestClient.hello(
            port: test.server.port, token: test.token("bob"), device: "b1", session: welcome.session, sequence: 0)
        #expect(again.resumed == isInTime)
        await test.stop()
    }

    @Test("R100: what is kept for a device has a limit in bytes too", arguments: [true, false])
    func largeMessagesAreForgotten(_ isSmall: Bool) async throws {
        let test = try await TestServer.start { $0.limits.replayBytes = 20_000 }
        let alice = try await test.client("alice", "a1")
        let (bob, welcome) = try await TestClient.hello(port: test.server.port, token: test.token("bob"), device: "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: SessionTests.bob, video: false))
        try await bob.ask(.answer(call: call))
        let body = String(repeating: "x", count: isSmall ? 100 : 10_000)
        for _ in 0..<10 {
            try await alice.ask(.media(call: call, signal: MediaSignal(kind: .candidate, body: body)))
        }
        let (_, again) = try await TestClient.hello(
            port: test.server.port, token: test.token("bob"), device: "b1", session: welcome.session, sequence: 2)
        #expect(again.resumed == isSmall)
        #expect(again.calls.map(\.state) == [.answered])
        await test.stop()
    }

    @Test("Race 24: the newest connection of a device wins and gets every event once")
    func newestConnectionWins() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let first = try await test.client("bob", "b1")
        let second = try await test.client("bob", "b1")
        #expect(await first.end().code == 4000)
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: SessionTests.bob, video: false))
        try await second.invited(call)
        try await second.ask(.decline(call: call))
        #expect(try await alice.ended(call) == .declined)
        #expect(!first.all.contains { if case .invited = $0.body { true } else { false } })
        #expect(second.all.count { if case .invited = $0.body { true } else { false } } == 1)
        await test.stop()
    }

    @Test("Race 24: the caller's newer connection does not end its call")
    func newerConnectionKeepsTheCall() async throws {
        let test = try await TestServer.start()
        let first = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await first.ask(.invite(call: call, to: SessionTests.bob, video: false))
        let second = try await test.client("alice", "a1")
        _ = await first.end()
        try await test.settle(connections: 2)
        await test.clock.advance(by: .seconds(20))
        try await bob.ask(.answer(call: call))
        try await second.receives(.answered(call: call))
        await test.stop()
    }

    @Test("Races 12, 15: a woken device asks for its call and learns where it is, without ringing")
    func stateOfAskedCalls() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let phone = try await test.client("bob", "b1")
        let (elsewhere, ended, unknown) = (TestServer.newCall(), TestServer.newCall(), TestServer.newCall())
        try await alice.ask(.invite(call: ended, to: SessionTests.bob, video: false))
        try await alice.ask(.cancel(call: ended))
        try await alice.ask(.invite(call: elsewhere, to: SessionTests.bob, video: false))
        try await phone.ask(.answer(call: elsewhere))
        let (_, welcome) = try await TestClient.hello(
            port: test.server.port, token: test.token("bob"), device: "b2", calls: [ended, elsewhere, unknown])
        #expect(
            welcome.calls == [
                CallSnapshot(call: ended, state: .ended, outgoing: false, reason: .callerCancelled),
                CallSnapshot(call: elsewhere, state: .ended, outgoing: false, reason: .answeredElsewhere),
                CallSnapshot(call: unknown, state: .unknown, outgoing: false),
            ])
        await test.stop()
    }

    @Test("Race 14: a device that connects while it rings finds the offer in its welcome, each time")
    func ringingCallInWelcome() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let phone = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: SessionTests.bob, video: false))
        let invitation = try await phone.invited(call)
        for _ in 0..<3 {
            let (tablet, welcome) = try await TestClient.hello(
                port: test.server.port, token: test.token("bob"), device: "b2")
            #expect(
                welcome.calls
                    == [CallSnapshot(call: call, state: .ringing, outgoing: false, invitation: invitation)])
            tablet.abort()
            _ = await tablet.end()
        }
        #expect(await test.server.callRecord(call)?.devices.map(\.device) == ["b1", "b2"])
        await test.stop()
    }

    @Test("Race 21: the caller's connection drops while it rings and does not come back: cancelled")
    func callerDrops() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: SessionTests.bob, video: false))
        alice.abort()
        try await test.settle(connections: 1)
        await test.clock.advance(by: .milliseconds(9_999))
        #expect(await test.server.callRecord(call)?.state == .ringing)
        await test.clock.advance(by: .milliseconds(1))
        #expect(try await bob.ended(call) == .callerCancelled)
        await test.stop()
    }

    @Test(
        "Race 22: a side's connection drops in a call and does not come back: failed for the other",
        arguments: [true, false])
    func dropInCall(ofCaller: Bool) async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: SessionTests.bob, video: false))
        try await bob.ask(.answer(call: call))
        let (lost, stays) = ofCaller ? (alice, bob) : (bob, alice)
        lost.abort()
        try await test.settle(connections: 1)
        await test.clock.advance(by: .milliseconds(29_999))
        #expect(await test.server.callRecord(call)?.state == .answered)
        await test.clock.advance(by: .milliseconds(1))
        #expect(try await stays.ended(call) == .failed)
        await test.stop()
    }

    @Test("Race 29: a signed-out device is closed and leaves the ringing")
    func signOut() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let phone = try await test.client("bob", "b1")
        let tablet = try await test.client("bob", "b2")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: SessionTests.bob, video: false))
        try await phone.invited(call)
        #expect(await test.server.signOut(user: "bob", device: "b1"))
        #expect(await phone.end().code == 4003)
        try await tablet.ask(.decline(call: call))
        #expect(try await alice.ended(call) == .declined)
        await test.stop()
    }

    @Test("Race 29: a signed-out caller's call ends") func signOutOfCaller() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: SessionTests.bob, video: false))
        try await bob.invited(call)
        #expect(await test.server.signOut(user: "alice", device: "a1"))
        #expect(try await bob.ended(call) == .callerCancelled)
        #expect(await alice.end().code == 4003)
        await test.stop()
    }

    @Test("A stopping server says goodbye with 1001")
    func goodbye() async throws {
        let test = try await TestServer.start()
        let bob = try await test.client("bob", "b1")
        await test.stop()
        #expect(await bob.end().code == 1001)
        await test.stop()
    }
}
