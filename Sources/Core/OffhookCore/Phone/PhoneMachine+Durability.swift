// SPDX-License-Identifier: MIT

extension PhoneMachine {
    /// What must outlive the process, as it stands now; taken when a `save` effect is carried out.
    ///
    /// Encoding is left to ``CheckpointCodec``, outside of the machine.
    public func checkpoint(at now: Instant) -> Checkpoint {
        var checkpoint = Checkpoint(generation: generation, savedAt: now)
        checkpoint.serverAhead = serverAhead
        checkpoint.liveCalls = unrecovered + calls.compactMap(\.liveCall)
        checkpoint.endedCalls = ledger.endedCalls
        checkpoint.owedSignals = outbox.signals
        checkpoint.operations = operations
        return checkpoint
    }

    /// Takes in what an earlier process saved.
    ///
    /// A machine that began without it, because the storage was locked before the first unlock, keeps what it has done
    /// since (R78). `launched` then puts the rest in order.
    public mutating func adopt(_ checkpoint: Checkpoint) {
        generation = checkpoint.generation
        serverAhead = checkpoint.serverAhead
        ledger.adopt(checkpoint.endedCalls)
        orphans = checkpoint.operations.pending.map(\.id)
        operations.adopt(checkpoint.operations)
        outbox = Outbox(checkpoint.owedSignals + outbox.signals)
        unrecovered = checkpoint.liveCalls.filter { live in !calls.contains { $0.id == live.id } }
        needsRecovery = true
    }

    /// What is known of an operation that was given to a generation (R85, R90).
    public func operation(_ id: OperationID, of generation: AccountGeneration) -> OperationLookup {
        guard generation == self.generation else { return .generationMismatch }
        if operations.isPending(id) { return .pending }
        return operations.result(of: id).map { .completed($0) } ?? .unavailable
    }

    /// What a command with this id would meet, asked before it is given (R82).
    ///
    /// On `pending` the shell waits for the one `finish` of the id; `completed` and `conflict` answer the caller at once.
    public func standing(of id: OperationID, for command: Command) -> OperationStanding {
        operations.standing(of: id, for: command)
    }
}

extension PhoneMachine {
    /// Something changed that the checkpoint holds.
    mutating func touch() {
        if due == nil { due = .change }
    }

    /// Completes what an event does: what the server has to hear is noted, and the checkpoint is written where it
    /// changed.
    ///
    /// A report comes first, because it must be made inside of the push's callback; everything else happens after the
    /// checkpoint has it (C8, R81).
    mutating func saved(_ effects: [Effect], _ event: Event, at now: Instant) -> [Effect] {
        noteOwed(effects, at: now)
        noteCalls()
        var effects = effects
        if let point = due {
            due = nil
            let reports = effects.lastIndex { if case .reportIncoming = $0 { true } else { false } }
            let place = reports.map { $0 + 1 } ?? 0
            if case .pushArrived(let push, _, _, _) = event, point == .change {
                savingPushes[push] = false
                effects.insert(.save(.push(push)), at: place)
            } else {
                effects.insert(.save(point), at: place)
            }
        }
        if !savingPushes.isEmpty { holdPushes(&effects) }
        return effects
    }

    private mutating func noteOwed(_ effects: [Effect], at now: Instant) {
        for effect in effects {
            guard case .send(let call, let signal) = effect, let word = OwedSignal.Word(signal) else { continue }
            if outbox.owe(word, of: call, at: now) { touch() }
        }
    }

    private mutating func noteCalls() {
        var count = 0
        var same = true
        for call in calls {
            guard same, let live = call.liveCall else { continue }
            same = count < savedCalls.count && savedCalls[count] == live
            count += 1
        }
        guard !same || count != savedCalls.count else { return }
        savedCalls = calls.compactMap(\.liveCall)
        touch()
    }

    /// Holds back the completion of a push until its save was answered.
    private mutating func holdPushes(_ effects: inout [Effect]) {
        effects.removeAll { effect in
            guard case .completePush(let push) = effect, savingPushes[push] != nil else { return false }
            savingPushes[push] = true
            return true
        }
    }

    /// The checkpoint was written, or not; a push is completed in both cases (C8).
    mutating func takeSaved(_ point: SavePoint, _ failure: CallFailure?, at now: Instant) -> [Effect] {
        switch point {
        case .push(let push):
            savingPushes.removeValue(forKey: push) == true ? [.completePush(push)] : []
        case .operation(let id):
            tryCommand(id, failure, at: now)
        case .change:
            []
        }
    }

    /// The server confirmed a signal; it is owed no longer.
    mutating func takeDelivered(_ call: CallID, _ signal: CallSignal) -> [Effect] {
        if let word = OwedSignal.Word(signal), outbox.settle(word, of: call) { touch() }
        return []
    }

    /// What the server says of a call settles what it was owed.
    mutating func settle(_ call: CallID, _ news: ServerNews) {
        switch news {
        case .ended:
            if outbox.settleAll(of: call) { touch() }
        case .answered:
            if outbox.settle(.answer, of: call) { touch() }
        case .inviteAccepted, .inviteRefused, .ringing, .joined, .media, .update:
            break
        }
    }
}

extension CallMachine {
    /// The call as the checkpoint holds it; nil when it is over.
    var liveCall: Checkpoint.LiveCall? {
        var call = Checkpoint.LiveCall(
            id: id, direction: direction, details: details, createdAt: createdAt, answeredAt: answeredAt,
            connectedAt: connectedAt, isShown: isShown)
        switch state {
        case .incoming(let incoming):
            call.ringUntil = incoming.ringUntil
        case .outgoing(let outgoing):
            call.ringUntil = outgoing.answered ? nil : outgoing.until
            call.isKnownToServer = outgoing.invited
        case .connecting, .active, .held:
            break
        case .ended:
            return nil
        }
        return call
    }

    /// Whether CallKit may know of the call.
    private var isShown: Bool {
        switch standing {
        case .untold, .gone: false
        case .telling, .told: true
        }
    }
}
