// SPDX-License-Identifier: MIT

import Foundation

// A1, E1, G2, G4-G8, P41: what the user taps.
extension PhoneCore {
    mutating func perform(_ action: UserAction) throws(PhoneUserError) {
        switch action {
        case .choose(let choice, let call): try choose(choice, call: call)
        case .hangUp(let call): try hangUp(call)
        case .setMuted(let isMuted, let call):
            let entry = try ongoing(call)
            log(.user, isMuted ? "tapped Mute" : "tapped Unmute", rule: "G6", call: entry[0].uuid, app: entry[0].bundle)
            startTransaction(entry.map { ($0.uuid, .setMuted(isMuted)) }, origin: .user)
        case .setHeld(let isOnHold, let call): try setHeld(isOnHold, call: call)
        case .swap:
            guard let held = ongoingCalls.last(where: \.isOnHold), activeCall != nil else { throw .notOffered("swap") }
            try setHeld(false, call: held.uuid)
        case .merge: try merge()
        case .separate(let call): try separate(call)
        case .playTone(let digits, let call): try playTones(digits, call: call)
        case .setTranslating(let isTranslating, let local, let remote, let call):
            let entry = try ongoing(call)
            guard canTranslate(entry[0], by: provider(for: entry[0])?.provider.configuration) else {
                throw .notOffered("translation")
            }
            log(
                .user, isTranslating ? "started the translation" : "stopped the translation", rule: "G8",
                call: entry[0].uuid, app: entry[0].bundle)
            startTransaction(
                entry.map { ($0.uuid, .setTranslating(isTranslating, localLanguage: local, remoteLanguage: remote)) },
                origin: .user)
        case .silence:
            guard !ringingCalls.isEmpty else { throw .nothingRings }
            for index in calls.indices where calls[index].phase == .ringing { calls[index].isSilenced = true }
            log(.user, "silenced the ringing", rule: "I6")
        case .tapRecent(let call): try tapRecent(call)
        case .requestCall(let source, let handle, let isVideo, let app):
            try requestCall(source, handle: handle, isVideo: isVideo, app: app)
        case .intend(let intention): intend(intention)
        }
    }

    /// The red button: of a conference it ends every call (E1).
    private mutating func hangUp(_ call: UUID?) throws(PhoneUserError) {
        let entry = try ongoing(call)
        let ended = call == nil ? entry : entry.filter { $0.uuid == call }
        log(.user, "tapped End", rule: "E1", call: ended[0].uuid, app: ended[0].bundle)
        startTransaction(ended.map { ($0.uuid, .end) }, origin: .user)
    }

    private mutating func setHeld(_ isOnHold: Bool, call: UUID?) throws(PhoneUserError) {
        let entry = try ongoing(call)
        // O4: without the capability the button is grey.
        guard !isOnHold || entry.allSatisfy(\.supportsHolding) else { throw .notOffered("hold") }
        if !isOnHold, let active = activeCall, active.group != entry[0].group { return try swap(active, with: entry) }
        log(.user, isOnHold ? "tapped Hold" : "tapped Unhold", rule: "G2", call: entry[0].uuid, app: entry[0].bundle)
        startTransaction(entry.map { ($0.uuid, .setHeld(isOnHold)) }, origin: .user)
    }

    /// G2, G4: one call is held, then the other is taken off hold; across apps each in a transaction of its own.
    private mutating func swap(_ active: CallRecord, with held: [CallRecord]) throws(PhoneUserError) {
        let group = members(of: active.uuid)
        guard group.allSatisfy(\.supportsHolding) else { throw .notOffered("swap") }
        log(.user, "tapped Swap", rule: "G4", call: held[0].uuid, app: held[0].bundle)
        inTurn(group.map { ($0.uuid, .setHeld(true)) }, held.map { ($0.uuid, .setHeld(false)) })
    }

    /// Two steps of the user's: in one transaction when one app performs both.
    private mutating func inTurn(_ first: [(UUID, ActionValue.Kind)], _ second: [(UUID, ActionValue.Kind)]) {
        let owners = Set((first + second).compactMap { callIndex($0.0) }.map { calls[$0].bundle })
        if owners.count <= 1 {
            startTransaction(first + second, origin: .user)
        } else {
            let room = startTransaction(first, origin: .user)
            startTransaction(second, origin: .user, after: room)
        }
    }

    /// P41: the held call is taken off hold, then joins the active one (G5).
    private mutating func merge() throws(PhoneUserError) {
        guard let active = activeCall, let held = mergeable(with: active) else { throw .notOffered("merge") }
        let joining = members(of: held.uuid)
        log(.user, "tapped Merge", rule: "P41", call: held.uuid, app: held.bundle)
        startTransaction(
            joining.map { ($0.uuid, .setHeld(false)) } + joining.map { ($0.uuid, .setGroup(with: active.uuid)) },
            origin: .user)
    }

    func mergeable(with active: CallRecord) -> CallRecord? {
        ongoingCalls.last { $0.isOnHold && canMerge($0, into: active) }
    }

    /// Private: the call leaves its conference, whose other calls are held (G5).
    private mutating func separate(_ call: UUID) throws(PhoneUserError) {
        guard let record = ongoingCalls.first(where: { $0.uuid == call }) else { throw .unknownCall(call) }
        guard canSeparate(record) else { throw .notOffered("private") }
        log(.user, "tapped Private", rule: "G5", call: call, app: record.bundle)
        let others = members(of: call).filter { $0.uuid != call }
        startTransaction(
            [(call, .setGroup(with: nil))] + others.map { ($0.uuid, .setHeld(true)) }, origin: .user)
    }

    private mutating func playTones(_ typed: String, call: UUID?) throws(PhoneUserError) {
        let entry = try ongoing(call)
        guard let record = entry.first(where: \.supportsDTMF) else { throw .notOffered("keypad") }
        guard let tones = PhoneCore.tones(of: typed) else { throw .notOffered("this keypad entry") }
        log(.user, "tapped the keypad", rule: "G7", call: record.uuid, app: record.bundle)
        play(tones, on: record.uuid)
    }

    // MARK: - Incoming

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
        if choice != .decline { followAnswer() }  // P34
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
        userAnswered(record.uuid)
        endSurplusRinging(besides: record)
    }

    /// G2: first the active call's action, then the answer.
    private mutating func answer(_ call: CallRecord, after kind: ActionValue.Kind) {
        let active = activeCall.map { members(of: $0.uuid) } ?? []
        inTurn(active.map { ($0.uuid, kind) }, [(call.uuid, .answer)])
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

    // MARK: - Which calls are where

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
        let ongoing = ongoingCalls.filter { !$0.isOnHold }
        return ongoing.last { $0.line.activation == ongoing.map(\.line.activation).max() }
    }

    /// A call with those it is in a conference with, itself first; nil is the active one.
    private func ongoing(_ id: UUID?) throws(PhoneUserError) -> [CallRecord] {
        let ongoing = ongoingCalls
        guard let last = ongoing.last else { throw .noCall }
        let call: CallRecord
        if let id {
            guard let found = ongoing.first(where: { $0.uuid == id }) else { throw .unknownCall(id) }
            call = found
        } else {
            call = activeCall ?? last
        }
        return [call] + ongoing.filter { $0.group == call.group && $0.uuid != call.uuid }
    }

    /// G2, R19: what the card of a ringing call offers.
    func choices(for call: CallRecord) -> [AnswerChoice] {
        guard let active = activeCall else { return [.answer, .decline] }
        let maximum = provider(for: call)?.provider.configuration.maximumCallGroups ?? 2
        let hasRoom = active.bundle != call.bundle || liveGroupsNotEnding(of: call.bundle) <= maximum
        let canHold = members(of: active.uuid).allSatisfy(\.supportsHolding)
        return (canHold && hasRoom ? [.holdAndAccept] : []) + [.endAndAccept, .decline]
    }
}
