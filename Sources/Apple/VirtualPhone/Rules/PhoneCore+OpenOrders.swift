// SPDX-License-Identifier: MIT

import Foundation

// A1, A2, G2, O1, S2: where Apple leaves the order open. `reordered-actions` takes the other one.
extension PhoneCore {
    /// G2: hold or end the active call, then answer; reordered the answer comes first.
    func inOpenOrder(_ kinds: [(UUID, ActionValue.Kind)]) -> [(UUID, ActionValue.Kind)] {
        guard faults.reordersActions, kinds.contains(where: { $0.1 == .answer }) else { return kinds }
        return kinds.filter { $0.1 == .answer } + kinds.filter { $0.1 != .answer }
    }

    /// O1: a request's completion may come after its first action: the two run on different queues.
    func canBePerformed(_ transaction: TransactionRecord) -> Bool {
        guard let process = process(of: transaction.bundle) else { return false }
        return process.providers.contains { $0.hasDelegate && !$0.isForgotten }
    }

    /// Sends the completion that was kept back: after the first action was performed, or at once.
    mutating func answerLate(_ transaction: UUID, after delivery: UInt64?) {
        guard let index = transactions.firstIndex(where: { $0.uuid == transaction }),
            let request = transactions[index].lateAnswer,
            let process = apps[transactions[index].bundle]?.process
        else { return }
        transactions[index].lateAnswer = nil
        if let delivery {
            followUps[delivery] = .answerRequest(request: request, process: process)
        } else {
            deliver(.requestCompleted(request: request, error: nil), to: process)
        }
    }

    /// Whether a call wants the call session active (S2); when it begins to is open for outgoing calls (O2).
    func wantsAudio(_ call: CallRecord) -> Bool {
        guard !call.isOnHold, !call.line.isAudioWithheld else { return false }
        switch call.phase {
        case .connected: return true
        case .started: return !faults.reordersActions || call.connectedAt != nil
        case .answering, .dialing: return settings.activatesAudioBeforeFulfill && !call.isEnding
        case .ringing: return false
        }
    }

    /// Order 2: the observer hears of the connection, then the session is activated; reordered the other way round.
    mutating func announceConnection(of call: CallValue) {
        if faults.reordersActions {
            updateAudio()
            if audio.pending != nil { activateAudio() }
            notifyObservers(call)
        } else {
            notifyObservers(call)
            updateAudio()
        }
    }
}
