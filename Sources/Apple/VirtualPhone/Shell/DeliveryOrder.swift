// SPDX-License-Identifier: MIT

package import Dispatch
import Foundation

/// Lets app code of several phones run one callback after the other, so that a test runs the same way every time.
///
/// Phones that share an order hand it every launch and every delivery. The next one begins when the callback has
/// returned and what it put on the apps' queues has run too. Jobs run while the order is open, so that what a test does
/// between two waits is done before any of it has consequences. A callback that blocks until another one has run would wait
/// for ever; ``release()`` lets the next one begin all the same.
package final class DeliveryOrder: Sendable {
    /// Something to run; it calls the closure it is given when it has ended.
    package typealias Job = @Sendable (_ ended: @escaping @Sendable () -> Void) -> Void

    private struct State {
        var waiting: [Job] = []
        var first = 0
        /// The number of the job that runs; nil when none does.
        var running: UInt64?
        var count: UInt64 = 0
        var isPumping = false
        var isOpen = false
    }

    private let state = Locked(State())
    private let queues = Locked<@Sendable () -> [DispatchQueue]>({ [] })

    /// Makes an order for phones to share.
    package init() {}

    /// Says which queues app code runs on; asked after every job.
    package func setQueues(_ body: @escaping @Sendable () -> [DispatchQueue]) {
        queues.withLock { $0 = body }
    }

    /// How many jobs have begun.
    package var count: UInt64 { state.withLock { $0.count } }

    /// Whether nothing runs and nothing waits.
    package var isIdle: Bool { state.withLock { $0.running == nil && $0.first == $0.waiting.count && !$0.isPumping } }

    /// Lets jobs run, from now on.
    package func open() {
        state.withLock { $0.isOpen = true }
        pump()
    }

    /// Lets no further job begin.
    package func close() {
        state.withLock { $0.isOpen = false }
    }

    /// Runs a job after those that were added before.
    package func add(_ job: @escaping Job) {
        state.withLock { $0.waiting.append(job) }
        pump()
    }

    /// Lets the next job begin although the one before has not ended.
    package func release() {
        state.withLock { $0.running = nil }
        pump()
    }

    private func pump() {
        let mayPump = state.withLock { state in
            defer { state.isPumping = true }
            return !state.isPumping
        }
        guard mayPump else { return }
        while let next = takeNext() {
            next.job { self.ended(next.number) }
        }
    }

    /// Under the lock: the next job, when none runs; else pumping is over.
    private func takeNext() -> (number: UInt64, job: Job)? {
        state.withLock { state in
            guard state.isOpen, state.running == nil, state.first < state.waiting.count else {
                state.isPumping = false
                return nil
            }
            let job = state.waiting[state.first]
            state.first += 1
            if state.first == state.waiting.count {
                state.waiting = []
                state.first = 0
            }
            state.count += 1
            state.running = state.count
            return (state.count, job)
        }
    }

    /// The callback has returned: what it put on the apps' queues runs, two rounds of it, then the next job.
    private func ended(_ number: UInt64) {
        let queues = queues.withLock { $0 }()
        hop(over: (queues + queues)[...]) {
            let isCurrent = self.state.withLock { state in
                guard state.running == number else { return false }
                state.running = nil
                return true
            }
            if isCurrent { self.pump() }
        }
    }

    private func hop(over queues: ArraySlice<DispatchQueue>, then body: @escaping @Sendable () -> Void) {
        guard let queue = queues.first else { return body() }
        queue.async { self.hop(over: queues.dropFirst(), then: body) }
    }
}
