// SPDX-License-Identifier: MIT

import Foundation

// G1, G5, G8, P41, T4: conferences and translation: what they need, and what they change.
extension PhoneCore {
    /// G5: the call leaves its group, then joins the other's; nil leaves it alone.
    mutating func applyGroup(with other: UUID?, to call: UUID) {
        guard let index = callIndex(call) else { return }
        if let other = other.flatMap({ callIndex($0) }) {
            calls[index].group = calls[other].group
        } else {
            calls[index].group = random.uuid()
            if !calls[index].isOnHold { takeLine(call) }
        }
        updateAudio()
    }

    /// P41: the user's Merge or Private needs every one of its actions: after one that failed the rest is dropped.
    mutating func dropRestOfMerge(_ id: UUID) {
        guard let transaction = transactions.first(where: { $0.uuid == id }), transaction.origin == .user,
            transaction.actions.contains(where: { if case .setGroup = $0.value.kind { true } else { false } })
        else { return }
        log(.phone, "drops the rest: a part of it failed", rule: "G5", app: transaction.bundle)
        for action in transaction.actions where action.state == .waiting {
            close(action.value.uuid, of: id, as: .dropped)
        }
    }

    /// Why an app may not do this to a call of its own; nil when it may.
    func lineError(of action: ActionValue, by configuration: ProviderConfigurationValue, bundle: String) -> Int? {
        guard let call = action.call.flatMap({ callIndex($0) }).map({ calls[$0] }) else { return nil }
        switch action.kind {
        case .setGroup(let other?):
            // T4: a call of others is unknown.
            guard let target = callIndex(other).map({ calls[$0] }) else { return 4 }
            if target.bundle != bundle { return settings.codeForCallsOfOthers }
            if target.uuid == call.uuid { return 6 }
            if settings.refusesUnsupportedGroup, !call.supportsGrouping || !target.supportsGrouping { return 6 }
            let isTooLarge = target.group != call.group && overfills(other)
            return settings.groupAboveMaximum == .refused && isTooLarge ? 6 : nil
        case .setGroup(nil):
            return settings.refusesUnsupportedGroup && !call.supportsUngrouping ? 6 : nil
        case .setTranslating(let isTranslating, _, _):
            return isTranslating && !canTranslate(call, by: configuration) ? 6 : nil
        case .start, .answer, .end, .setHeld, .setMuted, .playDTMF, .other: return nil
        }
    }

    /// Whether two calls, or conferences, can be merged on the system's screen (G5).
    func canMerge(_ held: CallRecord, into active: CallRecord) -> Bool {
        let joined = members(of: held.uuid) + members(of: active.uuid)
        guard held.bundle == active.bundle, held.group != active.group else { return false }
        let maximum =
            held.other != nil
            ? ProviderConfigurationValue().maximumCallsPerCallGroup
            : provider(for: held)?.provider.configuration.maximumCallsPerCallGroup ?? 1
        return joined.count <= maximum
            && joined.allSatisfy { $0.supportsGrouping && $0.phase == .connected && $0.other == held.other }
    }

    /// Whether a call can leave its conference on the system's screen: the others are held then (G5).
    func canSeparate(_ call: CallRecord) -> Bool {
        let group = members(of: call.uuid)
        return group.count > 1 && call.supportsUngrouping
            && group.allSatisfy { $0.uuid == call.uuid || $0.supportsHolding }
    }

    /// G8: from iOS 26 on, a connected call whose provider says that calls can be translated.
    func canTranslate(_ call: CallRecord, by configuration: ProviderConfigurationValue?) -> Bool {
        system >= SystemVersion(26) && call.phase == .connected
            && (call.other != nil || configuration?.supportsAudioTranslation == true)
    }

    mutating func applyTranslation(_ isTranslating: Bool, local: String, remote: String, to call: UUID) {
        guard let index = callIndex(call) else { return }
        calls[index].line.translation = isTranslating ? CallLine.Translation(local: local, remote: remote) : nil
    }

    /// R119: audio was stopped; who is muted while translated still has to be heard by the translator.
    mutating func checkTranslatedSound(of process: UUID) {
        guard let record = processes[process], !record.audio.isRunning, audio.active?.process == process,
            let call = calls.first(where: { $0.bundle == record.bundle && $0.isMuted && $0.line.translation != nil })
        else { return }
        violate(
            "R119", "audio was stopped for a muted call that is being translated",
            advice: "Mute the input and let it run: the translation needs the sound.", app: record.bundle,
            call: call.uuid)
    }
}
