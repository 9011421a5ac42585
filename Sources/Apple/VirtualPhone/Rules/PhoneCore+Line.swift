// SPDX-License-Identifier: MIT

import Foundation

// G2-G4: of all the phone's calls one is active; who wants to be it waits until the line is free.
extension PhoneCore {
    /// The call became active, or is about to.
    mutating func takeLine(_ call: UUID) {
        guard let index = callIndex(call) else { return }
        lastActivation += 1
        calls[index].line.activation = lastActivation
        if calls[index].phase == .connected, calls[index].line.connectedSince == nil {
            calls[index].line.connectedSince = now
        }
    }

    /// The calls that hold together: a conference, or the call alone (G5).
    func members(of call: UUID) -> [CallRecord] {
        guard let group = callIndex(call).map({ calls[$0].group }) else { return [] }
        return calls.filter { $0.group == group && $0.phase != .ringing && !$0.isEnding }
    }

    func isOpen(_ transaction: UUID) -> Bool {
        transactions.contains { $0.uuid == transaction }
    }

    /// Goes on with what waited for a transaction that is over, then sees to it that one call is active.
    mutating func advanceLine() {
        while true {
            if let index = lineSteps.firstIndex(where: { !isOpen($0.after) }) {
                let step = lineSteps.remove(at: index)
                performBySystem([(step.call, step.kind)], origin: step.origin, after: nil)
            } else if let index = transactions.firstIndex(where: { $0.after.map { !isOpen($0) } ?? false }) {
                release(index)
            } else {
                break
            }
        }
        keepOneActive()
    }

    private mutating func release(_ index: Int) {
        transactions[index].after = nil
        let transaction = transactions[index]
        if transaction.origin != .app {
            // The system makes an action when it is its turn (T6).
            transactions[index].setDeadlines(
                ofWaiting: transaction.actions.map { date(after: limit(of: $0.value.kind)) })
        }
        if transaction.stage == .performing {
            performNext(of: transaction.uuid)
        } else if !transaction.awaitsCompletion {
            offer(transaction.uuid)
        }
    }

    /// Whether a transaction has to wait: it makes a call active and does not itself hold or end the active one.
    ///
    /// `next` is the action that is about to be performed; nil looks at all of them.
    mutating func waitsForLine(_ id: UUID, next: Int? = nil) -> Bool {
        guard settings.makesRoomForActiveCall, let index = transactions.firstIndex(where: { $0.uuid == id }) else {
            return false
        }
        // Looked at before every action of what may be a long transaction.
        if let next, !PhoneCore.takesLine(transactions[index].actions[next].value.kind) { return false }
        let open = transactions[index].actions
        var spared = Set<UUID>()
        for action in open where action.state != .complete {
            switch action.value.kind {
            case .end, .setHeld(true):
                if let call = action.value.call { spared.formUnion(members(of: call).map(\.uuid)) }
            // Calls that are being merged may be active together.
            case .setGroup(let other?): spared.formUnion(members(of: other).map(\.uuid))
            case .start, .answer, .setHeld, .setMuted, .setGroup, .playDTMF, .setTranslating, .other: break
            }
        }
        let looked = next.map { [open[$0].value] } ?? open.filter { $0.state == .waiting }.map(\.value)
        for action in looked {
            guard let call = action.call else { continue }
            switch action.kind {
            case .start, .answer, .setHeld(false):
                guard let room = makeRoom(for: call, sparing: spared) else { continue }
                guard let index = transactions.firstIndex(where: { $0.uuid == id }) else { return true }
                transactions[index].after = room
                return true
            case .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setTranslating, .other: break
            }
        }
        return false
    }

    /// Whether an action of this kind makes a call active.
    private static func takesLine(_ kind: ActionValue.Kind) -> Bool {
        switch kind {
        case .start, .answer, .setHeld(false): return true
        case .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setTranslating, .other: return false
        }
    }

    /// Holds or ends the active calls; the transaction to wait for, nil when the line is free.
    private mutating func makeRoom(for call: UUID, sparing spared: Set<UUID>) -> UUID? {
        guard let wanted = callIndex(call).map({ calls[$0] }) else { return nil }
        for holder in calls where holder.group != wanted.group && !spared.contains(holder.uuid) {
            guard let record = callIndex(holder.uuid).map({ calls[$0] }), record.wantsLine else { continue }
            // A call that rings at the other side is held when it can be, and else left alone until it connects.
            guard record.phase == .connected || record.supportsHolding else { continue }
            if let transaction = vacating(record.uuid) { return transaction }
            if let transaction = vacate(record) { return transaction }
        }
        return nil
    }

    /// The transaction that is about to hold or end a call, if it waits for nothing itself.
    private func vacating(_ call: UUID) -> UUID? {
        transactions.first { transaction in
            transaction.after == nil
                && transaction.actions.contains {
                    $0.value.call == call && $0.state != .complete && [.end, .setHeld(true)].contains($0.value.kind)
                }
        }?.uuid
    }

    /// Holds a call with its group, or ends it when it cannot be held; when the app does neither, the phone does (G4).
    private mutating func vacate(_ call: CallRecord) -> UUID? {
        let group = members(of: call.uuid)
        if group.allSatisfy({ $0.supportsHolding && !$0.line.refusesHold }) {
            log(.phone, "holds the active call", rule: "G2", call: call.uuid, app: call.bundle)
            return startTransaction(group.map { ($0.uuid, .setHeld(true)) }, origin: .phone)
        }
        if !call.line.refusesEnd {
            let why = call.line.refusesHold ? "the active call was not held in time" : "the active call cannot be held"
            log(.phone, "\(why): it ends", rule: "G4", call: call.uuid, app: call.bundle)
            return startTransaction([(call.uuid, .end)], origin: .phone)
        }
        violate(
            "G4", "the app neither held nor ended its call, so the phone took it off the line",
            advice: "Fulfill CXSetHeldCallAction and CXEndCallAction within 5 s, on every path.", app: call.bundle,
            call: call.uuid)
        finish(call.uuid, outcome: recentOutcome(ofEnded: call), rule: "G4")
        return nil
    }

    /// Two calls became active all the same: the older one gives way.
    private mutating func keepOneActive() {
        guard settings.makesRoomForActiveCall else { return }
        let active = calls.filter { $0.phase == .connected && $0.wantsLine }
        guard let newest = active.max(by: { $0.line.activation < $1.line.activation }) else { return }
        for call in active where call.group != newest.group && !isMerging(call, newest) && vacating(call.uuid) == nil {
            guard let record = callIndex(call.uuid).map({ calls[$0] }), record.wantsLine else { continue }
            _ = vacate(record)
        }
    }

    private func isMerging(_ first: CallRecord, _ second: CallRecord) -> Bool {
        transactions.contains { transaction in
            transaction.actions.contains { action in
                guard case .setGroup(let other?) = action.value.kind, action.state != .complete,
                    let groups = action.value.call.flatMap({ callIndex($0) }).map({ calls[$0].group }),
                    let others = callIndex(other).map({ calls[$0].group })
                else { return false }
                return Set([groups, others]) == Set([first.group, second.group])
            }
        }
    }
}

extension CallRecord {
    /// Whether the call is active or about to be: not ringing, not held, not ending.
    var wantsLine: Bool {
        guard !isOnHold, !isEnding else { return false }
        switch phase {
        case .answering, .started, .connected: return true
        case .ringing, .dialing: return false
        }
    }
}
