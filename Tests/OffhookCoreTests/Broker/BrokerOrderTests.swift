// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

/// The races of docs/races.md that are about order alone.
@Suite("Events out of order on the server")
struct BrokerOrderTests {
    private static func signal(_ body: String) -> BrokerCommand {
        .media(MediaSignal(kind: .candidate, body: body))
    }

    @Test("Race 12: a device that a push wakes after the end sees the end and joins nothing", arguments: [true, false])
    func wokenTooLate(cancelled: Bool) {
        var call = BrokerFixture([BrokerTarget(device: "b1", connected: false, pushable: true)])
        if cancelled { _ = call.send(.cancel, from: call.alice) } else { _ = call.tick() }
        let ended = call.broker
        #expect(call.handle(.deviceConnected(call.bob)) == [])
        #expect(call.handle(.pushAccepted(device: "b1")) == [])
        #expect(call.broker == ended)
        #expect(call.broker.view(for: call.bob) == .ended(cancelled ? .callerCancelled : .unanswered))
    }

    @Test("Race 18: the caller's signals before the offer wait for the winner")
    func signalsBeforeTheOffer() {
        var call = BrokerFixture(unplaced: ())
        for body in ["1", "2"] { #expect(call.send(BrokerOrderTests.signal(body), from: call.alice) == []) }
        _ = call.handle(.placed([BrokerTarget(device: "b1", connected: true, pushable: false)]))
        let answer = call.send(.answer, from: call.bob)
        #expect(
            answer.suffix(2) == ["1", "2"].map { .tell(call.bob, .media(MediaSignal(kind: .candidate, body: $0))) })
    }

    @Test("Race 18: what waits for the winner is bounded")
    func waitingSignalsAreBounded() {
        var call = BrokerFixture(unplaced: ())
        var replies: [BrokerReply] = []
        for index in 0..<100 {
            let event = BrokerEvent.received(BrokerOrderTests.signal("x"), from: call.alice, message: "\(index)")
            replies += BrokerFixture.replies(call.raw(event))
        }
        #expect(replies.count { $0 == .done } == 64 && replies.last == .limitExceeded)
        var large = BrokerFixture(unplaced: ())
        let body = BrokerOrderTests.signal(String(repeating: "x", count: 65_536))
        for (index, reply) in [BrokerReply.done, .done, .limitExceeded].enumerated() {
            let event = BrokerEvent.received(body, from: large.alice, message: "\(index)")
            #expect(BrokerFixture.replies(large.raw(event)) == [reply])
        }
    }

    @Test(
        "Race 18: the caller's end before the offer: it never rings",
        arguments: [BrokerCommand.cancel, .hangup(.localHangup)])
    func endBeforeTheOffer(command: BrokerCommand) {
        var call = BrokerFixture(unplaced: ())
        #expect(call.send(command, from: call.alice) == [.tell(call.alice, .ended(.callerCancelled))])
        #expect(call.handle(.placed([BrokerTarget(device: "b1", connected: true, pushable: true)])) == [])
        #expect(call.broker.endReason == .callerCancelled)
        #expect(call.broker.legs.isEmpty)
    }

    @Test("Race 20: in every order of a device's steps the call goes forward only, and the first decision stands")
    func everyOrder() {
        let steps: [BrokerCommand] = [
            .ringing, .answer, .connected, BrokerOrderTests.signal("c"), .hangup(.localHangup),
        ]
        for order in permutations(Array(steps.indices)) {
            var call = BrokerFixture()
            var ranks = [rank(call.broker)]
            for index in order {
                _ = call.send(steps[index], from: call.bob)
                ranks.append(rank(call.broker))
            }
            #expect(ranks == ranks.sorted())
            #expect(call.broker.isEnded)
            // A hang-up before the answer is a decline; connected counts between answer and hang-up alone.
            let at = steps.indices.map { step in order.firstIndex(of: step) ?? 0 }
            #expect((call.broker.winner != nil) == (at[1] < at[4]))
            #expect((call.broker.milestones.connectedAt != nil) == (at[1] < at[2] && at[2] < at[4]))
            #expect(call.broker.endReason == (at[1] < at[4] ? .remoteEnded : .declined))
        }
    }

    @Test(
        "Race 24: a device's second connection changes nothing, in the ring and in the call", arguments: [true, false])
    func secondConnection(answered: Bool) {
        var call = BrokerFixture.twoDevices
        if answered { _ = call.send(.answer, from: call.bob) }
        let before = call.broker
        for party in [call.alice, call.bob, call.bobTablet] {
            #expect(call.raw(.deviceConnected(party)) == [])
            #expect(call.raw(.deviceConnected(party)) == [])
        }
        #expect(call.broker == before)
    }

    @Test("Race 26: changes and offers of both sides cross, each is told the other's", arguments: [true, false])
    func changesCross(callerFirst: Bool) {
        var call = BrokerFixture()
        _ = call.send(.answer, from: call.bob)
        let (first, second) = callerFirst ? (call.alice, call.bob) : (call.bob, call.alice)
        let state = call.broker.state
        let offer = MediaSignal(kind: .offer, body: "o")
        for (from, to) in [(first, second), (second, first)] {
            #expect(
                call.send(.update(held: true, muted: nil, video: nil), from: from)
                    == [.tell(to, .update(held: true, muted: nil, video: nil))])
            #expect(call.send(.media(offer), from: from) == [.tell(to, .media(offer))])
        }
        #expect(call.broker.state == state)
    }

    @Test("Race 28: the refusal of an old token, before and after the device comes back", arguments: [true, false])
    func refusedToken(refusedFirst: Bool) {
        var call = BrokerFixture([
            BrokerTarget(device: "b1", connected: false, pushable: true),
            BrokerTarget(device: "b2", connected: true, pushable: false),
        ])
        // The device that registers another token has a connection, over which it is in the call.
        for event in refusedFirst
            ? [BrokerEvent.pushFailed(device: "b1"), .deviceConnected(call.bob)]
            : [.deviceConnected(call.bob), .pushFailed(device: "b1")]
        { _ = call.handle(event) }
        #expect(call.broker.legs.first?.state == .offered)
        #expect(call.send(.answer, from: call.bob).first == .tell(call.bob, .answered))
    }

    @Test("Race 30: a call that may ring nowhere looks like one to a user without devices, and pushes nothing")
    func blocked() {
        var blocked = BrokerFixture(unplaced: ())
        var nobody = BrokerFixture(unplaced: ())
        let effects = blocked.raw(.placed([]))
        #expect(effects == nobody.raw(.placed([BrokerTarget(device: "b1", connected: false, pushable: false)])))
        #expect(BrokerFixture.told(effects) == [.tell(blocked.alice, .ended(.unreachable))])
        #expect(blocked.broker == nobody.broker)
    }

    private func rank(_ broker: BrokerMachine) -> Int {
        switch broker.state {
        case .created: 0
        case .ringing: 1
        case .answered: 2
        case .ended: 3
        }
    }

    private func permutations(_ items: [Int]) -> [[Int]] {
        guard items.count > 1 else { return [items] }
        return items.indices.flatMap { index -> [[Int]] in
            var rest = items
            let first = rest.remove(at: index)
            return permutations(rest).map { [first] + $0 }
        }
    }
}
