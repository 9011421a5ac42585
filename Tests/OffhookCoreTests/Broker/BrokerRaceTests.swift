// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

/// The races of docs/races.md, in both orders where two things cross.
@Suite("Races on the server")
struct BrokerRaceTests {
    @Test("Race 1: the cancel commits first, the answer is told so")
    func cancelBeforeAnswer() {
        var call = BrokerFixture()
        #expect(
            call.send(.cancel, from: call.alice)
                == [.tell(call.alice, .ended(.callerCancelled)), .tell(call.bob, .ended(.callerCancelled))])
        let answer = call.raw(.received(.answer, from: call.bob, message: "late"))
        #expect(
            answer == [
                .decided(.answeredTooLate), .tell(call.bob, .ended(.callerCancelled)),
                .reply(call.bob, message: "late", .done),
            ])
        #expect(call.broker.endReason == .callerCancelled)
        #expect(call.broker.winner == nil)
    }

    @Test("Race 1: the answer commits first, the cancel ends an answered call")
    func answerBeforeCancel() {
        var call = BrokerFixture()
        _ = call.send(.answer, from: call.bob)
        let cancel = call.raw(.received(.cancel, from: call.alice, message: "late"))
        #expect(BrokerFixture.decisions(cancel) == [.cancelBecameHangup, .hungUp])
        #expect(
            BrokerFixture.told(cancel)
                == [.tell(call.alice, .ended(.localHangup)), .tell(call.bob, .ended(.remoteEnded))])
        #expect(call.broker.milestones.answeredAt != nil)
    }

    @Test("Race 2: two devices answer, the first has the call", arguments: [true, false])
    func twoAnswers(tabletFirst: Bool) {
        var call = BrokerFixture.twoDevices
        let (first, second) = tabletFirst ? (call.bobTablet, call.bob) : (call.bob, call.bobTablet)
        #expect(
            call.send(.answer, from: first) == [
                .tell(first, .answered), .tell(call.alice, .answered), .tell(second, .ended(.answeredElsewhere)),
            ])
        let lost = call.raw(.received(.answer, from: second, message: "late"))
        #expect(
            lost == [
                .decided(.lostToAnotherDevice), .tell(second, .ended(.answeredElsewhere)),
                .reply(second, message: "late", .done),
            ])
        #expect(call.broker.winner == first.device)
        // R101: the loser's end does not touch the call.
        _ = call.send(.hangup(.localHangup), from: second)
        #expect(!call.broker.isEnded)
    }

    @Test("Race 3: the decline commits first, the other device's answer is told so")
    func declineBeforeAnswer() {
        var call = BrokerFixture.twoDevices
        _ = call.send(.decline, from: call.bob)
        #expect(call.send(.answer, from: call.bobTablet) == [.tell(call.bobTablet, .ended(.declinedElsewhere))])
        #expect(call.broker.endReason == .declined)
    }

    @Test("Race 3: the answer commits first, the other device's decline is told so")
    func answerBeforeDecline() {
        var call = BrokerFixture.twoDevices
        _ = call.send(.answer, from: call.bobTablet)
        #expect(call.send(.decline, from: call.bob) == [.tell(call.bob, .ended(.answeredElsewhere))])
        #expect(call.broker.winner == "b2")
        #expect(!call.broker.isEnded)
    }

    @Test("Race 4: a decline stops the ringing on all devices of the user")
    func declineStopsAll() {
        var call = BrokerFixture.twoDevices
        #expect(
            call.send(.decline, from: call.bobTablet) == [
                .tell(call.alice, .ended(.declined)), .tell(call.bob, .ended(.declinedElsewhere)),
                .tell(call.bobTablet, .ended(.declined)),
            ])
    }

    @Test("Race 5: a device that stays silent changes nothing for the others")
    func silenceOnOneDevice() {
        var call = BrokerFixture.twoDevices
        _ = call.send(.ringing, from: call.bob)
        #expect(call.handle(.deviceDisconnected(call.bob)) == [])
        #expect(call.send(.answer, from: call.bobTablet).contains(.tell(call.alice, .answered)))
    }

    @Test("Race 6: one device is busy, the others ring on; all busy ends the call")
    func busyIsPerDevice() {
        var call = BrokerFixture.twoDevices
        #expect(call.send(.busy, from: call.bob) == [])
        #expect(call.broker.view(for: call.bob) == .ended(.busy))
        #expect(call.broker.view(for: call.bobTablet) == .ringing)
        #expect(
            call.send(.busy, from: call.bobTablet) == [
                .tell(call.alice, .ended(.busy)), .tell(call.bob, .ended(.busy)), .tell(call.bobTablet, .ended(.busy)),
            ])
    }

    @Test("Race 6: busy against answer of another device, in both orders", arguments: [true, false])
    func busyAndAnswer(busyFirst: Bool) {
        var call = BrokerFixture.twoDevices
        if busyFirst { _ = call.send(.busy, from: call.bob) }
        _ = call.send(.answer, from: call.bobTablet)
        if !busyFirst { #expect(call.send(.busy, from: call.bob) == [.tell(call.bob, .ended(.answeredElsewhere))]) }
        #expect(call.broker.winner == "b2")
    }

    @Test("Race 9: the same two call anew, the old call ends for both")
    func recall() {
        var call = BrokerFixture()
        _ = call.send(.answer, from: call.bob)
        #expect(
            call.handle(.replaced)
                == [.tell(call.alice, .ended(.remoteEnded)), .tell(call.bob, .ended(.remoteEnded))])
        #expect(call.handle(.replaced) == [])
    }

    @Test("Race 10: the timeout commits first, the answer is told so")
    func timeoutBeforeAnswer() {
        var call = BrokerFixture.twoDevices
        #expect(
            call.tick() == [
                .tell(call.alice, .ended(.unanswered)), .tell(call.bob, .ended(.unanswered)),
                .tell(call.bobTablet, .ended(.unanswered)),
            ])
        #expect(call.now == BrokerFixture.deadline)
        #expect(call.send(.answer, from: call.bob) == [.tell(call.bob, .ended(.unanswered))])
        #expect(call.broker.endReason == .unanswered)
    }

    @Test("Race 10: the answer commits first, the timer finds nothing to do")
    func answerBeforeTimeout() {
        var call = BrokerFixture()
        call.now = BrokerFixture.deadline
        _ = call.send(.answer, from: call.bob)
        #expect(call.raw(.tick) == [])
        #expect(call.broker.winner == "b1")
    }

    @Test("Race 10: after the deadline an answer is late even when the timer is later")
    func lateTimer() {
        var call = BrokerFixture()
        call.now = BrokerFixture.deadline + .milliseconds(1)
        let effects = call.send(.answer, from: call.bob)
        #expect(effects.first == .tell(call.alice, .ended(.unanswered)))
        #expect(effects.last == .tell(call.bob, .ended(.unanswered)))
        #expect(call.broker.winner == nil)
    }

    @Test("Race 11: an answer at the very age limit is in time, a millisecond later not", arguments: [0, 1])
    func ageLimit(lateBy: Int) {
        var call = BrokerFixture()
        call.now = BrokerFixture.deadline + .milliseconds(lateBy)
        _ = call.send(.answer, from: call.bob)
        #expect((call.broker.winner == "b1") == (lateBy == 0))
    }

    @Test("Race 15: a device that wakes after another one answered sees that at once")
    func wakesAfterAnotherAnswered() {
        var call = BrokerFixture([
            BrokerTarget(device: "b1", connected: true, pushable: false),
            BrokerTarget(device: "b2", connected: false, pushable: true),
        ])
        _ = call.send(.answer, from: call.bob)
        #expect(call.handle(.deviceConnected(call.bobTablet)) == [])
        #expect(call.broker.view(for: call.bobTablet) == .ended(.answeredElsewhere))
        #expect(call.broker.view(for: call.bob) == .answered)
    }

    @Test("Race 16: what comes after the end never brings a call back")
    func noResurrection() {
        var call = BrokerFixture()
        _ = call.tick()
        let ended = call.broker.state
        let late: [BrokerEvent] = [
            .deviceConnected(call.bob), .pushAccepted(device: "b1"), .pushFailed(device: "b1"), .tick, .restarted,
            .replaced, .placed([BrokerTarget(device: "b9", connected: true, pushable: true)]),
            .deviceDisconnected(call.alice), .deviceRemoved(call.bob),
            .received(.ringing, from: call.bob, message: "1"), .received(.answer, from: call.bob, message: "2"),
            .received(.media(MediaSignal(kind: .offer, body: "")), from: call.alice, message: "3"),
        ]
        for event in late {
            let effects = call.raw(event)
            #expect(!effects.contains(.persist))
            #expect(!effects.contains { if case .offer = $0 { true } else { false } })
            #expect(!effects.contains { if case .push = $0 { true } else { false } })
            #expect(call.broker.state == ended)
        }
    }

    @Test("Race 19: the same message again gets the first reply and changes nothing")
    func repeatedMessages() {
        var call = BrokerFixture.twoDevices
        let answer = BrokerEvent.received(.answer, from: call.bob, message: "same")
        _ = call.raw(answer)
        let state = call.broker.state
        #expect(
            call.raw(answer) == [
                .decided(.repeated), .tell(call.bob, .answered), .reply(call.bob, message: "same", .done),
            ])
        #expect(call.broker.state == state)

        let media = BrokerEvent.received(
            .media(MediaSignal(kind: .candidate, body: "c")), from: call.bob, message: "candidate")
        #expect(BrokerFixture.told(call.raw(media)).count == 1)
        #expect(BrokerFixture.told(call.raw(media)).isEmpty)

        // The id of another device is another message; the same id with another content is a mistake.
        #expect(BrokerFixture.replies(call.raw(.received(.connected, from: call.alice, message: "same"))) == [.done])
        #expect(
            BrokerFixture.replies(call.raw(.received(.decline, from: call.bob, message: "same"))) == [.conflict])
        #expect(!call.broker.isEnded)
    }

    @Test("Race 19: the window of remembered messages is bounded; a forgotten one is handled by the state")
    func windowIsBounded() {
        var call = BrokerFixture()
        _ = call.send(.answer, from: call.bob, message: "first")
        let signal = BrokerCommand.media(MediaSignal(kind: .candidate, body: "c"))
        for index in 0..<300 { _ = call.send(signal, from: call.alice, message: "media\(index)") }
        #expect(call.send(signal, from: call.alice, message: "media299").isEmpty)
        #expect(call.send(signal, from: call.alice, message: "media0").count == 1)
        let again = call.raw(.received(.answer, from: call.bob, message: "first"))
        #expect(again == [.tell(call.bob, .answered), .reply(call.bob, message: "first", .done)])
    }

    @Test("Race 19: a winner that claims again under another id still has the call")
    func secondClaimOfTheWinner() {
        var call = BrokerFixture()
        _ = call.send(.answer, from: call.bob)
        #expect(call.send(.answer, from: call.bob) == [.tell(call.bob, .answered)])
    }

    @Test("Race 25: a message of a user outside the call looks like one for no call and touches nothing")
    func foreignUser() {
        var call = BrokerFixture()
        let before = call.broker
        let commands: [BrokerCommand] = [
            .ringing, .answer, .decline, .busy, .cancel, .hangup(.localHangup), .connected,
            .media(MediaSignal(kind: .offer, body: "")), .update(held: true, muted: nil, video: nil),
        ]
        for command in commands {
            let effects = call.raw(.received(command, from: call.mallory, message: "m"))
            #expect(effects == [.reply(call.mallory, message: "m", .unknownCall)])
        }
        #expect(call.broker == before)
        #expect(call.broker.view(for: call.mallory) == nil)
    }

    @Test("Race 27: hanging up twice, and after the end, is one end", arguments: [true, false])
    func hangUpTwice(callerFirst: Bool) {
        var call = BrokerFixture()
        _ = call.send(.answer, from: call.bob)
        let (first, second) = callerFirst ? (call.alice, call.bob) : (call.bob, call.alice)
        _ = call.send(.hangup(.localHangup), from: first)
        let endedAt = call.broker.milestones.endedAt
        call.now = call.now + .seconds(1)
        // R101: both hang up.
        #expect(call.send(.hangup(.localHangup), from: second) == [.tell(second, .ended(.remoteEnded))])
        #expect(call.send(.hangup(.localHangup), from: first) == [.tell(first, .ended(.localHangup))])
        let reason: EndReason = callerFirst ? .localHangup : .remoteEnded
        #expect(call.send(.cancel, from: call.alice) == [.tell(call.alice, .ended(reason))])
        #expect(call.broker.milestones.endedAt == endedAt)
    }
}
