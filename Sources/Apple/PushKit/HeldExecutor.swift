// SPDX-License-Identifier: MIT

import Synchronization

/// Runs a task on the shared threads, but not before it is released.
///
/// So an async delegate method begins after the delegate call has returned, always: on an iPhone the new task races
/// with the return and loses; here the outcome does not depend on luck.
final class HeldExecutor: TaskExecutor {
    private struct State {
        var held: [UnownedJob] = []
        var isReleased = false
    }

    private let state = Mutex(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let runs = state.withLock { state in
            if !state.isReleased { state.held.append(job) }
            return state.isReleased
        }
        if runs { run(job) }
    }

    /// Lets the task run.
    func release() {
        let held = state.withLock { state in
            defer { state.held = [] }
            state.isReleased = true
            return state.held
        }
        for job in held { run(job) }
    }

    private func run(_ job: UnownedJob) {
        globalConcurrentExecutor.enqueue(job)
    }
}
