// SPDX-License-Identifier: MIT

import Dispatch
import OffhookCore

extension Engine {
    /// How often files that are locked are tried again, beside every push and every command.
    static let lockedPause: TimeSpan = .seconds(10)

    /// Reads what the last process left; before anything can happen (R88).
    func restore() {
        let checkpoint =
            store.load(at: clock.now) ?? Checkpoint(generation: store.account.generation, savedAt: clock.now)
        machine = PhoneMachine(policy: configuration.policy, checkpoint: checkpoint)
        if !store.account.isSignedIn { token = nil }
        tellStorage()
    }

    /// Reads what was locked, if it can be read by now; what has happened since goes into it (R78, C14).
    func rereadStorage() {
        guard phase == .running, store.state == .locked else { return }
        rereadAt = clock.now + Engine.lockedPause
        let checkpoint = store.load(at: clock.now)
        guard store.state != .locked else { return }
        rereadAt = nil
        tellStorage()
        guard let checkpoint else { return }
        machine.adopt(checkpoint)
        if !store.account.isSignedIn {
            token = nil
            signals.stop()
            signals = makeSignals()
        }
        receive(.launched)
        _ = save()
        queue.async { self.pursueChange() }
    }

    private func tellStorage() {
        log(store.state == .ready || store.state == .memoryOnly ? .info : .warning, "storage: \(store.state)")
        streams.send(.storage(store.state))
        switch store.state {
        case .memoryOnly, .ready:
            break
        case .locked:
            rereadAt = clock.now + Engine.lockedPause
            let message = "The storage cannot be read before the first unlock; nothing is written until then."
            tellWarning(OffhookError(.notStored, message))
        case .damaged(let damage):
            let message = "The storage cannot be used (\(damage)) and is left as it is; resetStorage() begins anew."
            tellWarning(OffhookError(.notStored, message))
        }
    }

    /// Writes what must outlive the process.
    func save() -> CallFailure? {
        let failure = store.save(machine.checkpoint(at: clock.now))
        if let failure, !isSaveFailing { tellWarning(OffhookError(failure)) }
        isSaveFailing = failure != nil
        return failure
    }

    /// Puts aside what cannot be used, and goes on with what is in memory.
    func resetStorage() -> CallFailure? {
        onQueue {
            guard phase == .running else { return CallFailure(.notStarted, "Call start() at launch first.") }
            guard case .damaged = store.state else { return nil }
            if let failure = store.reset() { return failure }
            machine.adopt(Checkpoint(generation: store.account.generation, savedAt: clock.now))
            forgetJournal()
            tellStorage()
            return save()
        }
    }

    /// What is known of an operation.
    func lookUp(_ operation: OperationID, _ generation: AccountGeneration?) -> OperationLookup {
        onQueue { machine.operation(operation, of: generation ?? machine.generation) }
    }
}
