// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct GroupTests {
    private let first = Fixture.call
    private let second = Fixture.other
    private let third = CallID(high: 3, low: 3)
    private let fourth = CallID(high: 4, low: 4)
    private let action = Fixture.action
    private let next = Fixture.second

    @Test("R49, P41: the app's merge takes the held call off hold, in CallKit too") func merge() {
        var phone = PhoneMachine.two()
        let id = OperationID(1)
        #expect(
            phone.run(.command(id, .setGroup(first, with: second))) == [.request(.setGroup(first, with: second))])
        #expect(
            phone.run(.groupPerformed(action, first, with: second)).withoutPublishing
                == PhoneEffect.gate(first, held: false) + [
                    .fulfil(action), .request(.setHeld(first, false)), .applied(id),
                ])
        #expect(phone.snapshots.map(\.state) == [.active, .active])
        #expect(phone.run(.holdPerformed(next, first, false)).withoutPublishing == [.fulfil(next)])
        #expect(phone.snapshots.map(\.groupedWith) == [[second], [first]])
    }

    @Test("P41: the system's merge takes it off hold first, then groups") func systemMerge() {
        var phone = PhoneMachine.two()
        phone.run(.holdPerformed(next, first, false))
        #expect(
            phone.run(.groupPerformed(action, first, with: second)).withoutPublishing
                == [.fulfil(action)] + PhoneEffect.gate(second, held: false))
        #expect(phone.snapshots.map(\.state) == [.active, .active])
    }

    @Test("P41: merged without an audio session, both wait for it") func mergeWithoutSession() {
        var phone = PhoneMachine.two()
        phone.run(.audioDeactivated)
        #expect(
            phone.run(.groupPerformed(action, first, with: second)).withoutPublishing
                == [.fulfil(action), .request(.setHeld(first, false))])
        #expect(phone.snapshots.map(\.isResuming) == [true, true])
        phone.run(.audioActivated)
        #expect(phone.snapshots.map(\.state) == [.active, .active])
    }

    @Test("G5: nil takes a call out of its group; it speaks, the other is silent") func ungroup() {
        var phone = PhoneMachine.group()
        let id = OperationID(1)
        #expect(phone.run(.command(id, .setGroup(second, with: nil))) == [.request(.setGroup(second, with: nil))])
        #expect(
            phone.run(.groupPerformed(action, second, with: nil)).withoutPublishing
                == PhoneEffect.gate(first, held: true) + [.fulfil(action), .applied(id, of: second)])
        #expect(phone.snapshots.map(\.groupedWith) == [[], []])
        #expect(phone.snapshots.map(\.state) == [.held, .active])
        #expect(
            phone.run(.command(OperationID(2), .setGroup(second, with: nil))) == [.applied(OperationID(2), of: second)])
    }

    @Test("G5: joining a group leaves the earlier one; the end of a member leaves the others together") func members() {
        var phone = PhoneMachine.group()
        phone.ring(third)
        phone.run(.holdPerformed(action, first, true), .holdPerformed(action, second, true))
        phone.talk(third)
        phone.run(.groupPerformed(action, third, with: second))
        #expect(phone.snapshots.map(\.groupedWith) == [[second, third], [first, third], [first, second]])
        #expect(phone.snapshots.map(\.state) == [.active, .active, .active])
        #expect(phone.run(.groupPerformed(next, third, with: first)).withoutPublishing == [.fulfil(next)])
        phone.run(.server(first, .ended(.remoteEnded)))
        #expect(phone.snapshots.map(\.groupedWith) == [[third], [second]])
        phone.run(.endPerformed(action, third))
        #expect(phone.snapshots.map(\.groupedWith) == [[]])
        #expect(phone.state(second) == .active)
    }

    @Test("T5: a group counts as one: another call still fits") func groupCountsOnce() {
        var phone = PhoneMachine.group()
        phone.ring(third)
        #expect(phone.state(third) == .incoming)
        #expect(phone.refusal(of: .start(fourth, Fixture.bob)) == .busy)
        phone.run(.endPerformed(next, third))
        phone.run(.command(OperationID(1), .start(fourth, Fixture.bob)))
        #expect(
            phone.run(.server(fourth, .inviteAccepted)) == [
                .request(.setHeld(first, true)), .request(.setHeld(second, true)),
                .request(.start(fourth, Fixture.bob)),
            ])
    }

    @Test("R19: answering beside a group holds each of its calls") func answerBesideGroup() {
        var phone = PhoneMachine.group()
        phone.ring(third)
        #expect(
            phone.run(.command(OperationID(1), .answer(third))) == [
                .request(.setHeld(first, true)), .request(.holdAndAnswer(hold: second, answer: third)),
            ])
    }

    @Test("R49: the limit of a group, and what cannot be grouped") func limits() {
        var policy = CallPolicy.everything
        policy.maximumCallsPerCallGroup = 2
        policy.maximumCallGroups = 3
        var phone = PhoneMachine.two(policy)
        phone.run(.groupPerformed(action, first, with: second))
        phone.ring(third)
        #expect(phone.refusal(of: .setGroup(third, with: first)) == .invalidState)  // it rings
        phone.run(.holdPerformed(action, first, true), .holdPerformed(action, second, true))
        phone.talk(third)
        #expect(phone.refusal(of: .setGroup(third, with: first)) == .invalidState)  // full
        #expect(phone.run(.groupPerformed(next, third, with: first)) == [.fail(next)])
        #expect(phone.refusal(of: .setGroup(third, with: third)) == .invalidArgument)
        #expect(phone.refusal(of: .setGroup(third, with: fourth)) == .callNotFound)
        #expect(phone.run(.groupPerformed(next, fourth, with: third)) == [.fail(next)])
        #expect(PhoneMachine.talking().refusal(of: .setGroup(first, with: second)) == .unsupported)
    }

    @Test("R83: a merge that CallKit refuses, or that came too late, fails its command") func refusedMerge() {
        var phone = PhoneMachine.two()
        phone.run(.command(OperationID(1), .setGroup(first, with: second)))
        #expect(
            phone.run(.requestCompleted(.setGroup(first, with: second), Fixture.broken))
                == [.rejected(OperationID(1), Fixture.broken)])
        phone.run(.command(OperationID(2), .setGroup(first, with: second)), .server(second, .ended(.remoteEnded)))
        let effects = phone.run(.groupPerformed(action, first, with: second))
        #expect(effects.first == .fail(action))
        #expect(effects.last?.failure?.code == .callNotFound)
    }
}
