// SPDX-License-Identifier: MIT

/// A command of the app on its way.
struct PendingCommand: Hashable, Sendable, Codable {
    var id: OperationID
    var command: PhoneMachine.Command
    var deadline: Instant
    /// Whether it is being tried; false while the checkpoint is written (R81).
    var isTried = false
    /// The tones that CallKit has not performed yet, of a command that plays some.
    var tonesLeft: String
    /// The call in which the command's own goes on (race 7).
    var continuesAs: CallID?

    init(id: OperationID, command: PhoneMachine.Command, deadline: Instant) {
        self.id = id
        self.command = command
        self.deadline = deadline
        if case .playTones(_, let tones) = command { tonesLeft = tones } else { tonesLeft = "" }
    }
}

extension PhoneMachine.Command {
    /// The call it is about.
    public var call: CallID {
        switch self {
        case .start(let call, _), .answer(let call), .end(let call), .setHeld(let call, _), .setMuted(let call, _),
            .setGroup(let call, _), .playTones(let call, _), .setRoute(let call, _), .setDisplayName(let call, _),
            .setCamera(let call, _), .switchCamera(let call, _), .setTranslation(let call, _):
            call
        }
    }

    /// Whether it ends a call, which always succeeds (R31).
    var hangsUp: Bool {
        if case .end = self { true } else { false }
    }
}

extension PhoneMachine {
    /// The shortest time that a command may be given (R83).
    public static let shortestLimit: TimeSpan = .milliseconds(250)
    /// The longest time that a command may be given (R83).
    public static let longestLimit: TimeSpan = .seconds(30)

    /// The commands on their way.
    var commands: [PendingCommand] {
        get { operations.pending }
        _modify { yield &operations.pending }
    }

    /// Takes a command: an id that was used before has its result already; a new one is saved, then tried (R81, R82).
    mutating func take(
        _ id: OperationID, _ command: Command, within limit: TimeSpan?, at now: Instant
    ) -> [Effect] {
        switch operations.standing(of: id, for: command) {
        case .new:
            break
        case .pending:
            return []  // its one result is for both
        case .completed(let result):
            return [.finish(result)]
        case .conflict:
            let failure = CallFailure(.conflict, "This operation id belongs to another command; make a new one.")
            return [.finish(OperationResult(id, call: command.call, .rejected, failure: failure, at: now))]
        }
        let limit = min(max(limit ?? self.limit(of: command), Self.shortestLimit), Self.longestLimit)
        let pending = PendingCommand(id: id, command: command, deadline: now + limit)
        if let result = immediateResult(of: pending) { return [finish(pending, result, at: now)] }
        commands.append(pending)
        due = .operation(id)
        return []
    }

    /// The checkpoint has the operation, or the storage did not take it: then only hanging up goes on (R31, R81).
    mutating func tryCommand(_ id: OperationID, _ failure: CallFailure?, at now: Instant) -> [Effect] {
        guard let index = commands.firstIndex(where: { $0.id == id && !$0.isTried }), now < commands[index].deadline
        else { return [] }
        let pending = commands[index]
        if let failure, !pending.command.hangsUp { return [finish(pending, .failure(failure), at: now)] }
        if let result = immediateResult(of: pending) { return [finish(pending, result, at: now)] }
        commands[index].isTried = true
        touch()
        if case .start(let call, let details) = pending.command { return begin(call, details, at: now) }
        guard let call = calls.first(where: { $0.id == pending.command.call }) else { return [] }
        return pursue(commands[index], in: call, at: now)
    }

    /// The result of a command that need not or cannot be tried; nil for one that can.
    private func immediateResult(of pending: PendingCommand) -> CommandResult? {
        if case .start(let call, _) = pending.command { return obstacle(toStart: call).map { .failure($0) } }
        guard let call = calls.first(where: { $0.id == pending.command.call }) else {
            if pending.command.hangsUp, ledger.reasonEnded(pending.command.call) != nil { return .success }
            return .failure(CallFailure(.callNotFound, "No such call on this device; it may be over."))
        }
        if let failure = obstacle(to: pending.command, in: call) { return .failure(failure) }
        return result(of: pending, in: call)
    }

    private func limit(of command: Command) -> TimeSpan {
        if case .start = command { policy.invite } else { policy.command }
    }

    /// Takes out the commands that are decided, and those out of time.
    ///
    /// An end of the call beats a command on its way; an expired deadline beats a late success (R84).
    mutating func finishCommands(at now: Instant) -> [Effect] {
        guard !commands.isEmpty else { return [] }
        var effects: [Effect] = []
        for pending in commands {
            let target = pending.continuesAs ?? pending.command.call
            let call = calls.first { $0.id == target }
            let result = pending.isTried ? result(of: pending, in: call) : nil
            switch result {
            case .failure(let failure):
                effects.append(finish(pending, .rejected, failure, at: now))
            case .success where now < pending.deadline:
                effects.append(finish(pending, .success, at: now))
            case .success, nil:
                guard now >= pending.deadline else { continue }
                let failure = CallFailure(.deadlineExceeded, "It was not done in time.")
                effects.append(finish(pending, .timedOut, failure, at: now))
            }
        }
        return effects
    }

    /// Fails the commands that a refused request serves.
    mutating func refuse(_ request: CallRequest, _ failure: CallFailure, at now: Instant) -> [Effect] {
        commands.filter { $0.isTried && request.serves($0.command) }.map { finish($0, .failure(failure), at: now) }
    }

    private mutating func finish(_ pending: PendingCommand, _ result: CommandResult, at now: Instant) -> Effect {
        switch result {
        case .success: finish(pending, .applied, nil, at: now)
        case .failure(let failure): finish(pending, .rejected, failure, at: now)
        }
    }

    /// Completes an operation: the log has its result from now on, and the app is told.
    mutating func finish(
        _ pending: PendingCommand, _ status: OperationResult.Status, _ failure: CallFailure?, at now: Instant
    ) -> Effect {
        let result = OperationResult(
            pending.id, call: pending.command.call, status, failure: failure, at: now)
        operations.complete(result, of: pending.command, at: now)
        touch()
        return .finish(result)
    }
}
