// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookServer
import OffhookWire
import Testing

/// Two things that cross on their way to the server, in both orders; docs/races.md has the whole table.
@Suite("Races over real connections: what crosses")
struct CrossingRaceTests {
    private static let bob = Handle(value: "bob")

    /// A call of Alice's that rings on two devices of Bob's.
    private struct Ringing {
        let test: TestServer
        let alice: TestClient
        let phone: TestClient
        let tablet: TestClient
        let call = TestServer.newCall()

        init() async throws {
            test = try await TestServer.start()
            alice = try await test.client("alice", "a1")
            phone = try await test.client("bob", "b1")
            tablet = try await test.client("bob", "b2")
            try await alice.ask(.invite(call: call, to: CrossingRaceTests.bob, video: false))
            try await phone.invited(call)
            try await tablet.invited(call)
        }

        var record: CallRecord? {
            get async { await test.server.callRecord(call) }
        }
    }

    @Test("Race 1: cancel and answer, the first one decides", arguments: [true, false])
    func cancelAgainstAnswer(answerFirst: Bool) async throws {
        let ring = try await Ringing()
        let call = ring.call
        if answerFirst {
            try await ring.phone.ask(.answer(call: call))
            try await ring.alice.ask(.cancel(call: call))
            #expect(try await ring.phone.ended(call) == .remoteEnded)
            #expect(try await ring.alice.ended(call) == .localHangup)
            #expect(await ring.record?.times.answeredAt != nil)
        } else {
            try await ring.alice.ask(.cancel(call: call))
            #expect(try await ring.phone.ended(call) == .callerCancelled)
            try await ring.phone.ask(.answer(call: call))
            #expect(try await ring.phone.ended(call) == .callerCancelled)
            #expect(await ring.record?.times.answeredAt == nil)
        }
        await ring.test.stop()
    }

    @Test("Race 1: cancel and answer sent at once, both sides are told the same outcome")
    func cancelAndAnswerAtOnce() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        for round in 0..<20 {
            let call = TestServer.newCall()
            try await alice.ask(.invite(call: call, to: CrossingRaceTests.bob, video: false))
            try await bob.invited(call)
            if round % 2 == 0 {
                alice.send(.cancel(call: call))
                bob.send(.answer(call: call))
            } else {
                bob.send(.answer(call: call))
                alice.send(.cancel(call: call))
            }
            let atAlice = try await alice.ended(call)
            let atBob = try await bob.ended(call)
            let answered = await test.server.callRecord(call)?.times.answeredAt != nil
            #expect(atAlice == (answered ? .localHangup : .callerCancelled))
            #expect(atBob == (answered ? .remoteEnded : .callerCancelled))
        }
        await test.stop()
    }

    @Test("Race 2: two devices answer, the first has the call and the other changes nothing", arguments: [true, false])
    func twoAnswers(tabletFirst: Bool) async throws {
        let ring = try await Ringing()
        let (first, second) = tabletFirst ? (ring.tablet, ring.phone) : (ring.phone, ring.tablet)
        try await first.ask(.answer(call: ring.call))
        try await second.ask(.answer(call: ring.call))
        #expect(try await second.ended(ring.call) == .answeredElsewhere)
        try await second.ask(.hangup(call: ring.call, reason: .localHangup))
        #expect(await ring.record?.state == .answered)
        #expect(await ring.record?.answeredBy == (tabletFirst ? "b2" : "b1"))
        await ring.test.stop()
    }

    @Test("Race 3: answer and decline on two devices, the first one decides", arguments: [true, false])
    func answerAgainstDecline(answerFirst: Bool) async throws {
        let ring = try await Ringing()
        if answerFirst {
            try await ring.phone.ask(.answer(call: ring.call))
            try await ring.tablet.ask(.decline(call: ring.call))
            #expect(try await ring.tablet.ended(ring.call) == .answeredElsewhere)
            #expect(await ring.record?.state == .answered)
        } else {
            try await ring.tablet.ask(.decline(call: ring.call))
            try await ring.phone.ask(.answer(call: ring.call))
            #expect(try await ring.phone.ended(ring.call) == .declinedElsewhere)
            #expect(try await ring.alice.ended(ring.call) == .declined)
        }
        await ring.test.stop()
    }

    @Test("Race 4: a decline ends the ringing everywhere, whichever device it comes from", arguments: [true, false])
    func decline(onTablet: Bool) async throws {
        let ring = try await Ringing()
        let (decliner, other) = onTablet ? (ring.tablet, ring.phone) : (ring.phone, ring.tablet)
        try await decliner.ask(.decline(call: ring.call))
        #expect(try await decliner.ended(ring.call) == .declined)
        #expect(try await other.ended(ring.call) == .declinedElsewhere)
        #expect(try await ring.alice.ended(ring.call) == .declined)
        await ring.test.stop()
    }

    @Test(
        "Race 5: a device that stays silent changes nothing, before or after the other rings", arguments: [true, false])
    func silence(tabletRings: Bool) async throws {
        let ring = try await Ringing()
        let (loud, silent) = tabletRings ? (ring.tablet, ring.phone) : (ring.phone, ring.tablet)
        try await loud.ask(.ringing(call: ring.call))
        try await ring.alice.receives(.ringing(call: ring.call))
        await ring.test.clock.advance(by: .seconds(44))
        #expect(await ring.record?.state == .ringing)
        try await loud.ask(.answer(call: ring.call))
        #expect(try await silent.ended(ring.call) == .answeredElsewhere)
        await ring.test.stop()
    }

    @Test("Race 6: one device is busy and the other answers, in both orders", arguments: [true, false])
    func busyAgainstAnswer(busyFirst: Bool) async throws {
        let ring = try await Ringing()
        if busyFirst {
            try await ring.phone.ask(.busy(call: ring.call))
            #expect(await ring.record?.state == .ringing)
            try await ring.tablet.ask(.answer(call: ring.call))
        } else {
            try await ring.tablet.ask(.answer(call: ring.call))
            try await ring.phone.ask(.busy(call: ring.call))
            #expect(try await ring.phone.ended(ring.call) == .answeredElsewhere)
        }
        #expect(await ring.record?.answeredBy == "b2")
        await ring.test.stop()
    }

    @Test("Race 9: either of the two calls anew, the old call ends and the new one rings", arguments: [true, false])
    func recall(byCaller: Bool) async throws {
        let ring = try await Ringing()
        try await ring.phone.ask(.answer(call: ring.call))
        let again = TestServer.newCall()
        let (from, to) = byCaller ? (ring.alice, ring.phone) : (ring.phone, ring.alice)
        try await from.ask(.invite(call: again, to: Handle(value: byCaller ? "bob" : "alice"), video: false))
        #expect(try await to.ended(ring.call) == .remoteEnded)
        try await to.invited(again)
        await ring.test.stop()
    }

    @Test("Race 10: timeout and answer, the first one decides", arguments: [true, false])
    func timeoutAgainstAnswer(answerFirst: Bool) async throws {
        let ring = try await Ringing()
        await ring.test.clock.advance(by: .milliseconds(44_999))
        if answerFirst {
            try await ring.phone.ask(.answer(call: ring.call))
            await ring.test.clock.advance(by: .seconds(60))
            #expect(await ring.record?.state == .answered)
        } else {
            await ring.test.clock.advance(by: .milliseconds(1))
            try await ring.phone.ask(.answer(call: ring.call))
            #expect(try await ring.phone.ended(ring.call) == .unanswered)
            #expect(await ring.record?.times.answeredAt == nil)
        }
        await ring.test.stop()
    }

    @Test(
        "Race 11: a device that comes before the deadline is offered the call, at the deadline not",
        arguments: [true, false])
    func age(inTime: Bool) async throws {
        let ring = try await Ringing()
        await ring.test.clock.advance(by: .milliseconds(inTime ? 44_999 : 45_000))
        let (watch, welcome) = try await TestClient.hello(
            port: ring.test.server.port, token: ring.test.token("bob"), device: "b3", calls: [ring.call])
        #expect(welcome.calls.map(\.state) == [inTime ? .ringing : .ended])
        #expect(welcome.calls.map(\.reason) == [inTime ? nil : .unanswered])
        try await watch.ask(.answer(call: ring.call))
        #expect(await ring.record?.answeredBy == (inTime ? "b3" : nil))
        await ring.test.stop()
    }

    @Test("Race 26: changes and offers of both sides cross, each is told the other's", arguments: [true, false])
    func changesCross(callerFirst: Bool) async throws {
        let ring = try await Ringing()
        let call = ring.call
        try await ring.phone.ask(.answer(call: call))
        let (first, second) = callerFirst ? (ring.alice, ring.phone) : (ring.phone, ring.alice)
        let (held, muted) = (CallUpdate(held: true), CallUpdate(muted: true))
        let offers = (1...2).map { MediaSignal(kind: .offer, generation: $0, body: "offer \($0)") }
        first.send(.update(call: call, update: held))
        second.send(.update(call: call, update: muted))
        first.send(.media(call: call, signal: offers[0]))
        second.send(.media(call: call, signal: offers[1]))
        try await second.receives(.update(call: call, update: held))
        try await first.receives(.update(call: call, update: muted))
        try await second.receives(.media(call: call, signal: offers[0]))
        try await first.receives(.media(call: call, signal: offers[1]))
        #expect(await ring.record?.state == .answered)
        await ring.test.stop()
    }

    @Test("Race 27: both hang up, and again, which is one end", arguments: [true, false])
    func hangUpTwice(callerFirst: Bool) async throws {
        let ring = try await Ringing()
        let call = ring.call
        try await ring.phone.ask(.answer(call: call))
        let (first, second) = callerFirst ? (ring.alice, ring.phone) : (ring.phone, ring.alice)
        try await first.ask(.hangup(call: call, reason: .localHangup))
        let record = await ring.record
        await ring.test.clock.advance(by: .seconds(1))
        try await second.ask(.hangup(call: call, reason: .localHangup))
        try await first.ask(.hangup(call: call, reason: .failed))
        #expect(try await first.ended(call) == .localHangup)
        #expect(try await second.ended(call) == .remoteEnded)
        #expect(await ring.record == record)
        await ring.test.stop()
    }
}
