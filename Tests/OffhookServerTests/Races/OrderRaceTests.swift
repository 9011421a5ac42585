// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookPush
import OffhookWire
import Testing

@testable import OffhookServer

/// What comes too early, too late, twice or from the wrong one; docs/races.md has the whole table.
@Suite("Races over real connections: what comes out of order")
struct OrderRaceTests {
    private static let bob = Handle(value: "bob")
    private static let token = PushRegistration(
        token: "abcdef01", environment: .development, bundle: "com.example.app")

    private func invitations(_ client: TestClient) -> [CallID] {
        client.all.compactMap { message in
            if case .invited(let invitation) = message.body { invitation.call } else { nil }
        }
    }

    @Test(
        "Race 12: a push that arrives after the end finds the call ended, however it ended", arguments: [true, false])
    func pushAfterTheEnd(cancelled: Bool) async throws {
        let gateway = TestGateway()
        let test = try await TestServer.start(push: gateway)
        let sleeper = try await test.client("bob", "b1")
        try await sleeper.ask(.register(OrderRaceTests.token))
        sleeper.abort()
        try await test.settle(connections: 0)
        let alice = try await test.client("alice", "a1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: OrderRaceTests.bob, video: false))
        #expect(await gateway.next().call == call)
        if cancelled {
            try await alice.ask(.cancel(call: call))
        } else {
            await test.clock.advance(by: .seconds(45))
        }
        _ = try await alice.ended(call)
        let (_, welcome) = try await TestClient.hello(
            port: test.server.port, token: test.token("bob"), device: "b1", calls: [call])
        #expect(welcome.calls.map(\.state) == [.ended])
        #expect(welcome.calls.map(\.reason) == [cancelled ? .callerCancelled : .unanswered])
        #expect(gateway.pushes.count == 1)
        await test.stop()
    }

    @Test("Race 16: neither a late device nor a late word of APNs brings a call back", arguments: [true, false])
    func noResurrection(accepted: Bool) async throws {
        let gateway = TestGateway(nil)
        let test = try await TestServer.start(push: gateway)
        let sleeper = try await test.client("bob", "b1")
        try await sleeper.ask(.register(OrderRaceTests.token))
        sleeper.abort()
        try await test.settle(connections: 0)
        let alice = try await test.client("alice", "a1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: OrderRaceTests.bob, video: false))
        _ = await gateway.next()
        await test.clock.advance(by: .seconds(45))
        #expect(try await alice.ended(call) == .unanswered)
        let record = await test.server.callRecord(call)
        gateway.answer(accepted ? .accepted(id: "1") : .unreachable(why: "late"))
        let bob = try await test.client("bob", "b1")
        try await bob.ask(.ringing(call: call))
        try await bob.ask(.answer(call: call))
        #expect(try await bob.ended(call) == .unanswered)
        #expect(await test.server.callRecord(call) == record)
        #expect(invitations(bob).isEmpty)
        await test.stop()
    }

    @Test(
        "Race 18: signals before the invitation go to the winner; a cancel or hang-up before it keeps it from ringing",
        arguments: ["media", "cancel", "hangup"])
    func beforeTheInvitation(what: String) async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let mallory = try await test.client("mallory", "m1")
        let bob = try await test.client("bob", "b1")
        let (call, next) = (TestServer.newCall(), TestServer.newCall())
        let signals = (0..<3).map { MediaSignal(kind: .candidate, body: "candidate \($0)") }
        // Nobody else's word counts.
        mallory.send(.cancel(call: call))
        #expect(try await mallory.error().code == .unknownCall)
        for signal in signals {
            alice.send(.media(call: call, signal: signal))
            #expect(try await alice.error().code == .unknownCall)
        }
        if what != "media" {
            alice.send(what == "cancel" ? .cancel(call: call) : .hangup(call: call, reason: .localHangup))
            #expect(try await alice.error().code == .unknownCall)
        }
        try await alice.ask(.invite(call: call, to: OrderRaceTests.bob, video: false))
        if what == "media" {
            try await bob.invited(call)
            try await bob.ask(.answer(call: call))
            for signal in signals { try await bob.receives(.media(call: call, signal: signal)) }
        } else {
            #expect(try await alice.ended(call) == .callerCancelled)
            #expect(await test.server.callRecord(call)?.reason == .callerCancelled)
            try await alice.ask(.invite(call: next, to: OrderRaceTests.bob, video: false))
            try await bob.invited(next)
            #expect(invitations(bob) == [next])
        }
        await test.stop()
    }

    @Test("Race 18: what is kept for an invitation that may come is bounded, and forgotten")
    func earlyWordsAreBounded() {
        var words = EarlyWords()
        let alice = BrokerParty(user: "alice", device: "a1")
        let signal = BrokerCommand.media(MediaSignal(kind: .candidate, body: String(repeating: "x", count: 1_000)))
        let calls = (0..<6).map { CallID(high: 0, low: UInt64($0)) }
        for index in 0..<200 { words.keep(signal, message: "\(index)", of: calls[0], from: alice, at: .zero) }
        #expect(words.take(calls[0], of: alice).count == EarlyWords.wordsPerCall)
        #expect(words.take(calls[0], of: alice).isEmpty)
        // More bytes than have room, and an end, which always has.
        let large = BrokerCommand.media(MediaSignal(kind: .offer, body: String(repeating: "x", count: 60_000)))
        for index in 0..<5 { words.keep(large, message: "\(index)", of: calls[0], from: alice, at: .zero) }
        words.keep(.answer, message: "no meaning", of: calls[1], from: alice, at: .zero)
        #expect(words.count == 1)
        words.keep(.cancel, message: "end", of: calls[0], from: alice, at: .zero)
        #expect(words.take(calls[0], of: alice) == [.received(.cancel, from: alice, message: "end")])
        for call in calls { words.keep(.cancel, message: "end", of: call, from: alice, at: .zero) }
        #expect(words.count == EarlyWords.callsPerDevice)
        #expect(words.take(calls[0], of: alice).isEmpty && words.take(calls[5], of: alice).count == 1)
        for index in 0..<1_000 {
            let party = BrokerParty(user: "user\(index)", device: "d")
            words.keep(.cancel, message: "end", of: calls[0], from: party, at: .seconds(1))
        }
        #expect(words.count == EarlyWords.calls)
        words.keep(.cancel, message: "end", of: calls[1], from: alice, at: .seconds(122))
        #expect(words.count == 1)
    }

    @Test("Race 19: an answer that comes again gets the first result", arguments: [true, false])
    func repeatedAnswer(won: Bool) async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let phone = try await test.client("bob", "b1")
        let tablet = try await test.client("bob", "b2")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: OrderRaceTests.bob, video: false))
        try await (won ? phone : tablet).ask(.answer(call: call))
        for _ in 0..<2 {
            phone.send(.answer(call: call), id: "same")
            try await phone.receives(.ack(replyTo: "same"))
        }
        let outcomes = phone.all.filter {
            $0.body == .answered(call: call) || $0.body == .ended(call: call, reason: .answeredElsewhere)
        }
        #expect(Set(outcomes.map(\.body)).count == 1)
        #expect(await test.server.callRecord(call)?.answeredBy == (won ? "b1" : "b2"))
        await test.stop()
    }

    @Test("Race 20: a device's steps out of order are refused or taken as said, and nothing goes back")
    func stepsOutOfOrder() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: OrderRaceTests.bob, video: false))
        for body in [ClientMessage.Body.connected(call: call), .update(call: call, update: CallUpdate(muted: true))] {
            bob.send(body)
            #expect(try await bob.error().code == .invalidState)
        }
        try await bob.ask(.answer(call: call))
        try await bob.ask(.ringing(call: call))
        #expect(await test.server.callRecord(call)?.state == .answered)
        try await bob.ask(.hangup(call: call, reason: .localHangup))
        try await bob.ask(.connected(call: call))
        #expect(await test.server.callRecord(call)?.times.connectedAt == nil)
        await test.stop()
    }

    @Test("Race 20: what an older connection still says when the newer one is here is not taken")
    func olderConnection() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let older = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: OrderRaceTests.bob, video: false))
        try await older.invited(call)
        let newer = try await test.client("bob", "b1")
        older.send(.decline(call: call))
        #expect(await older.end().code == 4000)
        try await newer.ask(.answer(call: call))
        #expect(await test.server.callRecord(call)?.state == .answered)
        await test.stop()
    }

    @Test(
        "Race 30: who is blocked sees a user who cannot be reached; no phone rings, no push is sent",
        arguments: [true, false])
    func blocked(connected: Bool) async throws {
        let gateway = TestGateway()
        let test = try await TestServer.start(push: gateway)
        let bob = try await test.client("bob", "b1")
        try await bob.ask(.register(OrderRaceTests.token))
        if !connected {
            bob.abort()
            try await test.settle(connections: 0)
        }
        let alice = try await test.client("alice", "a1")
        #expect(await test.server.setBlocked(true, caller: "alice", by: "bob"))
        let (blocked, free) = (TestServer.newCall(), TestServer.newCall())
        try await alice.ask(.invite(call: blocked, to: OrderRaceTests.bob, video: false))
        #expect(try await alice.ended(blocked) == .unreachable)
        #expect(await test.server.callRecord(blocked)?.devices == [])
        #expect(await test.server.setBlocked(false, caller: "alice", by: "bob"))
        try await alice.ask(.invite(call: free, to: OrderRaceTests.bob, video: false))
        if connected {
            try await bob.invited(free)
            #expect(invitations(bob) == [free])
        } else {
            #expect(await gateway.next().call == free)
        }
        await test.stop()
    }

    @Test("Race 30: calls beyond the limit of a minute are refused, nothing rings, and a minute later they are not")
    func callsPerMinute() async throws {
        let test = try await TestServer.start { $0.limits.callsPerMinute = 3 }
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        for round in 0..<2 {
            for _ in 0..<3 {
                let call = TestServer.newCall()
                try await alice.ask(.invite(call: call, to: OrderRaceTests.bob, video: false))
                try await alice.ask(.cancel(call: call))
            }
            let refused = TestServer.newCall()
            alice.send(.invite(call: refused, to: OrderRaceTests.bob, video: false))
            let failure = try await alice.error()
            #expect(failure.code == .limitExceeded && failure.retryable && failure.message.contains("3 calls"))
            #expect(await test.server.callRecord(refused) == nil)
            try await bob.ask(.unregister)
            #expect(invitations(bob).count == 3 * (round + 1))
            await test.clock.advance(by: .seconds(60))
        }
        await test.stop()
    }
}
