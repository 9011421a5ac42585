// SPDX-License-Identifier: MIT

/// A command of the app on its way.
struct PendingCommand: Hashable, Sendable, Codable {
    var id: CommandID
    var command: PhoneMachine.Command
    var deadline: Instant
}

/// How a command came out.
enum CommandResult: Hashable, Sendable {
    /// Done.
    case success
    /// Not done, and why.
    case failure(CallFailure)
}

extension PhoneMachine.Command {
    /// The call it is about.
    public var call: CallID {
        switch self {
        case .start(let call, _), .answer(let call), .end(let call), .setHeld(let call, _), .setMuted(let call, _):
            call
        }
    }

    /// What it asks of CallKit.
    var request: CallRequest {
        switch self {
        case .start(let call, let details): .start(call, details)
        case .answer(let call): .answer(call)
        case .end(let call): .end(call)
        case .setHeld(let call, let held): .setHeld(call, held)
        case .setMuted(let call, let muted): .setMuted(call, muted)
        }
    }
}

extension PhoneMachine {
    mutating func run(_ id: CommandID, _ command: Command, at now: Instant) -> [Effect] {
        if case .start(let call, let details) = command { return start(id, call, details, at: now) }
        guard let call = calls.first(where: { $0.id == command.call }) else {
            if case .end = command, ledger.reasonEnded(command.call) != nil { return [.finish(id, nil)] }
            return [.finish(id, CallFailure(.callNotFound, "No such call on this device; it may be over."))]
        }
        if let failure = obstacle(to: command, in: call) { return [.finish(id, failure)] }
        commands.append(PendingCommand(id: id, command: command, deadline: now + limit(of: command)))
        if result(of: command, in: call) != nil { return [] }  // nothing to ask for; finished below
        if case .end = command, call.standing != .told { return tell(call.id, .endedByApp(nil), at: now) }
        return [.request(command.request)]
    }

    private mutating func start(
        _ id: CommandID, _ call: CallID, _ details: CallDetails, at now: Instant
    ) -> [Effect] {
        guard calls.allSatisfy(\.snapshot.hasEnded) else {
            return [.finish(id, CallFailure(.busy, "Another call goes on; end it first."))]  // R43
        }
        guard !calls.contains(where: { $0.id == call }), ledger.reasonEnded(call) == nil else {
            return [.finish(id, CallFailure(.invalidState, "This call id was used before; make a new one."))]
        }
        let command = Command.start(call, details)
        commands.append(PendingCommand(id: id, command: command, deadline: now + limit(of: command)))
        _ = ledger.handle(.callBegan(call), at: now)
        calls.append(CallMachine(call, to: details, policy: policy, at: now))
        return [.connectSignaling] + tell(call, .opened, at: now)
    }

    /// How long a command may take; longer than what the call itself waits for.
    private func limit(of command: Command) -> Duration {
        switch command {
        case .start:
            return policy.invite + policy.command
        case .answer:
            switch policy.answer {
            case .whenServerReady(let budget): return budget + policy.command
            case .immediately: return policy.connect + policy.command
            }
        case .end, .setHeld, .setMuted:
            return policy.command
        }
    }

    /// Why a command cannot be tried.
    private func obstacle(to command: Command, in call: CallMachine) -> CallFailure? {
        switch command {
        case .start, .end:
            return nil
        case .answer:
            switch call.state {
            case .incoming: return nil
            case .connecting, .active, .held:
                return call.direction == .incoming
                    ? nil : CallFailure(.invalidState, "An outgoing call is answered by the other side.")
            case .outgoing, .ended: return CallFailure(.invalidState, "Only a call that rings here can be answered.")
            }
        case .setHeld:
            switch call.state {
            case .active, .held: return nil
            case .incoming, .outgoing, .connecting, .ended:
                return CallFailure(.invalidState, "Only a call with voice can be held or resumed.")
            }
        case .setMuted:
            switch call.state {
            case .outgoing, .connecting, .active, .held: return nil
            case .incoming, .ended:
                return CallFailure(.mediaNotReady, "A call can be muted once it is answered or on its way out.")
            }
        }
    }

    /// A command's result, when it is decided; nil while it is on its way.
    private func result(of command: Command, in call: CallMachine?) -> CommandResult? {
        guard let call else {
            if case .end = command { return .success }
            return .failure(CallFailure(.callEnded, "The call ended first."))
        }
        if case .ended(let end) = call.state {
            if case .end = command { return .success }
            let message = "The call ended first: \(end.reason.rawValue)."
            return .failure(end.failure ?? CallFailure(.callEnded, message))
        }
        let reached =
            switch command {
            case .start: call.standing == .told
            case .answer: call.hasMedia
            case .end: false
            case .setHeld(_, let held): if case .held = call.state { held } else { !held }
            case .setMuted(_, let muted): call.muted == muted
            }
        return reached ? .success : nil
    }

    /// Takes out the commands that are decided, and those out of time.
    mutating func finishCommands(at now: Instant) -> [Effect] {
        guard !commands.isEmpty else { return [] }
        var effects: [Effect] = []
        var remaining: [PendingCommand] = []
        for pending in commands {
            let call = calls.first { $0.id == pending.command.call }
            switch result(of: pending.command, in: call) {
            case .success:
                effects.append(.finish(pending.id, nil))
            case .failure(let failure):
                effects.append(.finish(pending.id, failure))
            case nil where now >= pending.deadline:
                let failure = CallFailure(.deadlineExceeded, "The phone did not do it in time.")
                effects.append(.finish(pending.id, failure))
            case nil:
                remaining.append(pending)
            }
        }
        commands = remaining
        return effects
    }

    mutating func requestCompleted(
        _ request: CallRequest, _ failure: CallFailure?, at now: Instant
    ) -> [Effect] {
        guard let failure else { return [] }  // O1: accepted, not yet performed
        switch request {
        case .start(let call, _):
            return tell(call, .startRefused(failure), at: now)
        case .end(let call):
            return tell(call, .endedByApp(failure), at: now)  // R31: hanging up always succeeds
        case .answer, .setHeld, .setMuted:
            return refuse(request, failure)
        }
    }

    /// Performs hold or mute; a failed action fails the command that asked for it.
    mutating func perform(
        _ action: ActionID, _ request: CallRequest, _ event: CallMachine.Event, at now: Instant
    ) -> [Effect] {
        let effects = tell(request.call, event, else: [.fail(action)], at: now)
        guard effects.contains(.fail(action)) else { return effects }
        return effects + refuse(request, CallFailure(.mediaNotReady, "The call's media could not follow."))
    }

    private mutating func refuse(_ request: CallRequest, _ failure: CallFailure) -> [Effect] {
        var effects: [Effect] = []
        commands.removeAll { pending in
            guard pending.command.request == request else { return false }
            effects.append(.finish(pending.id, failure))
            return true
        }
        return effects
    }
}
