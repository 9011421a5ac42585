// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct CallMachineIncomingTests {
    private let id = Fixture.call
    private let action = Fixture.action

    @Test("R23, R36: the call exists before it is reported") func reportsWhenOpened() {
        var call = CallMachine(Fixture.invitation(), at: Fixture.start)
        #expect(call.run(.opened) == [.reportIncoming(id, Fixture.details)])
        #expect(call.standing == .telling)
        #expect(call.run(.opened) == [])
    }

    @Test("R35: the server hears that the phone rings once the report succeeded") func saysRinging() {
        var call = CallMachine(Fixture.invitation(), at: Fixture.start)
        call.run(.opened)
        #expect(call.run(.reported(nil)) == [.send(id, .ringing)])
        #expect(call.run(.reported(nil)) == [])
    }

    @Test("R25, P05: a refused report ends the call, and no phantom remains") func refusedReport() {
        var call = CallMachine(Fixture.invitation(), at: Fixture.start)
        call.run(.opened)
        #expect(call.run(.reported(Fixture.broken)) == [.send(id, .hangup(.failed))])
        #expect(call.snapshot.state == .ended(.failed))
        #expect(call.snapshot.failure == Fixture.broken)
        #expect(call.isSettled)
    }

    @Test("C1: the answer is claimed, then fulfilled, then media starts") func answer() {
        var call = CallMachine.ringing()
        #expect(
            call.run(.answerPerformed(action)) == [.configureAudio, .connectSignaling, .send(id, .answer)])
        #expect(call.snapshot.state == .connecting)
        #expect(
            call.run(.answered) == [
                .fulfil(action), .startMedia(id, offers: false), .donate(id, Fixture.details, .incoming),
            ])
        #expect(call.snapshot.state == .connecting)
        #expect(call.run(.mediaArrived, at: Fixture.at(500)) == [.send(id, .connected)])
        #expect(call.snapshot.state == .active)
    }

    @Test("C10: connectedAt is the first media, not the answer") func connectedAtFirstMedia() {
        var call = CallMachine.claiming()
        call.run(.answered, at: Fixture.at(300))
        #expect(call.snapshot.answeredAt == Fixture.at(300))
        #expect(call.snapshot.connectedAt == nil)
        call.run(.mediaArrived, at: Fixture.at(900))
        #expect(call.snapshot.connectedAt == Fixture.at(900))
        call.run(.mediaArrived, at: Fixture.at(1900))
        #expect(call.snapshot.connectedAt == Fixture.at(900))
    }

    @Test("C1: with the policy immediately the answer is fulfilled before the server's word") func immediately() {
        var policy = CallPolicy()
        policy.answer = .immediately
        var call = CallMachine.ringing(policy: policy)
        #expect(
            call.run(.answerPerformed(action))
                == [.configureAudio, .connectSignaling, .send(id, .answer), .fulfil(action)])
        #expect(!call.hasMedia)
        #expect(call.run(.answered) == [.startMedia(id, offers: false), .donate(id, Fixture.details, .incoming)])
    }

    @Test("C1, race 2: a lost claim ends as answered elsewhere, and the action fails") func lostClaim() {
        var call = CallMachine.claiming()
        #expect(
            call.run(.remoteEnded(.answeredElsewhere))
                == [.reportEnded(id, .answeredElsewhere, at: Fixture.start), .fail(action)])
        #expect(call.isSettled)
    }

    @Test("race 1: the caller's cancel beats the answer") func cancelCrossesAnswer() {
        var call = CallMachine.claiming()
        #expect(
            call.run(.remoteEnded(.callerCancelled))
                == [.reportEnded(id, .callerCancelled, at: Fixture.start), .fail(action)])
    }

    @Test("A5: without the server's word the budget ends the call as failed") func budgetRunsOut() {
        var call = CallMachine.claiming()
        #expect(call.deadline == Fixture.at(10_000))
        #expect(call.run(.tick, at: Fixture.at(9_999)) == [])
        #expect(
            call.run(.tick, at: Fixture.at(10_000)) == [
                .send(id, .hangup(.failed)), .reportEnded(id, .failed, at: Fixture.at(10_000)), .fail(action),
            ])
        #expect(call.snapshot.failure?.code == .serverUnreachable)
    }

    @Test("R29: a timed-out answer is neither fulfilled nor failed") func answerTimedOut() {
        var call = CallMachine.claiming()
        #expect(
            call.run(.actionTimedOut(action))
                == [.send(id, .hangup(.failed)), .reportEnded(id, .failed, at: Fixture.start)])
        #expect(call.run(.answered) == [])
    }

    @Test("R31: declining tells the server and fulfils the action") func decline() {
        var call = CallMachine.ringing()
        #expect(call.run(.endPerformed(action)) == [.send(id, .decline), .fulfil(action)])
        #expect(call.snapshot.state == .ended(.declined))
        #expect(call.isSettled)
    }

    @Test("R34: a cancel while the report is pending ends the call once it is reported") func cancelBeforeReport() {
        var call = CallMachine(Fixture.invitation(), at: Fixture.start)
        call.run(.opened)
        #expect(call.run(.remoteEnded(.callerCancelled), at: Fixture.at(5)) == [])
        #expect(!call.isSettled)
        #expect(
            call.run(.reported(nil), at: Fixture.at(9)) == [.reportEnded(id, .callerCancelled, at: Fixture.at(5))])
        #expect(call.isSettled)
    }

    @Test("R34: a decline before the report's completion needs no end report") func declineBeforeReport() {
        var call = CallMachine(Fixture.invitation(), at: Fixture.start)
        call.run(.opened)
        #expect(call.run(.endPerformed(action)) == [.send(id, .decline), .fulfil(action)])
        #expect(call.run(.reported(nil)) == [])
    }

    @Test("R33: the ring ends after 45 seconds, or when the invitation ends") func ringDeadline() {
        var call = CallMachine.ringing()
        #expect(call.deadline == Fixture.at(45_001))
        #expect(call.run(.tick, at: Fixture.at(45_000)) == [])
        #expect(
            call.run(.tick, at: Fixture.at(45_001)) == [.reportEnded(id, .unanswered, at: Fixture.at(45_001))])
        let short = CallMachine(Fixture.invitation(expiresAt: Fixture.at(20_000)), at: Fixture.start)
        #expect(short.deadline == Fixture.at(20_001))
    }

    @Test("race 18: signals that come before the call is won are kept, and bounded") func earlySignals() {
        var call = CallMachine.ringing()
        for number in 0..<100 { call.run(.signalReceived(Fixture.signal("\(number)"))) }
        call.run(.answerPerformed(action))
        call.run(.signalReceived(Fixture.signal("late")))
        let effects = call.run(.answered)
        #expect(effects.prefix(2) == [.fulfil(action), .startMedia(id, offers: false)])
        #expect(effects.dropFirst(2).dropLast() == (0..<64).map { .deliverSignal(id, Fixture.signal("\($0)")) }[...])
        #expect(call.run(.signalReceived(Fixture.signal("next"))) == [.deliverSignal(id, Fixture.signal("next"))])
    }

    @Test("R22: a reset ends the call without an action's answer or a report") func reset() {
        var call = CallMachine.claiming()
        #expect(call.run(.reset) == [.send(id, .hangup(.failed))])
        #expect(call.isSettled)
        var talking = CallMachine.talking()
        #expect(talking.run(.reset) == [.stopMedia(id), .send(id, .hangup(.failed))])
    }

    @Test("P17: an end by the app before the report is deferred") func appEndsBeforeReport() {
        var call = CallMachine(Fixture.invitation(), at: Fixture.start)
        call.run(.opened)
        #expect(call.run(.endedByApp(nil)) == [.send(id, .decline)])
        #expect(call.run(.reported(nil)) == [.reportEnded(id, .declined, at: Fixture.start)])
    }
}
