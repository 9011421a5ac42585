// SPDX-License-Identifier: MIT

import Dispatch
import OffhookCore
import OffhookWire

extension Engine {
    /// A sign-in or a sign-out that waits until nothing of the present user is left.
    struct AccountChange {
        /// Who is signed in afterwards; nil is nobody.
        var account: String?
        /// Gives the new user's session tokens.
        var token: (@Sendable () throws -> String)?
        /// Who waits for it.
        var continuation: CheckedContinuation<AccountGeneration, Never>
        /// When it is done whatever the server has not heard; nil before it has begun.
        var until: Instant?
    }

    /// How long a user that leaves waits for the server to hear of it.
    static let farewell: TimeSpan = .seconds(5)

    /// Lets another user in, or nobody; returns when it is so.
    func change(to account: String?, token: (@Sendable () throws -> String)?) async -> AccountGeneration {
        await withCheckedContinuation { continuation in
            queue.async {
                self.changes.append(AccountChange(account: account, token: token, continuation: continuation))
                self.pursueChange()
            }
        }
    }

    /// Whether a user is leaving: nothing new begins.
    var isLeaving: Bool { changes.first?.until != nil }

    /// Carries the first change on, as far as it can be carried now.
    func pursueChange() {
        guard !isChanging, phase == .running || phase == .stopped, let change = changes.first else { return }
        isChanging = true
        if phase == .stopped {
            finishChange()
        } else if store.state != .locked {  // R78: whose stay it is shows after the first unlock
            if isSame(change) {
                token = change.token ?? token
                finishChange()
                signals.connect()
            } else if change.until == nil {
                begin()
            } else if isQuiet(until: change.until) {
                turn(to: change)
            }
        } else if let token = change.token {
            self.token = token
        }
        isChanging = false
        if changes.first?.until == nil, !changes.isEmpty, store.state != .locked { pursueChange() }
    }

    private func isSame(_ change: AccountChange) -> Bool {
        guard let account = change.account else { return !store.account.isSignedIn }
        return store.account.isSignedIn && store.account.generation.account == account
    }

    /// Ends what the present user has: the server hears of it as long as it is connected.
    private func begin() {
        changes[0].until = clock.now + Engine.farewell
        log(.info, "account: leaving")
        for call in machine.snapshots where !call.hasEnded {
            if case .incoming = call.state {
                receive(.server(call.id, .ended(.failed)))  // race 29: the user's other devices ring on
            } else {
                receive(.command(OperationID(), .end(call.id), within: nil))
            }
        }
        if pushToken != nil, store.account.isSignedIn, signals.isOnline { signals.send(.unregister) }
        queue.async { self.pursueChange() }
    }

    private func isQuiet(until: Instant?) -> Bool {
        if let until, clock.now >= until { return true }
        return machine.calls.isEmpty && openPushes.isEmpty && !signals.isSpeaking
    }

    private func turn(to change: AccountChange) {
        for push in openPushes { system?.completePush(push) }  // R57
        openPushes = []
        for call in machine.snapshots where !call.hasEnded { system?.reportEnded(call.id, .failed, at: clock.now) }
        desk.closeAll(at: clock.now)
        abandonCommands(CallFailure(.callEnded, "Another user signed in, or nobody is signed in any more."))
        signals.stop()
        var account = store.account
        if let name = change.account {
            account = AccountFile(
                generation: AccountGeneration(account: name, number: account.generation.number + 1), isSignedIn: true)
        } else {
            account.isSignedIn = false
        }
        if let failure = store.turn(to: account) { tellWarning(OffhookError(failure)) }
        token = change.token
        machine = PhoneMachine(
            policy: configuration.policy, checkpoint: Checkpoint(generation: account.generation, savedAt: clock.now))
        forgetJournal()
        signals = makeSignals()
        log(.info, "account: \(account.isSignedIn ? "signed in" : "signed out"), stay \(account.generation.number)")
        streams.send(.account(account.generation, isSignedIn: account.isSignedIn))
        streams.send([])
        finishChange()
        if account.isSignedIn {
            if let pushToken { receiveToken(pushToken) }
            signals.connect()
        }
    }

    private func finishChange() {
        guard !changes.isEmpty else { return }
        changes.removeFirst().continuation.resume(returning: store.account.generation)
    }
}
