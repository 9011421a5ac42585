// SPDX-License-Identifier: MIT

import Foundation

// O1, T1-T5, T9: how transactions are asked for, offered, and performed.
extension PhoneCore {
    mutating func requestTransaction(_ transaction: TransactionValue, request: UUID, process: UUID) {
        guard let record = processes[process] else { return }
        let bundle = record.bundle
        let call = transaction.actions.first?.call
        log(.app, "requested \(PhoneCore.names(of: transaction.actions))", rule: "O1", call: call, app: bundle)
        if let code = requestError(transaction, of: record) {
            log(.phone, "refused the request: error \(code)", rule: "T1", call: call, app: bundle)
            deliver(.requestCompleted(request: request, error: PhoneErrors.request(code)), to: process)
            return
        }
        transactions.append(
            TransactionRecord(
                uuid: transaction.uuid, bundle: bundle, origin: .app,
                actions: transaction.actions.map { TransactionRecord.Action(value: $0) }, awaitsCompletion: true))
        log(.phone, "accepted the request", rule: "O1", call: call, app: bundle)
        // The completion comes first, the perform methods later (O1).
        let delivery = deliver(.requestCompleted(request: request, error: nil), to: process)
        followUps[delivery] = .startTransaction(transaction.uuid)
        for action in transaction.actions { accept(action, provider: record.providers.last) }
    }

    /// The first error of T2's order; nil when the request is accepted.
    private func requestError(_ transaction: TransactionValue, of process: ProcessRecord) -> Int? {
        if transaction.actions.isEmpty { return 3 }
        guard let provider = process.providers.last, !provider.isForgotten else { return 2 }
        if settings.requiresVoIPBackgroundMode,
            apps[process.bundle]?.app.backgroundModes.contains(.voip) != true
        {
            return 1
        }
        if transaction.actions.contains(where: { $0.kind == .other || $0.call == nil }) { return 6 }
        if transactions.contains(where: { $0.uuid == transaction.uuid }) { return 6 }
        var known = Set(calls.map(\.uuid))
        var groups = liveGroups(of: process.bundle)
        for action in transaction.actions {
            guard let call = action.call else { return 6 }
            if case .start = action.kind {
                if known.contains(call) { return 5 }
                if groups >= provider.configuration.maximumCallGroups { return 7 }
                known.insert(call)
                groups += 1
            } else if !known.contains(call) || callIndex(call).map({ calls[$0].bundle != process.bundle }) ?? false {
                return 4  // T4: calls of others are unknown too.
            } else if case .setGroup(let other?) = action.kind, overfills(other, by: provider.configuration) {
                return 6
            }
        }
        return nil
    }

    /// G5: whether one more call is too many for the other call's group.
    private func overfills(_ call: UUID, by configuration: ProviderConfigurationValue) -> Bool {
        guard settings.refusesGroupAboveMaximum, let group = callIndex(call).map({ calls[$0].group }) else {
            return false
        }
        return calls.filter { $0.group == group }.count >= configuration.maximumCallsPerCallGroup
    }

    /// What an accepted action changes at once.
    mutating func accept(_ action: ActionValue, provider: ProcessRecord.Provider?) {
        guard let uuid = action.call else { return }
        switch action.kind {
        case .start(let handle, _, let isVideo):
            guard let provider, let bundle = processes.values.first(where: { $0.providers.contains(provider) })?.bundle
            else { return }
            let call = CallRecord(
                uuid: uuid, bundle: bundle, provider: provider.id, isOutgoing: true, phase: .dialing, handle: handle,
                hasVideo: isVideo, group: random.uuid(), createdAt: now,
                includesInRecents: provider.configuration.includesCallsInRecents)
            calls.append(call)
            log(.phone, "outgoing call appeared", rule: "C2", call: uuid, app: bundle)
            notifyObservers(call.value)
        case .answer:
            guard let index = callIndex(uuid), calls[index].phase == .ringing else { return }
            calls[index].phase = .answering
            calls[index].ringDeadline = nil
        case .end:
            guard let index = callIndex(uuid) else { return }
            calls[index].isEnding = true
            calls[index].ringDeadline = nil
        case .setHeld, .setMuted, .setGroup, .playDTMF, .setTranslating, .other: break
        }
    }

    /// Makes a transaction of the system's and offers it to the app.
    mutating func startTransaction(_ kinds: [(UUID, ActionValue.Kind)], origin: Timeline.Actor) {
        guard let bundle = kinds.first.flatMap({ callIndex($0.0) }).map({ calls[$0].bundle }) else { return }
        let actions = kinds.map { call, kind in
            ActionValue(uuid: random.uuid(), call: call, kind: kind, timeoutDate: date(after: limit(of: kind)))
        }
        let transaction = TransactionRecord(
            uuid: random.uuid(), bundle: bundle, origin: origin,
            actions: actions.map { TransactionRecord.Action(value: $0) })
        transactions.append(transaction)
        for action in actions { accept(action, provider: nil) }
        offer(transaction.uuid)
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
        for transaction in transactions where transaction.stage == .waiting && !transaction.awaitsCompletion {
            offer(transaction.uuid)
        }
    }

    /// Offers a transaction to the provider of its first call; an app that died is launched for it (E4).
    mutating func offer(_ id: UUID) {
        guard let index = transactions.firstIndex(where: { $0.uuid == id }), transactions[index].stage == .waiting,
            let uuid = transactions[index].actions.first(where: { $0.state == .waiting })?.value.call,
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
        transactions[index].stage = .offered
        transactions[index].provider = owner.provider.id
        let value = TransactionValue(
            uuid: id, actions: transactions[index].actions.filter { $0.state != .complete }.map(\.value))
        log(.phone, "asks provider(_:execute:)", rule: "T9", call: uuid, app: call.bundle)
        deliver(.executeTransaction(provider: owner.provider.id, transaction: value), to: owner.process)
    }

    /// T9: true means that the delegate completes every action itself.
    mutating func executed(_ id: UUID, handled: Bool) {
        guard let index = transactions.firstIndex(where: { $0.uuid == id }), transactions[index].stage == .offered
        else { return }
        transactions[index].stage = handled ? .handledByDelegate : .performing
        guard handled else { return performNext(of: id) }
        log(.app, "handles the transaction itself", rule: "T9", app: transactions[index].bundle)
        for action in transactions[index].actions.indices
        where transactions[index].actions[action].state == .waiting {
            transactions[index].actions[action].state = .performing
        }
    }

    /// Performs the next action; it waits until the one before is complete.
    mutating func performNext(of id: UUID) {
        while let index = transactions.firstIndex(where: { $0.uuid == id }) {
            let transaction = transactions[index]
            guard transaction.stage == .performing, let provider = transaction.provider,
                let process = apps[transaction.bundle]?.process,
                let next = transaction.actions.firstIndex(where: { $0.state == .waiting })
            else { return }
            if settings.actionsWaitForEachOther, transaction.actions.contains(where: { $0.state == .performing }) {
                return
            }
            transactions[index].actions[next].state = .performing
            let action = transaction.actions[next].value
            log(
                .phone, "performs \(PhoneCore.name(of: action.kind))", rule: PhoneCore.rule(of: action.kind),
                call: action.call, app: transaction.bundle)
            deliver(.performAction(provider: provider, action: action), to: process)
        }
    }
}
