// SPDX-License-Identifier: MIT

import Foundation

// A1, E1, G2, G6, G7, I8: what the user taps.
extension PhoneCore {
    mutating func perform(_ action: UserAction) throws(PhoneUserError) {
        switch action {
        case .choose(let choice, let call): try choose(choice, call: call)
        case .hangUp(let call):
            let record = try ongoing(call)
            log(.user, "tapped End", rule: "E1", call: record.uuid, app: record.bundle)
            endThroughAction(record.uuid, origin: .user)
        case .setMuted(let isMuted, let call):
            let record = try ongoing(call)
            log(.user, isMuted ? "tapped Mute" : "tapped Unmute", rule: "G6", call: record.uuid, app: record.bundle)
            startTransaction([(record.uuid, .setMuted(isMuted))], origin: .user)
        case .setHeld(let isOnHold, let call):
            let record = try ongoing(call)
            // O4: without the capability the button is grey.
            guard record.supportsHolding || !isOnHold else { throw .notOffered("hold") }
            if !isOnHold, let active = activeCall, active.uuid != record.uuid {
                return try swap(active, record)
            }
            log(.user, isOnHold ? "tapped Hold" : "tapped Unhold", rule: "G2", call: record.uuid, app: record.bundle)
            startTransaction([(record.uuid, .setHeld(isOnHold))], origin: .user)
        case .playTone(let digits, let call):
            let record = try ongoing(call)
            guard !digits.isEmpty else { throw .notOffered("an empty keypad entry") }
            log(.user, "tapped the keypad", rule: "G7", call: record.uuid, app: record.bundle)
            // One action per digit, each after the one before (G7).
            startTransaction(
                digits.map { (record.uuid, .playDTMF(digits: String($0), type: 1)) }, origin: .user)
        case .silence:
            guard calls.contains(where: { $0.phase == .ringing }) else { throw .nothingRings }
            for index in calls.indices where calls[index].phase == .ringing { calls[index].isSilenced = true }
            log(.user, "silenced the ringing", rule: "I6")
        }
    }

    /// G2, G4: one call is held, then the other is taken off hold.
    private mutating func swap(_ active: CallRecord, _ held: CallRecord) throws(PhoneUserError) {
        guard active.supportsHolding else { throw .notOffered("swap") }
        log(.user, "tapped Swap", rule: "G4", call: held.uuid, app: held.bundle)
        if active.bundle == held.bundle {
            startTransaction([(active.uuid, .setHeld(true)), (held.uuid, .setHeld(false))], origin: .user)
        } else {
            startTransaction([(active.uuid, .setHeld(true))], origin: .user)
            startTransaction([(held.uuid, .setHeld(false))], origin: .user)
        }
    }

    private mutating func choose(_ wanted: AnswerChoice, call id: UUID?) throws(PhoneUserError) {
        let ringing = ringingCalls
        guard !ringing.isEmpty else { throw .nothingRings }
        guard let record = id == nil ? ringing.first : ringing.first(where: { $0.uuid == id }) else {
            throw .unknownCall(id ?? UUID())
        }
        let choices = choices(for: record)
        var choice = wanted
        if choice == .answer, !choices.contains(.answer) {
            choice = choices.contains(.holdAndAccept) ? .holdAndAccept : .endAndAccept
        }
        guard choices.contains(choice) else { throw .notOffered(choice.rawValue) }
        let surface = isLocked ? " on the lock screen" : ""
        switch choice {
        case .decline:
            log(.user, "tapped Decline\(surface)", rule: "E1", call: record.uuid, app: record.bundle)
            if let index = callIndex(record.uuid) { calls[index].wasDeclined = true }
            endThroughAction(record.uuid, origin: .user)
            return
        case .answer:
            log(.user, "tapped Answer\(surface)", rule: "A1", call: record.uuid, app: record.bundle)
            startTransaction([(record.uuid, .answer)], origin: .user)
        case .holdAndAccept:
            log(.user, "tapped Hold & Accept\(surface)", rule: "G2", call: record.uuid, app: record.bundle)
            answer(record, after: .setHeld(true))
        case .endAndAccept:
            log(.user, "tapped End & Accept\(surface)", rule: "G2", call: record.uuid, app: record.bundle)
            answer(record, after: .end)
        }
        endSurplusRinging(besides: record)
    }

    /// G2: first the active call's action, then the answer; across apps each gets a transaction of its own.
    private mutating func answer(_ call: CallRecord, after kind: ActionValue.Kind) {
        guard let active = activeCall else { return startTransaction([(call.uuid, .answer)], origin: .user) }
        if active.bundle == call.bundle {
            startTransaction([(active.uuid, kind), (call.uuid, .answer)], origin: .user)
        } else {
            startTransaction([(active.uuid, kind)], origin: .user)
            startTransaction([(call.uuid, .answer)], origin: .user)
        }
    }

    /// I8: with no group left for them, the other ringing calls end.
    private mutating func endSurplusRinging(besides answered: CallRecord) {
        guard let maximum = provider(for: answered)?.provider.configuration.maximumCallGroups else { return }
        for other in ringingCalls.reversed() where other.bundle == answered.bundle && other.uuid != answered.uuid {
            guard liveGroupsNotEnding(of: answered.bundle) > maximum else { return }
            log(.phone, "no group is left for the other call", rule: "I8", call: other.uuid, app: other.bundle)
            endThroughAction(other.uuid, origin: .phone)
        }
    }

    private func liveGroupsNotEnding(of bundle: String) -> Int {
        Set(calls.filter { $0.bundle == bundle && !$0.isEnding }.map(\.group)).count
    }

    /// The calls whose card is on the screen.
    var ringingCalls: [CallRecord] {
        calls.filter { $0.phase == .ringing && !$0.isEnding }
    }

    /// The calls whose in-call screen can be seen.
    var ongoingCalls: [CallRecord] {
        calls.filter { $0.phase != .ringing && !$0.isEnding }
    }

    /// The call that the in-call screen shows: one that is not held before one that is.
    var activeCall: CallRecord? {
        ongoingCalls.last { !$0.isOnHold }
    }

    private func ongoing(_ id: UUID?) throws(PhoneUserError) -> CallRecord {
        let ongoing = ongoingCalls
        guard !ongoing.isEmpty else { throw .noCall }
        guard let id else { return activeCall ?? ongoing[ongoing.count - 1] }
        guard let call = ongoing.first(where: { $0.uuid == id }) else { throw .unknownCall(id) }
        return call
    }

    /// G2, R19: what the card of a ringing call offers.
    func choices(for call: CallRecord) -> [AnswerChoice] {
        guard let active = activeCall else { return [.answer, .decline] }
        let maximum = provider(for: call)?.provider.configuration.maximumCallGroups ?? 2
        let hasRoom = active.bundle != call.bundle || liveGroupsNotEnding(of: call.bundle) <= maximum
        return (active.supportsHolding && hasRoom ? [.holdAndAccept] : []) + [.endAndAccept, .decline]
    }
}
