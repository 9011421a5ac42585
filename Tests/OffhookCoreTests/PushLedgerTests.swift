// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct PushLedgerTests {
    private let push = PushID(1)
    private let call = Fixture.call
    private let spare = Fixture.spare

    private func arrival(
        _ content: PushContent = .invitation(Fixture.invitation()), mustReport: Bool = true, push: PushID = PushID(1)
    ) -> PushLedger.Event {
        .pushArrived(push, content, mustReport: mustReport, spare: spare)
    }

    @Test("R60, R64, C3: a valid invitation rings, whatever mustReport says", arguments: [true, false])
    func valid(_ mustReport: Bool) {
        var ledger = PushLedger()
        #expect(
            ledger.handle(arrival(mustReport: mustReport), at: Fixture.start)
                == [.ring(Fixture.invitation()), .tell(.accepted, call)])
        #expect(ledger.handle(.reportCompleted(call), at: Fixture.start) == [.completePush(push)])
        #expect(ledger.handle(.reportCompleted(call), at: Fixture.start) == [])
    }

    @Test("R63, P01: what cannot be read is reported under a fresh UUID and ended") func undecodable() {
        var ledger = PushLedger()
        #expect(
            ledger.handle(arrival(.undecodable), at: Fixture.start) == [
                .reportSpare(spare, CallDetails(handle: Handle(value: "unknown"))), .tell(.undecodable, nil),
            ])
        #expect(
            ledger.handle(.reportCompleted(spare), at: Fixture.start)
                == [.endSpare(spare, .failed), .completePush(push)])
    }

    @Test("R64: with mustReport false what must not ring is only completed") func notDue() {
        var ledger = PushLedger()
        #expect(
            ledger.handle(arrival(.undecodable, mustReport: false), at: Fixture.start)
                == [.tell(.undecodable, nil), .completePush(push)])
    }

    @Test("R62, C4: a repeat of a live call never touches it") func duplicate() {
        var ledger = PushLedger()
        _ = ledger.handle(arrival(), at: Fixture.start)
        #expect(
            ledger.handle(arrival(push: PushID(2)), at: Fixture.start)
                == [.reportSpare(spare, Fixture.details), .tell(.duplicate, call)])
        #expect(
            ledger.handle(.reportCompleted(spare), at: Fixture.start)
                == [.endSpare(spare, .failed), .completePush(PushID(2))])
    }

    @Test("R65: a cancel before the invitation keeps it from ringing") func cancelFirst() {
        var ledger = PushLedger()
        _ = ledger.handle(.callEnded(call, .callerCancelled), at: Fixture.start)
        #expect(
            ledger.handle(arrival(), at: Fixture.start)
                == [.reportSpare(spare, Fixture.details), .tell(.ended(.callerCancelled), call)])
        #expect(
            ledger.handle(.reportCompleted(spare), at: Fixture.start)
                == [.endSpare(spare, .callerCancelled), .completePush(push)])
    }

    @Test("race 11: at exactly its age an invitation is valid, a millisecond later it is not") func boundary() {
        let content = PushContent.invitation(Fixture.invitation(expiresAt: Fixture.at(1000)))
        var onTime = PushLedger()
        #expect(onTime.handle(arrival(content), at: Fixture.at(1000)).last == .tell(.accepted, call))
        var late = PushLedger()
        #expect(late.handle(arrival(content), at: Fixture.at(1001)).last == .tell(.expired, call))
        #expect(
            late.handle(.reportCompleted(spare), at: Fixture.at(1001))
                == [.endSpare(spare, .unanswered), .completePush(push)])
    }

    @Test("R66: a turned-away invitation leaves a tombstone") func tombstones() {
        var ledger = PushLedger()
        _ = ledger.handle(.callBegan(Fixture.other), at: Fixture.start)
        #expect(ledger.handle(arrival(), at: Fixture.start).last == .tell(.busy, call))
        _ = ledger.handle(.callEnded(Fixture.other, .localHangup), at: Fixture.start)
        #expect(ledger.handle(arrival(), at: Fixture.start).last == .tell(.ended(.busy), call))
        var expired = PushLedger()
        _ = expired.handle(arrival(), at: Fixture.at(60_001))
        #expect(expired.handle(arrival(), at: Fixture.at(60_002)).last == .tell(.ended(.unanswered), call))
    }

    @Test("C7: expired is said before busy") func expiredBeforeBusy() {
        var ledger = PushLedger()
        _ = ledger.handle(.callBegan(Fixture.other), at: Fixture.start)
        #expect(ledger.handle(arrival(), at: Fixture.at(60_001)).last == .tell(.expired, call))
    }

    @Test("R68, race 13: push and socket together ring once") func pushAndSocket() {
        var ledger = PushLedger()
        #expect(
            ledger.handle(.invited(Fixture.invitation()), at: Fixture.start)
                == [.ring(Fixture.invitation()), .tell(.accepted, call)])
        #expect(
            ledger.handle(arrival(), at: Fixture.start)
                == [.reportSpare(spare, Fixture.details), .tell(.duplicate, call)])
        #expect(ledger.handle(.invited(Fixture.invitation()), at: Fixture.start) == [.tell(.duplicate, call)])
    }

    @Test("R22: a reset completes the pushes whose reports are never answered") func reset() {
        var ledger = PushLedger()
        _ = ledger.handle(arrival(), at: Fixture.start)
        _ = ledger.handle(arrival(.undecodable, push: PushID(2)), at: Fixture.start)
        #expect(ledger.handle(.reset, at: Fixture.start) == [.completePush(push), .completePush(PushID(2))])
    }

    @Test("R87: ended calls are remembered for a day, a thousand of them") func memory() {
        var ledger = PushLedger()
        for number in 0...1000 {
            let call = CallID(high: 5, low: UInt64(number))
            _ = ledger.handle(.callEnded(call, .remoteEnded), at: Fixture.start)
        }
        #expect(ledger.reasonEnded(CallID(high: 5, low: 0)) == nil)
        #expect(ledger.reasonEnded(CallID(high: 5, low: 1)) == .remoteEnded)
        let day = Fixture.start + PushLedger.memory
        _ = ledger.handle(.callEnded(call, .remoteEnded), at: day)
        #expect(ledger.reasonEnded(CallID(high: 5, low: 2)) == .remoteEnded)
        _ = ledger.handle(.callEnded(Fixture.other, .remoteEnded), at: day + .milliseconds(1))
        #expect(ledger.reasonEnded(CallID(high: 5, low: 2)) == nil)
        #expect(ledger.reasonEnded(call) == .remoteEnded)
    }
}
