// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite("A call on the server")
struct BrokerMachineTests {
    @Test("R97: a call rings, is answered and ends, and the record has every time")
    func wholeCall() {
        var call = BrokerFixture(unplaced: ())
        let placed = call.raw(.placed([BrokerTarget(device: "b1", connected: true, pushable: false)]))
        #expect(placed == [.persist, .decided(.placed), .offer(device: "b1")])
        #expect(call.broker.deadline == BrokerFixture.deadline)

        call.now = call.now + .seconds(2)
        #expect(call.send(.ringing, from: call.bob) == [.tell(call.alice, .ringing)])
        call.now = call.now + .seconds(3)
        #expect(
            call.send(.answer, from: call.bob) == [.tell(call.bob, .answered), .tell(call.alice, .answered)])
        #expect(call.broker.winner == "b1")
        #expect(call.broker.deadline == nil)
        call.now = call.now + .seconds(1)
        #expect(call.send(.connected, from: call.bob) == [])
        #expect(call.send(.connected, from: call.alice) == [])
        call.now = call.now + .seconds(60)
        #expect(
            call.send(.hangup(.localHangup), from: call.bob)
                == [.tell(call.alice, .ended(.remoteEnded)), .tell(call.bob, .ended(.localHangup))])

        let times = call.broker.milestones
        #expect(times.createdAt == BrokerFixture.start)
        #expect(times.rangAt == BrokerFixture.start + .seconds(2))
        #expect(times.answeredAt == BrokerFixture.start + .seconds(5))
        #expect(times.connectedAt == BrokerFixture.start + .seconds(6))
        #expect(times.endedAt == BrokerFixture.start + .seconds(66))
        #expect(call.broker.endReason == .remoteEnded)
        #expect(call.broker.isEnded)
        #expect(call.broker.deadline == nil)
    }

    @Test("R98: whatever must survive is stored before anybody is told")
    func persistComesFirst() {
        var call = BrokerFixture.twoDevices
        for command in [BrokerCommand.ringing, .answer, .connected, .hangup(.localHangup)] {
            let effects = call.raw(.received(command, from: call.bob, message: "\(command)"))
            #expect(effects.first == .persist)
            #expect(effects.filter { $0 == .persist }.count == 1)
        }
        let late = call.raw(.received(.answer, from: call.bobTablet, message: "late"))
        #expect(!late.contains(.persist))
    }

    @Test("R102: media goes between caller and winner alone")
    func mediaBetweenTheTwo() {
        var call = BrokerFixture.twoDevices
        let offer = MediaSignal(kind: .offer, body: "offer")
        let answer = MediaSignal(kind: .answer, body: "answer")
        #expect(call.send(.media(offer), from: call.alice) == [])
        #expect(
            BrokerFixture.replies(call.raw(.received(.media(answer), from: call.bob, message: "x"))) == [.invalidState])
        #expect(
            call.send(.answer, from: call.bob) == [
                .tell(call.bob, .answered), .tell(call.alice, .answered),
                .tell(call.bobTablet, .ended(.answeredElsewhere)), .tell(call.bob, .media(offer)),
            ])
        #expect(call.send(.media(answer), from: call.bob) == [.tell(call.alice, .media(answer))])
        #expect(call.send(.media(offer), from: call.alice) == [.tell(call.bob, .media(offer))])
        #expect(call.send(.media(answer), from: call.bobTablet) == [.tell(call.bobTablet, .ended(.answeredElsewhere))])
        #expect(call.send(.media(answer), from: call.aliceTablet) == [])
        #expect(call.send(.media(answer), from: call.mallory) == [])
    }

    @Test("Media signals before the answer are bounded in number and size")
    func heldSignalsAreBounded() {
        var call = BrokerFixture()
        let large = MediaSignal(kind: .offer, body: String(repeating: "x", count: 65_536))
        var replies: [BrokerReply] = []
        for index in 0..<3 {
            replies += BrokerFixture.replies(
                call.raw(.received(.media(large), from: call.alice, message: "large\(index)")))
        }
        #expect(replies == [.done, .done, .limitExceeded])

        var other = BrokerFixture()
        let small = MediaSignal(kind: .candidate, body: "c")
        for index in 0..<64 { _ = other.send(.media(small), from: other.alice, message: "s\(index)") }
        let past = other.raw(.received(.media(small), from: other.alice, message: "past"))
        #expect(BrokerFixture.replies(past) == [.limitExceeded])
    }

    @Test("Hold and mute are passed to the other side")
    func updatesArePassedOn() {
        var call = BrokerFixture()
        let hold = BrokerCommand.update(held: true, muted: nil, video: nil)
        #expect(BrokerFixture.replies(call.raw(.received(hold, from: call.alice, message: "early"))) == [.invalidState])
        _ = call.send(.answer, from: call.bob)
        #expect(
            call.send(hold, from: call.alice) == [.tell(call.bob, .update(held: true, muted: nil, video: nil))])
        #expect(
            call.send(.update(held: nil, muted: true, video: nil), from: call.bob)
                == [.tell(call.alice, .update(held: nil, muted: true, video: nil))])
    }

    @Test("A hang-up because something broke ends both sides as failed")
    func failureIsToldToBoth() {
        var call = BrokerFixture()
        _ = call.send(.answer, from: call.bob)
        #expect(
            call.send(.hangup(.failed), from: call.bob)
                == [.tell(call.alice, .ended(.failed)), .tell(call.bob, .ended(.failed))])
        #expect(call.broker.endReason == .failed)
    }

    @Test("A phone that cannot show the call counts as unreachable, and the others ring on")
    func refusedByOnePhone() {
        var call = BrokerFixture.twoDevices
        #expect(call.send(.hangup(.failed), from: call.bob) == [])
        #expect(
            call.send(.hangup(.failed), from: call.bobTablet) == [
                .tell(call.alice, .ended(.unreachable)), .tell(call.bob, .ended(.unreachable)),
                .tell(call.bobTablet, .ended(.unreachable)),
            ])
    }

    @Test("The callee's commands are not the caller's, and the other way round")
    func rolesAreKept() {
        var call = BrokerFixture()
        for command in [BrokerCommand.ringing, .answer, .decline, .busy] {
            let effects = call.raw(.received(command, from: call.alice, message: "\(command)"))
            #expect(BrokerFixture.replies(effects) == [.invalidState])
        }
        let cancel = call.raw(.received(.cancel, from: call.bob, message: "c"))
        #expect(BrokerFixture.replies(cancel) == [.invalidState])
        let onlooker = call.raw(.received(.cancel, from: call.aliceTablet, message: "c"))
        #expect(BrokerFixture.replies(onlooker) == [.invalidState])
        #expect(call.broker.state == .ringing(callerBackBy: nil))
    }

    @Test("A call to one's own other devices does not ring on the calling one")
    func ownDevices() {
        let caller = BrokerParty(user: "bob", device: "b1")
        var broker = BrokerMachine(
            invitation: BrokerFixture().broker.invitation, caller: caller, callee: "bob")
        let effects = broker.handle(
            .placed([
                BrokerTarget(device: "b1", connected: true, pushable: true),
                BrokerTarget(device: "b2", connected: true, pushable: false),
            ]), at: BrokerFixture.start)
        #expect(BrokerFixture.told(effects) == [.offer(device: "b2")])
    }

    @Test("Every decision has words for its race only where something crossed")
    func decisionsNameTheirRace() {
        #expect(BrokerDecision.lostToAnotherDevice.race == 2)
        #expect(BrokerDecision.answered.race == nil)
        for decision in BrokerDecision.allCases {
            if let race = decision.race { #expect((1...30).contains(race)) }
        }
    }
}
