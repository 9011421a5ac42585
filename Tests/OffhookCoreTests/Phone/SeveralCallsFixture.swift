// SPDX-License-Identifier: MIT

import OffhookCore

extension CallPolicy {
    /// Two groups of up to three calls, DTMF, video and translation.
    static var everything: CallPolicy {
        var policy = CallPolicy()
        policy.maximumCallGroups = 2
        policy.maximumCallsPerCallGroup = 3
        policy.canPlayTones = true
        policy.canShowVideo = true
        policy.canTranslate = true
        return policy
    }
}

extension PhoneMachine {
    /// A phone with that policy in a call with voice and an open window.
    static func able(_ policy: CallPolicy = .everything) -> PhoneMachine {
        var phone = PhoneMachine(policy: policy)
        phone.ring(Fixture.call)
        phone.talk(Fixture.call)
        phone.run(.audioActivated)
        return phone
    }

    /// A phone in a call on which a second one waits.
    static func waiting(_ policy: CallPolicy = .everything) -> PhoneMachine {
        var phone = able(policy)
        phone.ring(Fixture.other)
        return phone
    }

    /// A phone with a held call and one with voice.
    static func two(_ policy: CallPolicy = .everything) -> PhoneMachine {
        var phone = waiting(policy)
        phone.run(.holdPerformed(Fixture.action, Fixture.call, true))
        phone.talk(Fixture.other)
        return phone
    }

    /// A phone with two calls in one group.
    static func group() -> PhoneMachine {
        var phone = two()
        phone.run(.groupPerformed(Fixture.action, Fixture.call, with: Fixture.other))
        return phone
    }

    /// Lets a call ring.
    mutating func ring(_ call: CallID) {
        run(.invited(Fixture.invitation(call)), .reportCompleted(call, nil))
    }

    /// Answers a ringing call, up to its first voice.
    mutating func talk(_ call: CallID) {
        run(.answerPerformed(Fixture.action, call), .server(call, .answered), .media(call, .arrived))
    }

    /// The state of a call, as the app sees it.
    func state(_ call: CallID) -> Call.State? {
        self[call]?.state
    }

    /// A call, as the app sees it.
    subscript(_ call: CallID) -> Call? {
        snapshots.first { $0.id == call }
    }

    /// Why a command is not done; nil when it is done or on its way.
    func refusal(of command: Command, at now: Instant = Fixture.start) -> CallFailure.Code? {
        var phone = self
        let effects = phone.run(.command(OperationID(77), command), at: now)
        return effects.compactMap(\.failure?.code).first
    }
}

extension PhoneEffect {
    /// The session's hold gate is turned, and the other side hears of it.
    static func gate(_ call: CallID, held: Bool) -> [PhoneEffect] {
        [.setMediaHeld(call, held), .send(call, .update(PeerUpdate(held: held)))]
    }

    /// The session's mute gate is turned, and the other side hears of it.
    static func gate(_ call: CallID, muted: Bool) -> [PhoneEffect] {
        [.setMediaMuted(call, muted), .send(call, .update(PeerUpdate(muted: muted)))]
    }
}
