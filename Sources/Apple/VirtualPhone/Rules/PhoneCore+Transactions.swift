// SPDX-License-Identifier: MIT

import Foundation

// O1, T1-T5, T9: how transactions are asked for, offered, and performed.
extension PhoneCore {
    /// The app called request(_:completion:).
    mutating func noteRequest(_ transaction: TransactionValue, process: UUID) {
        log(
            .app, "requested \(PhoneCore.names(of: transaction.actions))", rule: "O1",
            call: transaction.actions.first?.call, app: processes[process]?.bundle)
        checkFramework(of: transaction, process: process)
    }

    mutating func requestTransaction(_ transaction: TransactionValue, request: UUID, process: UUID) {
        guard let record = processes[process] else { return }
        let bundle = record.bundle
        let call = transaction.actions.first?.call
        if let code = takeTransactionFailure() ?? requestError(transaction, of: record) {
            log(.phone, "refused the request: error \(code)", rule: "T1", call: call, app: bundle)
            deliver(.requestCompleted(request: request, error: PhoneErrors.request(code)), to: process)
            return
        }
        for action in transaction.actions where action.timeoutDate <= now {
            violate(
                "T6", "\(PhoneCore.name(of: action.kind)) was requested when its deadline had passed",
                advice: "Make a new action for every request: its deadline is fixed when it is made.",
                app: bundle, call: action.call)
        }
        var accepted = TransactionRecord(
            uuid: transaction.uuid, bundle: bundle, origin: .app, actions: transaction.actions.map(limited))
        let isReordered = faults.reordersActions && canBePerformed(accepted)
        accepted.awaitsCompletion = !isReordered
        accepted.lateAnswer = isReordered ? request : nil
        transactions.append(accepted)
        log(.phone, "accepted the request", rule: "O1", call: call, app: bundle)
        for action in transaction.actions { accept(action, provider: newestProvider(of: record)) }
        if !isReordered {
            // The completion comes first, the perform methods later (O1).
            let delivery = deliver(.requestCompleted(request: request, error: nil), to: process)
            followUps[delivery] = .startTransaction(transaction.uuid)
        }
        if isReordered { offer(transaction.uuid) }
    }

    /// What an accepted action changes at once.
    mutating func accept(_ action: ActionValue, provider: ProcessRecord.Provider?) {
        guard let uuid = action.call else { return }
        switch action.kind {
        case .start(let handle, _, let isVideo):
            guard let provider,
                let bundle = processes.values.first(where: { process in
                    process.providers.contains { $0.id == provider.id }
                })?.bundle
            else { return }
            // O4: what the call can do is told by reportCall(with:updated:) alone.
            var call = CallRecord(
                uuid: uuid, bundle: bundle, provider: provider.id, isOutgoing: true, phase: .dialing, handle: handle,
                hasVideo: isVideo, supportsHolding: settings.outgoingCallsCanBeHeld, group: random.uuid(),
                createdAt: now, includesInRecents: provider.configuration.includesCallsInRecents)
            call.members = action.members ?? []
            calls.append(call)
            log(.phone, "outgoing call appeared", rule: "C2", call: uuid, app: bundle)
            notifyObservers(call.value)
            if settings.activatesAudioBeforeFulfill { updateAudio() }
        case .answer:
            guard let index = callIndex(uuid), calls[index].phase == .ringing else { return }
            calls[index].phase = .answering
            calls[index].ringDeadline = nil
            if settings.activatesAudioBeforeFulfill { updateAudio() }
        case .end:
            guard let index = callIndex(uuid) else { return }
            calls[index].isEnding = true
            calls[index].ringDeadline = nil
        case .setHeld, .setMuted, .setGroup, .playDTMF, .setTranslating, .other: break
        }
    }

    /// Makes a transaction of the system's for calls of one owner and offers it, once another one is over.
    ///
    /// - Returns: The transaction, when an app has to perform it.
    @discardableResult
    mutating func startTransaction(
        _ kinds: [(UUID, ActionValue.Kind)], origin: Timeline.Actor, after: UUID? = nil
    ) -> UUID? {
        guard let call = kinds.first.flatMap({ callIndex($0.0) }).map({ calls[$0] }) else { return nil }
        guard call.other == nil else {
            performBySystem(kinds, origin: origin, after: after)
            return nil
        }
        let actions = inOpenOrder(kinds).map { call, kind in
            ActionValue(uuid: random.uuid(), call: call, kind: kind, timeoutDate: date(after: limit(of: kind)))
        }
        var transaction = TransactionRecord(
            uuid: random.uuid(), bundle: call.bundle, origin: origin, actions: actions)
        if let after, isOpen(after) { transaction.after = after }
        transactions.append(transaction)
        for action in actions { accept(action, provider: nil) }
        offer(transaction.uuid)
        return transaction.uuid
    }

    mutating func endThroughAction(_ call: UUID, origin: Timeline.Actor) {
        startTransaction([(call, .end)], origin: origin)
    }

    /// T6: the time from an action's creation to its deadline.
    func limit(of kind: ActionValue.Kind) -> Duration {
        switch kind {
        case .start: return settings.startActionLimit
        case .answer: return settings.answerActionLimit
        case .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setTranslating, .other:
            return settings.otherActionLimit
        }
    }

    mutating func requestCompletionReturned(_ transaction: UUID) {
        guard let index = transactions.firstIndex(where: { $0.uuid == transaction }) else { return }
        transactions[index].awaitsCompletion = false
        offer(transaction)
    }

    mutating func startWaitingTransactions() {
        for transaction in transactions
        where transaction.stage == .waiting && !transaction.awaitsCompletion && transaction.after == nil {
            offer(transaction.uuid)
        }
    }

    /// Offers a transaction to the provider of its first call; an app that died is launched for it (E4).
    mutating func offer(_ id: UUID) {
        guard let index = transactions.firstIndex(where: { $0.uuid == id }), transactions[index].stage == .waiting,
            transactions[index].after == nil,
            let waiting = transactions[index].nextWaiting, let uuid = transactions[index].actions[waiting].value.call,
            let call = callIndex(uuid).map({ calls[$0] })
        else { return }
        guard let owner = provider(for: call), owner.provider.hasDelegate, !owner.provider.isForgotten else {
            if apps[call.bundle]?.process == nil, settings.relaunchesForCallActions {
                launch(call.bundle, reason: .callAction)
            } else {
                log(.phone, "waits for a provider with a delegate", rule: "R15", call: uuid, app: call.bundle)
            }
            return
        }
        if waitsForLine(id) { return }
        // Making room may have ended other transactions.
        guard let index = transactions.firstIndex(where: { $0.uuid == id }) else { return }
        transactions[index].stage = .offered
        transactions[index].provider = owner.provider.id
        let value = TransactionValue(
            uuid: id, actions: transactions[index].actions.filter { $0.state != .complete }.map(\.value))
        log(.phone, "asks provider(_:execute:)", rule: "T9", call: uuid, app: call.bundle)
        giveBackgroundTime(to: owner.process)
        deliver(.executeTransaction(provider: owner.provider.id, transaction: value), to: owner.process)
    }

    /// T9: true means that the delegate completes every action itself.
    mutating func executed(_ id: UUID, handled: Bool) {
        guard let index = transactions.firstIndex(where: { $0.uuid == id }), transactions[index].stage == .offered
        else { return }
        transactions[index].stage = handled ? .handledByDelegate : .performing
        guard handled else { return performNext(of: id) }
        answerLate(id, after: nil)
        log(.app, "handles the transaction itself", rule: "T9", app: transactions[index].bundle)
        transactions[index].performAll()
    }

    /// Performs the next action; it waits until the one before is complete.
    mutating func performNext(of id: UUID) {
        while let index = transactions.firstIndex(where: { $0.uuid == id }) {
            let bundle = transactions[index].bundle
            guard transactions[index].stage == .performing, transactions[index].after == nil,
                let provider = transactions[index].provider,
                let process = apps[bundle]?.process, let next = transactions[index].nextWaiting
            else { return }
            if settings.actionsWaitForEachOther, transactions[index].performingCount > 0 { return }
            if waitsForLine(id, next: next) { return }
            guard let index = transactions.firstIndex(where: { $0.uuid == id }) else { return }
            let action = transactions[index].actions[next].value
            // T8: it has timed out at this very moment.
            guard action.timeoutDate > now else { return }
            if case .setGroup(let other?) = action.kind, settings.groupAboveMaximum == .failed, overfills(other) {
                log(.phone, "failed the grouping: the group is full", rule: "G5", call: action.call)
                close(action.uuid, of: id, as: .completed)
                continue
            }
            transactions[index].set(.performing, at: next)
            log(
                .phone, "performs \(PhoneCore.name(of: action.kind))", rule: PhoneCore.rule(of: action.kind),
                call: action.call, app: bundle)
            let delivery = deliver(.performAction(provider: provider, action: action), to: process)
            answerLate(id, after: delivery)
        }
    }
}
