// SPDX-License-Identifier: MIT

public import OffhookCore

extension CallWorld {
    /// What must hold when nothing is left to happen.
    mutating func judgeEnd() {
        for index in phones.indices { judgeEnd(of: index) }
        for number in calls.indices {
            guard let machine = calls[number].machine else { continue }
            guard case .ended(let end) = machine.state else {
                breach(.noCallPastDeadline, nil, "call \(number + 1) is \(machine.state) on the server")
                continue
            }
            for index in phones.indices { judge(number, end, on: index) }
            judgeBothSides(number, end)
        }
    }

    /// What must hold before the people hang up: CallKit shows the calls that the rules have.
    mutating func judgeScreens() {
        for index in phones.indices where phones[index].isAlive {
            for call in phones[index].kit where call.life == phones[index].life {
                let isBusy = phones[index].actions.contains { $0.call == call.id }
                let isKnown = phones[index].machine.calls.contains { $0.id == call.id }
                if !isBusy, !isKnown {
                    breach(.noPhantomCall, index, "CallKit shows call \(call.id.low), the app has none")
                }
            }
        }
    }

    private mutating func judgeEnd(of index: Int) {
        let phone = phones[index]
        for call in phone.machine.calls where phone.isAlive {
            breach(.noCallPastDeadline, index, "call \(call.id.low) is left, \(call.state)")
        }
        for call in phone.kit { breach(.noPhantomCall, index, "CallKit still has call \(call.id.high)-\(call.id.low)") }
        for session in phone.sessions { breach(.mediaReleased, index, "call \(session.call.low) has a session") }
        for action in phone.actions where action.isPerforming {
            breach(.actionCompletedOnce, index, "action \(action.id.low) for call \(action.call.low) is left")
        }
        for push in phone.openPushes { breach(.pushCompletedOnce, index, "push \(push.number) is not completed") }
        for operation in phone.operations where operation.owed > 0 && operation.life == phone.life {
            breach(.oneResultPerOperation, index, "\(operation.command) has no result")
        }
    }

    // MARK: - Both sides

    /// Notes, when the server ends a call, which phones must have been heard before.
    mutating func judgeServerEnd(_ number: Int) {
        guard case .ended(let end)? = calls[number].machine?.state else { return }
        for index in phones.indices where number < phones[index].records.count {
            guard let overAt = phones[index].records[number].overAt, phones[index].isReady,
                time - max(overAt, phones[index].onlineSince) > 4 * phones[index].delay + 1500
            else { continue }
            phones[index].records[number].serverHeard = true
            guard let declinedAt = phones[index].records[number].declinedAt,
                !phones[index].records[number].isOverUnsaved
                    || phones[index].records[number].overInLife == phones[index].life
            else { continue }
            switch end.cause {
            case .unanswered, .callerCancelled, .busy, .unreachable:
                breach(.declineKept, index, "call \(number + 1) was declined at \(declinedAt) ms, and rang on")
            case .declined, .hungUp, .lost, .replaced:
                break
            }
        }
    }

    private mutating func judge(_ number: Int, _ end: BrokerEnd, on index: Int) {
        let isCaller = calls[number].caller == index
        guard isCaller || calls[number].callee == phones[index].user, number < phones[index].records.count else {
            return
        }
        let record = phones[index].records[number]
        let device = phones[index].party.device
        if record.isAnswerFulfilled, !plan.answersAtOnce, end.winner != device {
            breach(.answerKept, index, "call \(number + 1) was answered here, and the server has \(end)")
        }
        guard !record.wasCutOff, case .ended(let reason)? = record.last?.state else { return }
        if end.winner == device, phones[index].life == 0, !record.states.contains(.connecting) {
            breach(.answerKept, index, "call \(number + 1) was won, and the app heard \(record.states)")
        }
        let decided = end.reason(forCaller: isCaller, device: device)
        if !CallWorld.agrees(reason, with: decided, heard: record.serverHeard) {
            breach(.sameOutcome, index, "call \(number + 1) ended as \(reason), for the server as \(decided)")
        }
    }

    private mutating func judgeBothSides(_ number: Int, _ end: BrokerEnd) {
        guard let winner = end.winner, let callee = phones.firstIndex(where: { $0.party.device == winner }),
            let caller = record(number, calls[number].caller), let answerer = record(number, callee),
            case .ended(let first)? = caller.last?.state, case .ended(let second)? = answerer.last?.state
        else { return }
        if !CallWorld.agree(caller: first, answerer: second) {
            breach(.sameOutcome, nil, "call \(number + 1) was answered, and ended as \(first) and \(second)")
        }
    }

    private func record(_ number: Int, _ index: Int) -> CallRecord? {
        guard number < phones[index].records.count, !phones[index].records[number].wasCutOff else { return nil }
        return phones[index].records[number]
    }

    /// Whether a phone's reason for a call's end fits the server's reason for that phone.
    ///
    /// What only the server can know must be the same. What a phone decides itself may cross another decision on the
    /// server; once the server has heard of it, it must fit.
    public static func agrees(_ reason: EndReason, with decided: EndReason, heard: Bool) -> Bool {
        if reason == decided { return true }
        switch reason {
        case .remoteEnded, .callerCancelled, .answeredElsewhere, .declinedElsewhere, .busy:
            return false
        case .localHangup:
            // Before an answer the caller's hang-up is a cancel, and the callee's is a decline.
            return !heard || decided == .callerCancelled || decided == .declined || decided == .answeredElsewhere
        case .declined, .unanswered:
            return !heard || decided == .answeredElsewhere  // that was decided by the answer, long before the end
        case .unreachable:
            // The server may have had the call all the same, and then the cancel as a hang-up.
            return !heard || decided == .callerCancelled || decided == .localHangup
        case .failed:
            return true
        }
    }

    /// Whether the ends of an answered call fit each other: one side hung up, or both did, or something broke.
    public static func agree(caller: EndReason, answerer: EndReason) -> Bool {
        switch (caller, answerer) {
        case (.localHangup, .remoteEnded), (.remoteEnded, .localHangup), (.localHangup, .localHangup): true
        case (.failed, _), (_, .failed): true
        case (.unreachable, .remoteEnded), (.unanswered, .remoteEnded): true  // the caller did not hear of the answer
        case (.remoteEnded, .remoteEnded): true  // another call of the two took its place (race 9)
        default: false
        }
    }
}
