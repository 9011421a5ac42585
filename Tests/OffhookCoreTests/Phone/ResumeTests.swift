// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

/// A call that is taken off hold, and the audio session that does not come back (P33).
@Suite struct ResumeTests {
    private let id = Fixture.call
    private let action = Fixture.action
    private let next = Fixture.second

    /// A call that was held, and whose session the phone took away.
    private func silenced() -> PhoneMachine {
        var phone = PhoneMachine.able()
        phone.run(.holdPerformed(action, id, true), .audioDeactivated)
        return phone
    }

    @Test("R47, G3: off hold, then the session: only then does the call speak") func sessionComes() {
        var phone = silenced()
        phone.run(.command(OperationID(1), .setHeld(id, false)))
        #expect(phone.run(.holdPerformed(next, id, false)).withoutPublishing == [.fulfil(next)])
        #expect(phone.state(id) == .held)
        #expect(phone[id]?.isResuming == true)
        #expect(
            phone.run(.audioActivated).withoutPublishing
                == [.setAudioOpen(id, true)] + PhoneEffect.gate(id, held: false) + [.applied(OperationID(1))])
        #expect(phone.state(id) == .active)
        #expect(phone[id]?.isResuming == false)
    }

    @Test("P33: without a session CallKit is asked once more, then the call goes back on hold") func sessionStaysAway()
    {
        var phone = silenced()
        phone.run(.holdPerformed(next, id, false))
        #expect(phone.deadline == Fixture.at(2000))
        #expect(phone.run(.tick, at: Fixture.at(1999)) == [])
        #expect(phone.run(.tick, at: Fixture.at(2000)) == [.request(.setHeld(id, false))])
        #expect(phone.run(.holdPerformed(action, id, false), at: Fixture.at(2010)) == [.fulfil(action)])
        #expect(phone.state(id) == .held)
        #expect(
            phone.run(.tick, at: Fixture.at(4000)).withoutPublishing == [.request(.setHeld(id, true))])
        #expect(phone.run(.holdPerformed(next, id, true), at: Fixture.at(4010)) == [.fulfil(next)])
        #expect(phone.state(id) == .held)
        #expect(phone[id]?.isResuming == false)
        #expect(phone.deadline == nil)
    }

    @Test("P33: a session that is lost in the call is not claimed to flow, and is asked for") func sessionLost() {
        var phone = PhoneMachine.able()
        #expect(phone.run(.audioDeactivated).withoutPublishing == [.setAudioOpen(id, false)])
        #expect(phone.state(id) == .held)
        #expect(phone.run(.tick, at: Fixture.at(2000)) == [.request(.setHeld(id, false))])
        #expect(phone.run(.audioActivated, at: Fixture.at(2100)).withoutPublishing == [.setAudioOpen(id, true)])
        #expect(phone.state(id) == .active)
        phone.run(.audioDeactivated, at: Fixture.at(3000))
        phone.run(.tick, at: Fixture.at(5000))
        #expect(
            phone.run(.tick, at: Fixture.at(7000)).withoutPublishing
                == PhoneEffect.gate(id, held: true) + [.request(.setHeld(id, true))])
    }

    @Test("P33: held again, or ended, while it waits") func heldAgain() {
        var phone = silenced()
        phone.run(.holdPerformed(next, id, false))
        #expect(phone.run(.holdPerformed(action, id, true)).withoutPublishing == [.fulfil(action)])
        #expect(phone[id]?.isResuming == false)
        phone.run(.holdPerformed(next, id, false))
        #expect(
            phone.run(.server(id, .ended(.remoteEnded))).withoutPublishing
                == [.stopMedia(id), .reportEnded(id, .remoteEnded, at: Fixture.start)])
    }

    @Test("R29: off hold without a session, in a state that cannot be held") func impossible() {
        var phone = PhoneMachine.ringing()
        #expect(phone.run(.holdPerformed(next, id, false)) == [.fail(next)])
        var early = PhoneMachine(policy: .everything)
        early.ring(id)
        early.talk(id)
        #expect(early.run(.holdPerformed(next, id, false)) == [.fulfil(next)])
    }
}
