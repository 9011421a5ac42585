// SPDX-License-Identifier: MIT

import Foundation

// T9, T10: bookkeeping of the actions that are not complete yet.
extension PhoneCore {
    struct FoundAction {
        var transaction: UUID
        var origin: Timeline.Actor
        var action: TransactionRecord.Action
        /// Whether its transaction is in provider(_:execute:), where the delegate may complete it at once (T9).
        var isOffered: Bool
        /// Whether nothing of its transaction comes after it.
        var isLast: Bool
    }

    func find(_ action: UUID, of bundle: String) -> FoundAction? {
        for transaction in transactions where transaction.bundle == bundle {
            guard let position = transaction.position(of: action) else { continue }
            return FoundAction(
                transaction: transaction.uuid, origin: transaction.origin, action: transaction.actions[position],
                isOffered: transaction.stage == .offered, isLast: transaction.openCount == 1)
        }
        return nil
    }

    /// The action is complete; its transaction goes with its last action (T10).
    mutating func close(_ action: UUID, of transaction: UUID, as how: ClosedAction) {
        guard let index = transactions.firstIndex(where: { $0.uuid == transaction }),
            let position = transactions[index].position(of: action)
        else { return }
        transactions[index].set(.complete, at: position)
        closedActions.note(action, how)
        if transactions[index].isComplete {
            answerLate(transaction, after: nil)
            transactions.remove(at: index)
        }
    }

    /// The call is over: its actions are neither performed nor timed out any more.
    mutating func dropActions(for call: UUID) {
        var others: [UUID] = []
        for transaction in transactions {
            for action in transaction.actions where action.value.call == call && action.state != .complete {
                close(action.value.uuid, of: transaction.uuid, as: .dropped)
                if others.last != transaction.uuid { others.append(transaction.uuid) }
            }
        }
        for transaction in others { performNext(of: transaction) }
    }

    /// Nobody performs the transaction any more.
    mutating func drop(_ transaction: TransactionRecord) {
        for action in transaction.actions where action.state != .complete {
            close(action.value.uuid, of: transaction.uuid, as: .dropped)
        }
    }

    /// The process died: what it was asked is void, except ends of the system's, which a new process gets (E4).
    mutating func abandonActions(of bundle: String) {
        for transaction in transactions where transaction.bundle == bundle {
            let keeps = transaction.origin != .app
            for action in transaction.actions where action.state != .complete {
                if keeps, action.value.kind == .end { continue }
                if keeps, action.value.kind == .answer, transaction.stage == .waiting { continue }
                close(action.value.uuid, of: transaction.uuid, as: .dropped)
            }
            guard let index = transactions.firstIndex(where: { $0.uuid == transaction.uuid }) else { continue }
            transactions[index].beginAgain()
            offer(transaction.uuid)
        }
    }

    static func name(of kind: ActionValue.Kind) -> String {
        switch kind {
        case .start: return "CXStartCallAction"
        case .answer: return "CXAnswerCallAction"
        case .end: return "CXEndCallAction"
        case .setHeld: return "CXSetHeldCallAction"
        case .setMuted: return "CXSetMutedCallAction"
        case .setGroup(nil): return "CXSetGroupCallAction to leave its group"
        case .setGroup: return "CXSetGroupCallAction"
        case .playDTMF: return "CXPlayDTMFCallAction"
        case .setTranslating: return "CXSetTranslatingCallAction"
        case .other: return "CXAction"
        }
    }

    static func names(of actions: [ActionValue]) -> String {
        actions.isEmpty ? "an empty transaction" : actions.map { name(of: $0.kind) }.joined(separator: ", ")
    }

    /// The rule that asks for an action.
    static func rule(of kind: ActionValue.Kind) -> String {
        switch kind {
        case .start: return "O2"
        case .answer: return "A1"
        case .end: return "E1"
        case .setHeld: return "G2"
        case .setMuted: return "G6"
        case .setGroup: return "G5"
        case .playDTMF: return "G7"
        case .setTranslating: return "G8"
        case .other: return "T2"
        }
    }
}
