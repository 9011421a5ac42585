// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

/// The order in which things are saved, done and told.
@Suite struct PhoneSaveTests {
    private let id = Fixture.call
    private let push = PushID(1)
    private let broken = CallFailure(.notStored, "The disk is full.")
    private let arrival = PhoneMachine.Event.pushArrived(
        PushID(1), .invitation(Fixture.invitation()), mustReport: true, spare: Fixture.spare)

    @Test("C8: a push is reported first, then saved, then completed") func pushOrder() {
        var phone = PhoneMachine()
        #expect(
            phone.handle(arrival, at: Fixture.start).withoutPublishing == [
                .reportIncoming(id, Fixture.details), .save(.push(push)), .tell(.accepted, id), .connectSignaling,
            ])
        #expect(phone.handle(.saved(.push(push), nil), at: Fixture.start) == [])
        #expect(
            phone.handle(.reportCompleted(id, nil), at: Fixture.start) == [.send(id, .ringing), .completePush(push)])
    }

    @Test("C8: a push waits for its save, even when its report is answered first") func lateSave() {
        var phone = PhoneMachine()
        _ = phone.handle(arrival, at: Fixture.start)
        #expect(phone.handle(.reportCompleted(id, nil), at: Fixture.start) == [.send(id, .ringing)])
        #expect(phone.handle(.saved(.push(push), nil), at: Fixture.start) == [.completePush(push)])
        #expect(phone.handle(.saved(.push(push), nil), at: Fixture.start) == [])
    }

    @Test("C8: a push is completed even when its save failed") func failedPushSave() {
        var phone = PhoneMachine()
        _ = phone.handle(arrival, at: Fixture.start)
        _ = phone.handle(.reportCompleted(id, nil), at: Fixture.start)
        #expect(phone.handle(.saved(.push(push), broken), at: Fixture.start) == [.completePush(push)])
        #expect(phone.snapshots.map(\.state) == [.incoming])
    }

    @Test("C8: a push that changes nothing is completed without a save") func nothingToSave() {
        var phone = PhoneMachine()
        let unreadable = PhoneMachine.Event.pushArrived(
            push, .undecodable, mustReport: false, spare: Fixture.spare)
        #expect(
            phone.handle(unreadable, at: Fixture.start)
                == [.tell(.undecodable, nil), .completePush(push), .connectSignaling])
    }

    @Test("R66, C8: a push that is turned away is completed after its tombstone is saved") func tombstone() {
        var phone = PhoneMachine()
        let expired = PhoneMachine.Event.pushArrived(
            push, .invitation(Fixture.invitation()), mustReport: false, spare: Fixture.spare)
        let late = Fixture.at(60_001)
        #expect(
            phone.handle(expired, at: late) == [.save(.push(push)), .tell(.expired, id), .connectSignaling])
        #expect(phone.handle(.saved(.push(push), nil), at: late) == [.completePush(push)])
    }

    @Test("R22, C8: a reset completes the pushes, after their saves") func reset() {
        var phone = PhoneMachine()
        _ = phone.handle(arrival, at: Fixture.start)
        let effects = phone.handle(.providerReset, at: Fixture.start)
        #expect(effects.first == .save(.change))
        #expect(!effects.contains(.completePush(push)))
        #expect(phone.handle(.saved(.push(push), nil), at: Fixture.start) == [.completePush(push)])
    }

    @Test("R81: a command is tried only after the checkpoint has it") func commandOrder() {
        var phone = PhoneMachine.talking()
        let operation = OperationID(1)
        #expect(
            phone.handle(.command(operation, .setMuted(id, true)), at: Fixture.start) == [.save(.operation(operation))])
        #expect(phone.checkpoint(at: Fixture.start).operations.isPending(operation))
        #expect(
            phone.handle(.saved(.operation(operation), nil), at: Fixture.start)
                == [.save(.change), .request(.setMuted(id, true))])
        #expect(phone.handle(.saved(.operation(operation), nil), at: Fixture.start) == [])
    }

    @Test("R81: a failed save rejects the command and leaves everything as it was") func failedCommandSave() {
        var phone = PhoneMachine.talking()
        let before = phone.snapshots
        _ = phone.handle(.command(OperationID(1), .setMuted(id, true)), at: Fixture.start)
        #expect(
            phone.handle(.saved(.operation(OperationID(1)), broken), at: Fixture.start)
                == [.save(.change), .rejected(OperationID(1), broken)])
        #expect(phone.snapshots == before)
        var idle = PhoneMachine()
        _ = idle.handle(.command(OperationID(2), .start(id, Fixture.bob)), at: Fixture.start)
        #expect(
            idle.handle(.saved(.operation(OperationID(2)), broken), at: Fixture.start)
                == [.save(.change), .rejected(OperationID(2), broken)])
        #expect(idle.calls.isEmpty)
    }

    @Test("R31, R81: hanging up goes on without a disk") func endWithoutDisk() {
        var phone = PhoneMachine.talking()
        _ = phone.handle(.command(OperationID(1), .end(id)), at: Fixture.start)
        #expect(
            phone.handle(.saved(.operation(OperationID(1)), broken), at: Fixture.start)
                == [.save(.change), .request(.end(id))])
    }

    @Test("R84: what the call did while the command was saved decides") func decidedWhileSaving() {
        var phone = PhoneMachine.talking()
        _ = phone.handle(.command(OperationID(1), .setMuted(id, true)), at: Fixture.start)
        _ = phone.handle(.mutePerformed(Fixture.action, id, true), at: Fixture.start)
        #expect(
            phone.handle(.saved(.operation(OperationID(1)), nil), at: Fixture.start)
                == [.save(.change), .applied(OperationID(1))])
        _ = phone.handle(.command(OperationID(2), .setMuted(id, false)), at: Fixture.start)
        _ = phone.handle(.server(id, .ended(.remoteEnded)), at: Fixture.start)
        let effects = phone.handle(.saved(.operation(OperationID(2)), nil), at: Fixture.start)
        #expect(effects.last?.failure?.code == .callNotFound)
    }

    @Test("R83: a save that is never answered is out of time") func savedTooLate() {
        var phone = PhoneMachine.talking()
        _ = phone.handle(.command(OperationID(1), .setMuted(id, true)), at: Fixture.start)
        #expect(
            phone.handle(.saved(.operation(OperationID(1)), nil), at: Fixture.at(4000)).last?.failure?.code
                == .deadlineExceeded)
        #expect(phone.snapshots.first?.muted == false)
    }

    @Test("R81: results are saved before they are told, what the server hears before it is sent") func saveFirst() {
        var phone = PhoneMachine.ringing()
        let effects = phone.handle(.endPerformed(Fixture.action, id), at: Fixture.start).withoutPublishing
        #expect(effects == [.save(.change), .send(id, .decline), .fulfil(Fixture.action)])
        #expect(
            phone.checkpoint(at: Fixture.start).owedSignals == [OwedSignal(id, .decline, since: Fixture.start)])
    }

    @Test("R81: what is not in the checkpoint is not saved") func noNeedlessSaves() {
        var phone = PhoneMachine.talking()
        let events: [PhoneMachine.Event] = [
            .media(id, .interrupted(true)), .mutePerformed(Fixture.action, id, true),
            .holdPerformed(Fixture.action, id, true), .server(id, .update(PeerUpdate(held: true))), .tick,
            .delivered(id, .ringing), .audioDeactivated, .saved(.change, nil),
        ]
        for event in events {
            let saves = phone.handle(event, at: Fixture.start).contains { if case .save = $0 { true } else { false } }
            #expect(!saves, "\(event)")
        }
    }
}
