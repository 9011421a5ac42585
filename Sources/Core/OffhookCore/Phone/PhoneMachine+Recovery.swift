// SPDX-License-Identifier: MIT

extension PhoneMachine {
    /// Puts in order what an earlier process left (R88): its calls end, CallKit and the app are told, the server hears
    /// what it is owed, and the operations on their way get their results.
    ///
    /// It comes before the first event's own effects, whether that is `launched` or not.
    mutating func recover(at now: Instant) -> [Effect] {
        guard needsRecovery else { return [] }
        needsRecovery = false
        var effects: [Effect] = []
        for call in unrecovered { effects += end(call, at: now) }
        unrecovered = []
        outbox.forget(at: now)
        if !outbox.signals.isEmpty {
            effects.append(.connectSignaling)
            effects += outbox.signals.map { .send($0.call, $0.word.signal) }
        }
        for pending in commands where orphans.contains(pending.id) {
            effects.append(finish(pending, ofEarlierProcessAt: now))
        }
        orphans = []
        return effects
    }

    private mutating func end(_ call: Checkpoint.LiveCall, at now: Instant) -> [Effect] {
        let isUnanswered = call.ringUntil.map { now > $0 } ?? false
        let reason: EndReason = isUnanswered ? .unanswered : .failed
        _ = ledger.handle(.callEnded(call.id, reason), at: now)
        touch()
        if call.isKnownToServer, let word = lastWord(of: call, isUnanswered: isUnanswered) {
            _ = outbox.owe(word, of: call.id, at: now)
        }
        var snapshot = Call(
            id: call.id, direction: call.direction, details: call.details, state: .ended(reason),
            createdAt: call.createdAt)
        snapshot.answeredAt = call.answeredAt
        snapshot.connectedAt = call.connectedAt
        snapshot.endedAt = now
        if !isUnanswered {
            snapshot.failure = CallFailure(.processEnded, "The app's process ended while the call went on.")
        }
        return (call.isShown ? [.reportEnded(call.id, reason, at: now)] : []) + [.publish(snapshot)]
    }

    /// What the server has to hear of a call that the process did not survive; nil when its own clock ends the call.
    private func lastWord(of call: Checkpoint.LiveCall, isUnanswered: Bool) -> OwedSignal.Word? {
        switch call.direction {
        case .incoming: isUnanswered ? nil : .hangup(.failed)
        case .outgoing: call.ringUntil == nil ? .hangup(.failed) : .cancel
        }
    }

    /// The result of an operation whose process is gone: only an end can still be told from the calls (R85).
    private mutating func finish(_ pending: PendingCommand, ofEarlierProcessAt now: Instant) -> Effect {
        if now >= pending.deadline {
            let failure = CallFailure(.deadlineExceeded, "It was not done in time.")
            return finish(pending, .timedOut, failure, at: now)
        }
        if pending.command.hangsUp, ledger.reasonEnded(pending.command.call) != nil {
            return finish(pending, .applied, nil, at: now)
        }
        let failure = CallFailure(.processEnded, "The app's process ended before the outcome was known.")
        return finish(pending, .unknown, failure, at: now)
    }

    /// Whether only the phone knows the call: the process that showed it died before it could save it.
    func isStranger(_ call: CallID) -> Bool {
        !calls.contains { $0.id == call } && !ledger.isSpare(call) && ledger.reasonEnded(call) == nil
    }

    /// The user ends such a call: the server hears of it, whatever the call was, and it never rings again (P27, R88).
    mutating func endStranger(_ call: CallID, _ action: ActionID, at now: Instant) -> [Effect] {
        _ = ledger.handle(.callEnded(call, .localHangup), at: now)
        return [.connectSignaling, .send(call, .hangup(.localHangup)), .fulfil(action)]
    }
}
