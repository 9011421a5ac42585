// SPDX-License-Identifier: MIT

import Dispatch
import OffhookCore

extension Engine {
    /// Those who wait for one operation.
    struct Waiting {
        /// What the operation is.
        var command: PhoneMachine.Command
        /// Who waits for it.
        var continuations: [CheckedContinuation<OperationResult, Never>]
    }

    /// Gives the rules a command and waits for its result.
    func perform(
        _ command: PhoneMachine.Command, _ id: OperationID, within time: TimeSpan?
    ) async -> OperationResult {
        await withCheckedContinuation { continuation in
            // A clock that is moved by hand waits until what a command sets off at once is on its way.
            clock.workBegan()
            queue.async {
                self.begin(command, id, time, continuation)
                self.clock.workEnded()
            }
        }
    }

    private func begin(
        _ command: PhoneMachine.Command, _ id: OperationID, _ time: TimeSpan?,
        _ continuation: CheckedContinuation<OperationResult, Never>
    ) {
        rereadStorage()
        if let failure = obstacle(to: command) {
            let result = OperationResult(id, call: command.call, .rejected, failure: failure, at: clock.now)
            return continuation.resume(returning: result)
        }
        // R82: one operation, one result
        switch machine.standing(of: id, for: command) {
        case .new:
            waiting[id] = Waiting(command: command, continuations: [continuation])
            receive(.command(id, command, within: time))
        case .pending:
            waiting[id, default: Waiting(command: command, continuations: [])].continuations.append(continuation)
        case .completed(let result):
            continuation.resume(returning: result)
        case .conflict:
            let failure = CallFailure(.conflict, "The operation's id was used for another command.")
            let result = OperationResult(id, call: command.call, .rejected, failure: failure, at: clock.now)
            continuation.resume(returning: result)
        }
    }

    /// Why the rules are not asked at all.
    private func obstacle(to command: PhoneMachine.Command) -> CallFailure? {
        switch phase {
        case .new, .starting: return CallFailure(.notStarted, "Call start() at launch first.")
        case .stopped: return CallFailure(.notStarted, "It was stopped; make a new call center.")
        case .running: break
        }
        guard system != nil else { return CallFailure(.unsupported, "This system has no CallKit.") }
        guard token != nil, !isLeaving else { return CallFailure(.invalidState, "Nobody is signed in.") }
        if case .start(_, let details) = command {
            guard (1...256).contains(details.handle.value.utf8.count) else {
                return CallFailure(.invalidArgument, "A handle has 1 to 256 bytes.")
            }
            guard details.displayName.map({ (1...256).contains($0.utf8.count) }) ?? true else {
                return CallFailure(.invalidArgument, "A name has 1 to 256 bytes.")
            }
        }
        return nil
    }

    /// Tells those who wait for an operation what became of it.
    func finish(_ result: OperationResult) {
        let reason = result.failure.map { ", \($0.code.rawValue)" } ?? ""
        log(.info, "operation: \(result.status.rawValue)\(reason)", result.call)
        record(result)
        for continuation in waiting.removeValue(forKey: result.id)?.continuations ?? [] {
            continuation.resume(returning: result)
        }
    }

    /// Tells all who wait that nobody will know any more.
    func abandonCommands(_ failure: CallFailure) {
        for (id, waiting) in waiting {
            let result = OperationResult(
                id, call: waiting.command.call, .unknown, failure: failure, at: clock.now)
            for continuation in waiting.continuations { continuation.resume(returning: result) }
        }
        waiting = [:]
    }
}
