// SPDX-License-Identifier: MIT

import Foundation

// T1-T5, P14: why a transaction is refused, in an order that is a setting (T2).
extension PhoneCore {
    /// The `failed-transaction` fault, once.
    mutating func takeTransactionFailure() -> Int? {
        defer { faults.nextTransactionFailure = nil }
        return faults.nextTransactionFailure
    }

    /// The first error of the checks; nil when the request is accepted.
    func requestError(_ transaction: TransactionValue, of process: ProcessRecord) -> Int? {
        for check in settings.requestChecks {
            if let code = error(of: check, transaction, of: process) { return code }
        }
        return nil
    }

    private func error(
        of check: PhoneSettings.RequestCheck, _ transaction: TransactionValue, of process: ProcessRecord
    ) -> Int? {
        switch check {
        case .isNotEmpty: return transaction.actions.isEmpty ? 3 : nil
        case .providerIsKnown:
            guard let provider = newestProvider(of: process) else { return 2 }
            return provider.isForgotten ? 2 : nil
        case .appIsEntitled:
            let isEntitled = apps[process.bundle]?.app.backgroundModes.contains(.voip) == true
            return settings.requiresVoIPBackgroundMode && !isEntitled ? 1 : nil
        case .actionsAreValid: return hasInvalidAction(transaction) ? 6 : nil
        case .callsFit: return callError(transaction, of: process)
        }
    }

    /// An action of no kind of CallKit's, the same action twice, or one that is on its way already.
    private func hasInvalidAction(_ transaction: TransactionValue) -> Bool {
        if transaction.actions.contains(where: { $0.kind == .other || $0.call == nil }) { return true }
        let identities = Set(transaction.actions.map(\.uuid))
        if identities.count < transaction.actions.count { return true }
        return transactions.contains { pending in
            pending.uuid == transaction.uuid || identities.contains { pending.position(of: $0) != nil }
        }
    }

    /// T2: each action in turn; a start 5 before 7, others 4.
    private func callError(_ transaction: TransactionValue, of process: ProcessRecord) -> Int? {
        let configuration = newestProvider(of: process)?.configuration ?? ProviderConfigurationValue()
        var started: Set<UUID> = []
        let groups = liveGroups(of: process.bundle)
        for action in transaction.actions {
            guard let call = action.call else { return 6 }
            if case .start = action.kind {
                let isKnown = started.contains(call) || knows(call)
                let isTooMany = groups + started.count >= configuration.maximumCallGroups
                if settings.checksGroupsBeforeIdentity, isTooMany { return 7 }
                if isKnown { return 5 }
                if isTooMany { return 7 }
                started.insert(call)
                continue
            }
            guard !started.contains(call) else { continue }
            guard let index = callIndex(call) else { return 4 }
            // T4: calls of others are unknown too.
            if calls[index].bundle != process.bundle { return settings.codeForCallsOfOthers }
            if let code = lineError(of: action, by: configuration, bundle: process.bundle) { return code }
        }
        return nil
    }

    /// G5: whether one more call is too many for the other call's group.
    func overfills(_ call: UUID) -> Bool {
        guard let index = callIndex(call), let provider = provider(for: calls[index])?.provider else { return false }
        let group = calls[index].group
        return calls.lazy.filter { $0.group == group }.count >= provider.configuration.maximumCallsPerCallGroup
    }

    /// T6: an action's own deadline, unless it is none.
    func limited(_ action: ActionValue) -> ActionValue {
        var action = action
        if !PhoneCore.isSensible(action.timeoutDate) { action.timeoutDate = date(after: limit(of: action.kind)) }
        return action
    }
}
