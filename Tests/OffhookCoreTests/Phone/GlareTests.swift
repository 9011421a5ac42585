// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

/// Two people call each other (P22, races 7 and 8), on the phone of the one who was later.
@Suite struct GlareTests {
    private let own = Fixture.call
    private let theirs = Fixture.other
    private let action = Fixture.action
    private let details = CallDetails(handle: Fixture.alice, displayName: "Alice")

    /// A phone whose call to Alice is on its way to the server.
    private func calling() -> PhoneMachine {
        var phone = PhoneMachine()
        phone.run(.command(OperationID(1), .start(own, details)))
        return phone
    }

    @Test("P22, race 7: the invitation that crosses the own call neither rings nor is busy") func crossingInvitation() {
        var phone = calling()
        #expect(phone.run(.invited(Fixture.invitation(theirs))) == [.tell(.duplicate, theirs)])
        let effects = phone.run(
            .pushArrived(PushID(1), .invitation(Fixture.invitation(theirs)), mustReport: true, spare: Fixture.spare))
        #expect(effects.contains(.reportIncoming(Fixture.spare, Fixture.details)))  // the push is paid
        #expect(!effects.contains(.send(theirs, .busy)))
        #expect(phone.snapshots.map(\.id) == [own])
    }

    @Test("P22, race 7: the own call goes on in theirs: one call for CallKit, answered, as the callee") func joined() {
        var phone = calling()
        let effects = phone.run(.server(own, .joined(theirs)))
        #expect(effects.withoutPublishing == [.request(.start(theirs, details))])
        guard case .publish(let old)? = effects.first(where: { if case .publish = $0 { true } else { false } }) else {
            Issue.record("the own call's end is not published")
            return
        }
        #expect(old.id == own)
        #expect(old.continuesAs == theirs)
        #expect(phone.snapshots.map(\.id) == [theirs])
        #expect(phone.run(.server(theirs, .answered), .server(theirs, .media(Fixture.signal("x")))) == [])
        #expect(
            phone.run(.startPerformed(action, theirs)).withoutPublishing == [
                .configureAudio, .reportStartedConnecting(theirs, at: Fixture.start), .fulfil(action),
                .startMedia(theirs, offers: false), .deliverSignal(theirs, Fixture.signal("x")),
                .donate(theirs, details, .outgoing), .applied(OperationID(1), of: own),
            ])
        #expect(phone.run(.invited(Fixture.invitation(theirs))) == [.tell(.duplicate, theirs)])
    }

    @Test("race 7: a user who leaves the joined call hangs it up; a second word of the server is nothing") func leaves()
    {
        var phone = calling()
        phone.run(.server(own, .joined(theirs)))
        #expect(phone.run(.server(own, .joined(theirs))) == [])
        #expect(
            phone.run(.endPerformed(action, theirs)).withoutPublishing.first == .send(theirs, .hangup(.localHangup)))
        #expect(phone.snapshots == [])
    }
}
