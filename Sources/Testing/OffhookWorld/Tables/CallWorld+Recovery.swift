// SPDX-License-Identifier: MIT

import OffhookCore

extension CallWorld {
    /// Judges what the next process of a phone would do first, whatever starts it (R88): the calls of the dead one end,
    /// each once, for CallKit and for the app; then the server hears what it is owed; then the operations get their
    /// results; and a push that starts the process is reported after that.
    mutating func judgeRecovery(of index: Int) {
        guard let disk = phones[index].disk else { return }
        guard let launched = disk.restored(policy: policy) else {
            return breach(.checkpointReadable, index, "the checkpoint that was written cannot be read")
        }
        let left = disk.machine.checkpoint(at: disk.at)
        var machine = launched
        let effects = machine.handle(.launched, at: now)
        judgeOrder(effects, left, index)
        let again = machine.handle(.launched, at: now)
        if !again.isEmpty { breach(.recoveryInOrder, index, "a second launch does \(again)") }

        // A push starts it: the same comes first, and then the push's own effects.
        machine = launched
        let spare = CallID(high: 9, low: 1 << 40)
        let pushed = machine.handle(
            .pushArrived(PushID(1 << 40), .undecodable, mustReport: true, spare: spare), at: now)
        let own = pushed.firstIndex { if case .reportIncoming = $0 { true } else { false } } ?? pushed.count
        let first = effects.filter { if case .save = $0 { false } else { true } }
        if own < pushed.count, Array(pushed[..<own].prefix(first.count)) != first {
            breach(.recoveryInOrder, index, "a push starts the process, and what comes first is \(pushed)")
        }
    }

    mutating func judgeOrder(_ effects: [PhoneEffect], _ left: Checkpoint, _ index: Int) {
        var stage = 0
        var ended: [CallID: EndReason] = [:]
        var shown: Set<CallID> = []
        for effect in effects {
            let next: Int
            switch effect {
            case .save: next = 0
            case .reportEnded(let call, _, _):
                next = 1
                shown.insert(call)
            case .publish(let call):
                next = 1
                guard case .ended(let reason) = call.state, ended.updateValue(reason, forKey: call.id) == nil else {
                    breach(.recoveryInOrder, index, "call \(call.id.low) is told as \(call.state)")
                    continue
                }
            case .connectSignaling: next = 2
            case .send: next = 3
            case .finish: next = 4
            case .reportIncoming, .reportStartedConnecting, .reportConnected, .request, .fulfil, .fail, .reportUpdated,
                .configureAudio, .selectRoute, .donate, .completePush, .startMedia, .deliverSignal, .setAudioOpen,
                .setMediaMuted, .setMediaHeld, .playTones, .setCamera, .setTranslation, .stopMedia, .tell,
                .publishRoutes:
                breach(.recoveryInOrder, index, "the launch does \(effect)")
                continue
            }
            if next < stage { breach(.recoveryInOrder, index, "\(effect) comes too late in \(effects)") }
            stage = max(stage, next)
        }
        for call in left.liveCalls {
            let isLate = call.ringUntil.map { now > $0 } ?? false
            if ended.removeValue(forKey: call.id) != (isLate ? .unanswered : .failed) {
                breach(.recoveryInOrder, index, "call \(call.id.low) of the dead process does not end as it should")
            }
            if call.isShown != shown.contains(call.id) {
                breach(.recoveryInOrder, index, "CallKit hears of call \(call.id.low): \(shown.contains(call.id))")
            }
        }
        for call in ended.keys { breach(.recoveryInOrder, index, "call \(call.low) ends, and was over") }
        let finished = effects.compactMap { if case .finish(let result) = $0 { result.id } else { nil } }
        let pending = phones[index].operations.map(\.id).filter { left.operations.isPending($0) }
        if finished != pending {
            breach(.recoveryInOrder, index, "\(pending.count) operations were on their way, \(finished.count) end")
        }
    }
}
