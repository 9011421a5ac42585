// SPDX-License-Identifier: MIT

/// Where calls of async delegate methods start: a way to tell the default from the app's method without running the
/// app's code.
///
/// Apple's bridge starts an async delegate method as a task and returns at once. So must the stand-in, and yet it must
/// know at once whether the method is the default, to try the next one. The actor's executor runs a job inside the call
/// that enqueues it. A task of this actor so begins within `Task.init`, and a default, which is isolated to this actor
/// too, is over before `Task.init` returns. The app's method is not isolated to it and is scheduled elsewhere:
/// on the task's ``HeldExecutor``, or on the actor it belongs to.
@globalActor
public actor AsyncDelegateActor {
    /// The actor; it has no state.
    public static let shared = AsyncDelegateActor()

    private final class InlineExecutor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            UnownedJob(job).runSynchronously(on: asUnownedSerialExecutor())
        }
    }

    private let executor = InlineExecutor()

    /// Runs jobs at once, on the thread that has them.
    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }
}
