// SPDX-License-Identifier: MIT

import Foundation

// The person's standing intentions, in the phone's time.
extension PhoneCore {
    mutating func intend(_ intention: UserIntention?) {
        person = Person(intention: intention, since: now)
    }

    /// When the person does something about a call; nil when never.
    func personActs(on call: CallRecord) -> Date? {
        guard let intention = person.intention, !call.isEnding else { return nil }
        if call.phase == .ringing {
            guard let time = intention.ringTime, !call.line.personActedOnRing else { return nil }
            return max(call.createdAt, person.since).addingTimeInterval(time / .seconds(1))
        }
        guard let time = intention.talkTime, !call.line.personHungUp, call.phase == .connected,
            let start = call.line.connectedSince
        else { return nil }
        return max(start, person.since).addingTimeInterval(time / .seconds(1))
    }

    mutating func personActs(onCall call: UUID) {
        guard let intention = person.intention, let index = callIndex(call) else { return }
        let isRinging = calls[index].phase == .ringing
        if isRinging { calls[index].line.personActedOnRing = true } else { calls[index].line.personHungUp = true }
        do throws(PhoneUserError) {
            try perform(isRinging ? .choose(intention.choice, call: call) : .hangUp(call: call))
        } catch {
            log(.user, "wanted to act on a call and could not", rule: "E1", call: call, app: calls[index].bundle)
        }
    }
}
