// SPDX-License-Identifier: MIT

package import Dispatch
package import Foundation

extension VirtualPhone {
    /// What a wait for the phone did not get.
    public struct WaitTimedOut: Error, Sendable, CustomStringConvertible {
        /// The phone when the time was over.
        public let snapshot: PhoneSnapshot

        /// The last lines of the timeline, to see where it stopped.
        public var description: String {
            let last = Timeline(entries: snapshot.timeline.entries.suffix(12))
            return "the phone did not reach the state that was waited for; it ended with:\n\(last)"
        }
    }

    /// Moves virtual time: from deadline to deadline, settling between them.
    ///
    /// In real time it waits as long.
    ///
    /// - Parameter duration: How far; zero only settles.
    public func advance(by duration: Duration) async {
        guard configuration.clock != .real else {
            try? await Task.sleep(for: duration)
            return await settle()
        }
        await settle()
        let target = now.addingTimeInterval(duration / .seconds(1))
        // Sums of dates differ in their last bits: a deadline a microsecond off is reached.
        let reach = target.addingTimeInterval(0.000_001)
        while true {
            let isThere = state.withLock { state -> Bool in
                // The deadlines of a phone that is shut down never pass.
                if state.isShutDown { return true }
                guard let deadline = state.core.deadline, deadline <= reach else {
                    state.clock = max(state.clock, target)
                    _ = step(&state, .tick)
                    return true
                }
                state.clock = max(state.clock, deadline)
                _ = step(&state, .tick)
                return false
            }
            drain()
            await settle()
            if isThere { return }
        }
    }

    /// Waits until every launch and every delivered callback has returned, and nothing more is to be delivered.
    ///
    /// What an app started elsewhere, on queues of its own or in tasks, is not waited for: see ``wait(for:timeout:)``.
    public func settle() async {
        order?.open()
        while !isSettled {
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    if state.isSettled || state.isShutDown { return true }
                    state.watchersOfRest.append(continuation)
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
    }

    /// Waits until the phone is in a certain state; looks at it after each change.
    ///
    /// - Parameters:
    ///   - condition: What is waited for; called on the waiting task.
    ///   - timeout: How long to wait, in real time even when the phone's is virtual.
    /// - Throws: ``WaitTimedOut``, or `CancellationError` when the task is cancelled.
    public func wait(
        for condition: @escaping @Sendable (PhoneSnapshot) -> Bool, timeout: Duration = .seconds(30)
    ) async throws {
        order?.open()
        let limit = ContinuousClock.now + timeout
        DispatchQueue.global().asyncAfter(deadline: .now() + timeout / .seconds(1)) { [weak self] in
            self?.nudge()
        }
        while true {
            let (version, snapshot) = state.withLock { ($0.version, $0.core.snapshot) }
            if condition(snapshot) { return }
            try Task.checkCancellation()
            if ContinuousClock.now >= limit { throw WaitTimedOut(snapshot: snapshot) }
            await withTaskCancellationHandler {
                await change(after: version)
            } onCancel: {
                nudge()
            }
        }
    }

    /// In virtual time: when the phone's next deadline is; nil when nothing waits for time.
    package var deadline: Date? {
        state.withLock { $0.isShutDown ? nil : $0.core.deadline }
    }

    /// In virtual time: moves the clock to a date, not back, without settling; what is due happens.
    package func move(to date: Date) {
        state.withLock { state in
            state.clock = max(state.clock, date)
            _ = step(&state, .tick)
        }
        drain()
    }

    /// Whether nothing is being delivered.
    package var isSettled: Bool {
        state.withLock { $0.isSettled || $0.isShutDown }
    }

    /// The queues that app code of this phone runs on.
    package var appQueues: [DispatchQueue] {
        state.withLock { Array($0.processes.values) }.flatMap(\.queues)
    }

    /// Suspends until something changed after `version`.
    private func change(after version: UInt64) async {
        await withCheckedContinuation { continuation in
            let isLate = state.withLock { state in
                if state.version != version || state.isShutDown { return true }
                state.watchersOfChanges.append(continuation)
                return false
            }
            if isLate { continuation.resume() }
        }
    }

    /// Lets everybody who waits look again.
    func nudge() {
        let waiters = state.withLock { state in
            state.version += 1
            return state.takeWaiters(all: true)
        }
        for waiter in waiters { waiter.resume() }
    }
}
