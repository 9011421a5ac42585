// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import Testing

@Suite("Calls that outlive the server process")
struct BrokerRestartTests {
    /// What a store does: everything that is not encoded is gone.
    private func reloaded(_ call: BrokerFixture) throws -> BrokerFixture {
        var copy = call
        copy.broker = try JSONDecoder().decode(BrokerMachine.self, from: JSONEncoder().encode(call.broker))
        return copy
    }

    @Test("Race 23: a ringing call comes back with its deadline and can be answered")
    func restoredAndAnswered() throws {
        var call = BrokerFixture.twoDevices
        _ = call.send(.ringing, from: call.bob)
        var again = try reloaded(call)
        again.now = again.now + .seconds(20)
        #expect(again.handle(.restarted) == [])
        #expect(again.broker.deadline == BrokerFixture.deadline)
        #expect(
            again.send(.answer, from: again.bob) == [
                .tell(again.bob, .answered), .tell(again.alice, .answered),
                .tell(again.bobTablet, .ended(.answeredElsewhere)),
            ])
        #expect(again.broker.milestones.rangAt == BrokerFixture.start)
    }

    @Test("Race 23: a call whose deadline passed while the server was away ends on its return")
    func deadlinePassedMeanwhile() throws {
        var call = try reloaded(BrokerFixture())
        call.now = BrokerFixture.deadline + .seconds(100)
        let effects = call.raw(.restarted)
        #expect(effects.first == .persist)
        #expect(BrokerFixture.decisions(effects) == [.restored, .timedOut])
        #expect(call.broker.endReason == .unanswered)
    }

    @Test("Race 23: the server's absence is not the caller's")
    func callerIsNotBlamed() throws {
        var call = BrokerFixture()
        _ = call.handle(.deviceDisconnected(call.alice))
        var again = try reloaded(call)
        again.now = again.now + .seconds(15)
        _ = again.handle(.restarted)
        #expect(again.broker.deadline == BrokerFixture.deadline)
        #expect(again.tick().last == .tell(again.bob, .ended(.unanswered)))
    }

    @Test("Race 23: a push that was on its way is sent again")
    func pushIsRepeated() throws {
        let call = BrokerFixture([
            BrokerTarget(device: "b1", connected: false, pushable: true),
            BrokerTarget(device: "b2", connected: true, pushable: false),
        ])
        var again = try reloaded(call)
        #expect(again.handle(.restarted) == [.push(device: "b1")])
    }

    @Test("Race 23: an answered call goes on when both come back, and ends when one does not")
    func answeredCall() throws {
        var call = BrokerFixture()
        _ = call.send(.answer, from: call.bob)
        var again = try reloaded(call)
        _ = again.handle(.restarted)
        _ = again.handle(.deviceConnected(again.alice))
        #expect(again.broker.deadline == BrokerFixture.start + .seconds(30))
        var bothBack = again
        _ = bothBack.handle(.deviceConnected(bothBack.bob))
        #expect(bothBack.broker.deadline == nil)
        #expect(again.tick().first == .tell(again.alice, .ended(.failed)))
    }

    @Test("Race 23: a call that was stored but never offered ends as unreachable")
    func neverOffered() {
        var call = BrokerFixture(unplaced: ())
        #expect(call.handle(.restarted) == [.tell(call.alice, .ended(.unreachable))])
    }

    @Test("Every state survives the store")
    func everyStateIsCodable() throws {
        var call = BrokerFixture.twoDevices
        _ = call.send(.media(MediaSignal(kind: .offer, generation: 1, body: "o")), from: call.alice)
        var states = [call.broker]
        _ = call.send(.answer, from: call.bob)
        _ = call.handle(.deviceDisconnected(call.alice))
        states.append(call.broker)
        _ = call.send(.hangup(.failed), from: call.bob)
        states.append(call.broker)
        for broker in states {
            let copy = try JSONDecoder().decode(BrokerMachine.self, from: JSONEncoder().encode(broker))
            #expect(copy.state == broker.state)
            #expect(copy.legs == broker.legs)
            #expect(copy.milestones == broker.milestones)
            #expect(copy.invitation == broker.invitation)
            #expect(copy.settings == broker.settings)
        }
    }
}
