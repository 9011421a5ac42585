// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@Suite struct VideoTests {
    private let id = Fixture.call
    private let action = Fixture.action
    private let next = Fixture.second
    private let open = Surroundings(isForeground: true, mayUseCamera: true)
    private let locked = Surroundings(isForeground: false, isUnlocked: false, mayUseCamera: true)

    private func update(_ video: Bool) -> PhoneEffect {
        .send(id, .update(PeerUpdate(video: video)))
    }

    private func report(_ video: Bool) -> PhoneEffect {
        var details = Fixture.details
        details.video = video
        return .reportUpdated(id, details)
    }

    /// A call that was offered with or without video and is answered.
    private func phone(video: Bool, in surroundings: Surroundings) -> PhoneMachine {
        var phone = PhoneMachine(policy: .everything)
        phone.run(.surroundingsChanged(surroundings))
        var invitation = Fixture.invitation()
        invitation.video = video
        phone.run(.invited(invitation), .reportCompleted(id, nil))
        phone.talk(id)
        return phone
    }

    @Test("R114: a video call that is answered in the app begins with the camera") func beginsWithCamera() {
        var phone = PhoneMachine(policy: .everything)
        phone.run(.surroundingsChanged(open))
        var invitation = Fixture.invitation()
        invitation.video = true
        phone.run(.invited(invitation), .reportCompleted(id, nil), .answerPerformed(action, id))
        #expect(
            phone.run(.server(id, .answered)).withoutPublishing == [
                .fulfil(action), .startMedia(id, offers: false), .setCamera(id, .front), update(true),
                .donate(id, invitation.details, .incoming),
            ])
        #expect(phone[id]?.localVideo == .on)
        #expect(phone[id]?.cameraFacing == .front)
        #expect(phone.state(id) == .connecting)  // active is voice
    }

    @Test("R76, P55: answered on the lock screen it begins with voice; the camera waits for the user")
    func lockedAnswer() {
        var phone = phone(video: true, in: locked)
        #expect(phone[id]?.localVideo == .off)
        #expect(phone[id]?.details.video == true)  // as it was offered
        #expect(phone.refusal(of: .setCamera(id, true)) == .mediaNotReady)
        #expect(phone.run(.surroundingsChanged(open)) == [])
        #expect(
            phone.run(.command(OperationID(1), .setCamera(id, true))).withoutPublishing
                == [.setCamera(id, .front), update(true), report(true), .applied(OperationID(1))])
    }

    @Test("R116: CallKit's flag follows the camera, into the background and back") func background() {
        var phone = phone(video: false, in: open)
        phone.run(.command(OperationID(1), .setCamera(id, true)))
        #expect(
            phone.run(.surroundingsChanged(locked)).withoutPublishing
                == [.setCamera(id, nil), update(false), report(false)])
        #expect(phone[id]?.localVideo == .blocked)
        #expect(phone[id]?.cameraFacing == .front)
        #expect(
            phone.run(.surroundingsChanged(open)).withoutPublishing
                == [.setCamera(id, .front), update(true), report(true)])
        #expect(phone.run(.surroundingsChanged(open)) == [])
        #expect(
            phone.run(.command(OperationID(2), .setCamera(id, false))).withoutPublishing
                == [.setCamera(id, nil), update(false), report(false), .applied(OperationID(2))])
        #expect(phone[id]?.cameraFacing == nil)
    }

    @Test("R115: the other camera: at once while on, remembered while off") func switchCamera() {
        var phone = phone(video: false, in: open)
        #expect(
            phone.run(.command(OperationID(1), .switchCamera(id, .back))) == [.applied(OperationID(1))])
        #expect(
            phone.run(.command(OperationID(2), .setCamera(id, true))).withoutPublishing
                == [.setCamera(id, .back), update(true), report(true), .applied(OperationID(2))])
        #expect(
            phone.run(.command(OperationID(3), .switchCamera(id, .front))).withoutPublishing
                == [.setCamera(id, .front), .applied(OperationID(3))])
        #expect(phone.run(.command(OperationID(4), .switchCamera(id, .front))) == [.applied(OperationID(4))])
    }

    @Test("R115: the table of refusals") func refusals() {
        var ringing = PhoneMachine(policy: .everything)
        ringing.ring(id)
        #expect(ringing.refusal(of: .setCamera(id, true)) == .invalidState)
        #expect(ringing.refusal(of: .switchCamera(id, .back)) == .invalidState)
        ringing.run(.answerPerformed(action, id), .surroundingsChanged(open))
        #expect(ringing.refusal(of: .setCamera(id, true)) == .mediaNotReady)  // not won yet
        let plain = PhoneMachine.talking()
        #expect(plain.refusal(of: .setCamera(id, true)) == .unsupported)
        #expect(plain.refusal(of: .switchCamera(id, .back)) == .unsupported)
        var denied = open
        denied.mayUseCamera = false
        #expect(phone(video: true, in: denied).refusal(of: .setCamera(id, true)) == .permissionDenied)
        #expect(phone(video: true, in: denied).refusal(of: .setCamera(id, false)) == nil)
    }

    @Test("A held call shows no picture; off hold the camera comes back") func held() {
        var phone = phone(video: false, in: open)
        phone.run(.audioActivated, .command(OperationID(1), .setCamera(id, true)))
        #expect(
            phone.run(.holdPerformed(next, id, true)).withoutPublishing
                == PhoneEffect.gate(id, held: true)
                + [.setCamera(id, nil), update(false), report(false), .fulfil(next)])
        #expect(phone[id]?.localVideo == .blocked)
        #expect(
            phone.run(.holdPerformed(next, id, false)).withoutPublishing
                == PhoneEffect.gate(id, held: false)
                + [.setCamera(id, .front), update(true), report(true), .fulfil(next)])
    }

    @Test("R114: the other side's picture comes and goes, and is no state") func remoteVideo() {
        var phone = phone(video: true, in: open)
        phone.run(.media(id, .remoteVideo(true)))
        #expect(phone[id]?.remoteVideo == true)
        #expect(phone.state(id) == .active)
        phone.run(.media(id, .remoteVideo(false)), .server(id, .update(PeerUpdate(video: false))))
        #expect(phone[id]?.remoteVideo == false)
        #expect(phone[id]?.peer.video == false)
        var ringing = PhoneMachine.ringing()
        #expect(ringing.run(.media(id, .remoteVideo(true))) == [])
    }
}
