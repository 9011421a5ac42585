// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct CallWaitingTests {
    private let first = Fixture.call
    private let second = Fixture.other
    private let third = CallID(high: 3, low: 3)
    private let action = Fixture.action
    private let next = Fixture.second
    private let donated = PhoneEffect.donate(Fixture.other, Fixture.details, .incoming)

    @Test("R19, C9: with two groups a second invitation rings, and the first call goes on") func rings() {
        var phone = PhoneMachine.able()
        #expect(
            phone.run(.invited(Fixture.invitation(second))).withoutPublishing
                == [.reportIncoming(second, Fixture.details), .tell(.accepted, second)])
        #expect(phone.state(first) == .active)
        #expect(phone.state(second) == .incoming)
    }

    @Test("R43: a third invitation is busy where two groups live") func full() {
        var phone = PhoneMachine.waiting()
        #expect(phone.run(.invited(Fixture.invitation(third))) == [.send(third, .busy), .tell(.busy, third)])
    }

    @Test("R39, G2: hold & accept: the first call's media pauses before the second one speaks") func holdAndAccept() {
        var phone = PhoneMachine.waiting()
        #expect(
            phone.run(.holdPerformed(action, first, true)).withoutPublishing
                == PhoneEffect.gate(first, held: true) + [.fulfil(action)])
        #expect(
            phone.run(.answerPerformed(next, second)).withoutPublishing
                == [.configureAudio, .connectSignaling, .send(second, .answer)])
        #expect(
            phone.run(.server(second, .answered)).withoutPublishing
                == [.fulfil(next), .startMedia(second, offers: false), .setAudioOpen(second, true), donated])
        phone.run(.media(second, .arrived))
        #expect(phone.state(first) == .held)
        #expect(phone.state(second) == .active)
    }

    @Test("R39: the other order: answered, then held, never two that speak") func acceptThenHold() {
        var phone = PhoneMachine.waiting()
        phone.run(.answerPerformed(next, second))
        #expect(
            phone.run(.server(second, .answered)).withoutPublishing
                == PhoneEffect.gate(first, held: true)
                + [.fulfil(next), .startMedia(second, offers: false), .setAudioOpen(second, true), donated])
        #expect(phone.state(first) == .held)
        #expect(phone.run(.holdPerformed(action, first, true)) == [.fulfil(action)])
        #expect(phone.state(first) == .held)
    }

    @Test("R19, P30: end & accept in either order; declining the second leaves the first alone") func endAndAccept() {
        for endsFirst in [true, false] {
            var phone = PhoneMachine.waiting()
            if endsFirst { phone.run(.endPerformed(action, first)) }
            phone.run(.answerPerformed(next, second))
            if !endsFirst { phone.run(.endPerformed(action, first)) }
            phone.run(.server(second, .answered), .audioDeactivated, .audioActivated, .media(second, .arrived))
            #expect(phone.snapshots.map(\.state) == [.active])
        }
        var phone = PhoneMachine.waiting()
        #expect(phone.run(.endPerformed(next, second)).withoutPublishing == [.send(second, .decline), .fulfil(next)])
        #expect(phone.state(first) == .active)
    }

    @Test("G3: when one call ends the other one stays held") func staysHeld() {
        var phone = PhoneMachine.two()
        #expect(
            phone.run(.server(second, .ended(.remoteEnded))).withoutPublishing
                == [.stopMedia(second), .reportEnded(second, .remoteEnded, at: Fixture.start)])
        #expect(phone.state(first) == .held)
        #expect(!(phone[first]?.isResuming ?? true))
    }

    @Test("A call that was silent for another's sake speaks again when that one is held or over") func floorReturns() {
        var phone = PhoneMachine.waiting()
        phone.run(.answerPerformed(next, second), .server(second, .answered))
        #expect(
            phone.run(.server(second, .ended(.remoteEnded))).withoutPublishing
                == [.stopMedia(second), .reportEnded(second, .remoteEnded, at: Fixture.start)]
                + PhoneEffect.gate(first, held: false))
        #expect(phone.state(first) == .active)
    }

    @Test("Swap: taking a call off hold while another speaks is one transaction") func swap() {
        var phone = PhoneMachine.two()
        let id = OperationID(1)
        #expect(
            phone.run(.command(id, .setHeld(first, false))) == [.request(.swap(hold: second, resume: first))])
        #expect(
            phone.run(.holdPerformed(action, second, true)).withoutPublishing
                == PhoneEffect.gate(second, held: true) + [.fulfil(action)])
        #expect(
            phone.run(.holdPerformed(next, first, false)).withoutPublishing
                == PhoneEffect.gate(first, held: false) + [.fulfil(next), .applied(id)])
        #expect(phone.state(first) == .active)
        #expect(phone.state(second) == .held)
    }

    @Test("Swap in the other order: off hold first silences the one that speaks") func swapBackwards() {
        var phone = PhoneMachine.two()
        #expect(
            phone.run(.holdPerformed(next, first, false)).withoutPublishing
                == PhoneEffect.gate(second, held: true) + PhoneEffect.gate(first, held: false) + [.fulfil(next)])
        #expect(phone.snapshots.map(\.state) == [.active, .held])
        #expect(phone.run(.holdPerformed(action, second, true)) == [.fulfil(action)])
        #expect(phone.snapshots.map(\.state) == [.active, .held])
    }

    @Test("R83: a refused swap fails the command; hold commands of a silent call still reach CallKit")
    func refusedSwap() {
        var phone = PhoneMachine.two()
        phone.run(.command(OperationID(1), .setHeld(first, false)))
        #expect(
            phone.run(.requestCompleted(.swap(hold: second, resume: first), Fixture.broken))
                == [.rejected(OperationID(1), Fixture.broken)])
        phone.run(.holdPerformed(next, first, false))
        #expect(phone.run(.command(OperationID(2), .setHeld(second, true))) == [.request(.setHeld(second, true))])
    }

    @Test("R19: answering by command holds who speaks, or ends what cannot be held") func answerCommand() {
        var phone = PhoneMachine.waiting()
        #expect(
            phone.run(.command(OperationID(1), .answer(second)))
                == [.request(.holdAndAnswer(hold: first, answer: second))])
        #expect(
            phone.run(.requestCompleted(.holdAndAnswer(hold: first, answer: second), Fixture.broken))
                == [.rejected(OperationID(1), of: second, Fixture.broken)])
        phone.run(.holdPerformed(action, first, true))
        #expect(phone.run(.command(OperationID(2), .answer(second))) == [.request(.answer(second))])

        var calling = PhoneMachine(policy: .everything)
        calling.run(
            .command(OperationID(1), .start(first, Fixture.bob)), .server(first, .inviteAccepted),
            .startPerformed(action, first))
        calling.ring(second)
        #expect(
            calling.run(.command(OperationID(2), .answer(second)))
                == [.request(.endAndAnswer(end: first, answer: second))])
    }

    @Test("R43: with one group, what the ledger let ring is answered by ending the other") func answerWithOneGroup() {
        var policy = CallPolicy()
        policy.maximumCallGroups = 1
        var phone = PhoneMachine(policy: policy)
        phone.ring(first)
        phone.talk(first)
        #expect(phone.run(.invited(Fixture.invitation(second)))[1] == .tell(.busy, second))
    }

    @Test("R20: a second outgoing call holds the first; above the limit it is busy and says why") func secondOutgoing()
    {
        var phone = PhoneMachine.able()
        let id = OperationID(1)
        phone.run(.command(id, .start(second, Fixture.bob)))
        #expect(
            phone.run(.server(second, .inviteAccepted))
                == [.request(.setHeld(first, true)), .request(.start(second, Fixture.bob))])
        phone.run(.holdPerformed(action, first, true))
        #expect(phone.run(.startPerformed(next, second)).last == .applied(id, of: second))
        #expect(phone.refusal(of: .start(third, Fixture.bob)) == .busy)
        phone.run(.server(second, .answered), .media(second, .arrived))
        let result = phone.run(.command(OperationID(2), .start(third, Fixture.bob))).last
        #expect(result?.failure?.message.contains("maximumCallGroupsReached") == true)
        #expect(phone.snapshots.map(\.state) == [.held, .active])
    }

    @Test("R20: no call is started while another one is being set up") func startWhileSettingUp() {
        var phone = PhoneMachine(policy: .everything)
        phone.ring(first)
        #expect(phone.refusal(of: .start(second, Fixture.bob)) == .busy)
    }

    @Test("P23: a call of another app leaves no room where one group is the limit") func otherApps() {
        var phone = PhoneMachine()
        phone.run(.otherCalls(1))
        #expect(phone.run(.invited(Fixture.invitation())) == [.send(first, .busy), .tell(.busy, first)])
        phone.run(.otherCalls(0))
        phone.ring(second)
        #expect(phone.state(second) == .incoming)
        var able = PhoneMachine(policy: .everything)
        able.run(.otherCalls(1))
        able.ring(first)
        #expect(able.state(first) == .incoming)
    }

    @Test("S2: two calls, the window closes and opens between them") func windowBetween() {
        var phone = PhoneMachine.two()
        #expect(
            phone.run(.audioDeactivated).withoutPublishing
                == [.setAudioOpen(first, false), .setAudioOpen(second, false)])
        #expect(phone.snapshots.map(\.state) == [.held, .held])
        #expect(
            phone.run(.audioActivated).withoutPublishing == [.setAudioOpen(first, true), .setAudioOpen(second, true)])
        #expect(phone.snapshots.map(\.state) == [.held, .active])
    }
}
