// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct PhoneRecoveryTests {
    private let id = Fixture.call
    private let died = CallFailure(.processEnded, "The app's process ended while the call went on.")

    /// The phone after its process was killed and started again.
    private func restarted(_ phone: PhoneMachine, at now: Instant = Fixture.at(1)) throws -> PhoneMachine {
        let bytes = CheckpointCodec.encode(phone.checkpoint(at: now))
        return PhoneMachine(checkpoint: try CheckpointCodec.decode(bytes))
    }

    private func sends(_ effects: [PhoneEffect]) -> [CallSignal] {
        effects.compactMap { if case .send(_, let signal) = $0 { signal } else { nil } }
    }

    private func ends(_ effects: [PhoneEffect]) -> [Call.State] {
        effects.compactMap { if case .publish(let call) = $0 { call.state } else { nil } }
    }

    @Test("R88: a call that rang past its end is unanswered, and the server's own clock tells the caller")
    func unanswered() throws {
        var phone = try restarted(.ringing())
        let late = Fixture.at(45_001)
        let effects = phone.handle(.launched, at: late)
        #expect(effects.withoutPublishing == [.save(.change), .reportEnded(id, .unanswered, at: late)])
        #expect(ends(effects) == [.ended(.unanswered)])
        #expect(phone.handle(.launched, at: late) == [])
    }

    @Test("R88: a call that still rang ends as failed: CallKit, the app and the server are told") func ringing() throws
    {
        var phone = try restarted(.ringing())
        let now = Fixture.at(45_000)
        let effects = phone.handle(.launched, at: now)
        #expect(
            effects.withoutPublishing == [
                .save(.change), .reportEnded(id, .failed, at: now), .connectSignaling, .send(id, .hangup(.failed)),
            ])
        guard case .publish(let call)? = effects.first(where: { if case .publish = $0 { true } else { false } }) else {
            Issue.record("the app is not told")
            return
        }
        #expect(call.state == .ended(.failed))
        #expect(call.failure == died)
        #expect(call.endedAt == now)
        #expect(phone.ledger.reasonEnded(id) == .failed)
    }

    @Test("R88: a call with voice ends as failed, with its times") func talking() throws {
        var phone = try restarted(.talking())
        let effects = phone.handle(.launched, at: Fixture.at(9))
        #expect(sends(effects) == [.hangup(.failed)])
        guard case .publish(let call)? = effects.first(where: { if case .publish = $0 { true } else { false } }) else {
            Issue.record("the app is not told")
            return
        }
        #expect(call.answeredAt == Fixture.start)
        #expect(call.connectedAt == Fixture.start)
    }

    @Test("R88: an outgoing call is cancelled, an answered one hung up, one that CallKit never saw is not reported")
    func outgoing() throws {
        var calling = PhoneMachine()
        calling.run(.command(OperationID(1), .start(id, Fixture.bob)))
        var phone = try restarted(calling)
        let effects = phone.handle(.launched, at: Fixture.at(2))
        #expect(sends(effects) == [.cancel])
        #expect(!effects.contains { if case .reportEnded = $0 { true } else { false } })
        calling.run(.server(id, .inviteAccepted), .startPerformed(Fixture.action, id), .server(id, .answered))
        phone = try restarted(calling)
        #expect(sends(phone.handle(.launched, at: Fixture.at(2))) == [.hangup(.failed)])
    }

    @Test("P24: an answer that the server did not confirm is sent again, before the end of the call") func answer()
        throws
    {
        var ringing = PhoneMachine.ringing()
        ringing.run(.answerPerformed(Fixture.action, id))
        var phone = try restarted(ringing)
        #expect(sends(phone.handle(.launched, at: Fixture.at(2))) == [.answer, .hangup(.failed)])
        for confirmation in [PhoneMachine.Event.delivered(id, .answer), .server(id, .answered)] {
            var confirmed = ringing
            confirmed.run(confirmation)
            phone = try restarted(confirmed)
            #expect(sends(phone.handle(.launched, at: Fixture.at(2))) == [.hangup(.failed)])
        }
    }

    @Test("P27: a decline is sent again after each restart, until the server confirmed it") func decline() throws {
        var phone = PhoneMachine.ringing()
        phone.run(.endPerformed(Fixture.action, id))
        for _ in 0..<3 {
            phone = try restarted(phone)
            #expect(
                phone.handle(.launched, at: Fixture.at(2)) == [.connectSignaling, .send(id, .decline)])
        }
        #expect(phone.handle(.delivered(id, .decline), at: Fixture.at(3)) == [.save(.change)])
        phone = try restarted(phone)
        #expect(phone.handle(.launched, at: Fixture.at(4)) == [])
    }

    @Test("P27: the server's end of the call settles what it was owed") func settledByEnd() throws {
        var phone = PhoneMachine.ringing()
        phone.run(.endPerformed(Fixture.action, id), .server(id, .ended(.declined)))
        #expect(phone.checkpoint(at: Fixture.start).owedSignals == [])
        var busy = PhoneMachine.talking()
        busy.run(.invited(Fixture.invitation(Fixture.other)))
        #expect(
            busy.checkpoint(at: Fixture.start).owedSignals == [
                OwedSignal(Fixture.other, .busy, since: Fixture.start)
            ])
    }

    @Test("What is owed is bounded in number and in time") func owedLimits() throws {
        var phone = PhoneMachine.talking()
        for number in 0..<300 { phone.run(.invited(Fixture.invitation(CallID(high: 7, low: UInt64(number))))) }
        let owed = phone.checkpoint(at: Fixture.start).owedSignals
        #expect(owed.count == 256)
        #expect(owed.first?.call == CallID(high: 7, low: 44))
        phone = try restarted(phone)
        let later = phone.handle(.launched, at: Fixture.start + .seconds(24 * 3600) + .milliseconds(1))
        #expect(sends(later) == [.hangup(.failed)])
    }

    @Test("R65, R87: no call that ended before the restart rings after it") func tombstones() throws {
        var phone = PhoneMachine.ringing()
        phone.run(.server(id, .ended(.callerCancelled)))
        phone = try restarted(phone)
        _ = phone.handle(.launched, at: Fixture.at(2))
        let push = PhoneMachine.Event.pushArrived(
            PushID(2), .invitation(Fixture.invitation()), mustReport: true, spare: Fixture.spare)
        #expect(
            phone.handle(push, at: Fixture.at(3)).dropFirst().first == .tell(.ended(.callerCancelled), id))
    }

    @Test("R88: a push that comes before `launched` finds things in order") func pushFirst() throws {
        var phone = try restarted(.ringing())
        let push = PhoneMachine.Event.pushArrived(
            PushID(2), .invitation(Fixture.invitation()), mustReport: true, spare: Fixture.spare)
        let effects = phone.handle(push, at: Fixture.at(3))
        #expect(effects.first == .reportEnded(id, .failed, at: Fixture.at(3)))
        #expect(effects.contains(.reportIncoming(Fixture.spare, Fixture.details)))
        #expect(effects.contains(.tell(.ended(.failed), id)))
    }

    @Test("R85, R88: operations on their way get a result: unknown, timed out, or what the calls can tell")
    func operations() throws {
        func result(of command: PhoneMachine.Command, at milliseconds: Int64) throws -> OperationResult.Status? {
            var phone = PhoneMachine.talking()
            phone.run(.command(OperationID(1), command))
            phone = try restarted(phone)
            let effects = phone.handle(.launched, at: Fixture.at(milliseconds))
            guard case .finish(let result)? = effects.last else { return nil }
            #expect(effects.first == .save(.change))
            #expect(phone.operation(OperationID(1), of: phone.generation) == .completed(result))
            return result.status
        }
        #expect(try result(of: .setMuted(id, true), at: 3999) == .unknown)
        #expect(try result(of: .setMuted(id, true), at: 4000) == .timedOut)
        #expect(try result(of: .end(id), at: 3999) == .applied)
        #expect(try result(of: .end(id), at: 4000) == .timedOut)
    }

    @Test("P27, R88, R65: the end of a call that died unsaved reaches the server, and it never rings again")
    func stranger() {
        var phone = PhoneMachine()
        let action = ActionID(high: 1, low: 1)
        #expect(
            phone.handle(.endPerformed(action, id), at: Fixture.start) == [
                .save(.change), .connectSignaling, .send(id, .hangup(.localHangup)), .fulfil(action),
            ])
        #expect(phone.checkpoint(at: Fixture.start).owedSignals.map(\.word) == [.hangup(.localHangup)])
        #expect(phone.run(.invited(Fixture.invitation(id))) == [.tell(.ended(.localHangup), id)])
        // What is known to be over, and a throwaway report, mean nothing to the server.
        #expect(phone.run(.endPerformed(action, id)) == [.fulfil(action)])
        phone.run(.pushArrived(PushID(1), .undecodable, mustReport: true, spare: Fixture.spare))
        #expect(phone.run(.endPerformed(action, Fixture.spare)) == [.fulfil(action)])
    }

    @Test("R78: a checkpoint that was locked at launch is taken in later; what happened since stays")
    func lateCheckpoint() {
        var phone = PhoneMachine()
        phone.run(.server(Fixture.spare, .ended(.busy)), .invited(Fixture.invitation(CallID(high: 4, low: 4))))
        phone.run(.command(OperationID(9), .end(Fixture.spare)))
        phone.adopt(Fixture.checkpoint)
        let effects = phone.run(.launched)
        #expect(phone.generation == Fixture.generation)
        #expect(phone.snapshots.map(\.state) == [.incoming])
        #expect(ends(effects) == [.ended(.failed), .ended(.failed)])
        #expect(phone.ledger.reasonEnded(Fixture.spare) == .callerCancelled)  // the first reason counts
        #expect(phone.operation(OperationID(9), of: Fixture.generation) != .unavailable)
        #expect(phone.operation(OperationID(3), of: Fixture.generation) != .unavailable)
        #expect(phone.serverAhead == .milliseconds(-250))
    }

    @Test("A machine's state survives as a value, with operations and all") func coded() throws {
        var phone = PhoneMachine.talking()
        phone.run(.command(OperationID(1), .setMuted(id, true)))
        #expect(phone.checkpoint(at: Fixture.start).liveCalls.count == 1)
        let unread = PhoneMachine(checkpoint: Fixture.checkpoint)
        #expect(unread.checkpoint(at: Fixture.start) == Fixture.checkpoint)
    }
}
