// SPDX-License-Identifier: MIT

import VirtualPhone

/// Starts a task inside the call that makes it, and runs the rest of it on the shared threads.
///
/// So `Task.init` returns when the task is done or waits for something for the first time.
final class InlineStartExecutor: TaskExecutor {
    private let hasStarted = Locked(false)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let isStart = hasStarted.withLock { hasStarted in
            defer { hasStarted = true }
            return !hasStarted
        }
        if isStart {
            job.runSynchronously(on: asUnownedTaskExecutor())
        } else {
            globalConcurrentExecutor.enqueue(job)
        }
    }
}
