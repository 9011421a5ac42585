// SPDX-License-Identifier: MIT

import Synchronization

/// A timer that runs its work once on a loop's thread, unless cancelled before.
///
/// It need not be kept, and it does not keep the loop running.
public final class LoopTimer {
    private let loop: EventLoop
    private let handle: TimerHandle
    private let pending: PendingWork

    private init(loop: EventLoop, work: @escaping @Sendable () -> Void) {
        self.loop = loop
        handle = TimerHandle(core: loop.core)
        pending = PendingWork(work)
    }

    static func start(on loop: EventLoop, after delay: Duration, _ work: @escaping @Sendable () -> Void) -> LoopTimer {
        let timer = LoopTimer(loop: loop, work: work)
        if loop.isCurrent {
            timer.arm(after: delay)
        } else {
            // The time until the thread takes this up is not counted, so the timer may be late, never early.
            loop.execute { timer.arm(after: delay) }
        }
        return timer
    }

    /// Makes sure that the work does not start any more, and frees it.
    ///
    /// Too late when it runs or has run.
    ///
    /// - Isolation: any thread
    public func cancel() {
        guard pending.take() != nil else { return }
        if loop.isCurrent {
            handle.cancel()
        } else {
            loop.execute { self.handle.cancel() }
        }
    }

    private func arm(after delay: Duration) {
        guard pending.isThere else { return }
        handle.start(after: delay) { [pending] in pending.take()?() }
    }
}

// Protected by: the lock around the work; the handle is touched on the loop's thread alone.
extension LoopTimer: @unchecked Sendable {}

/// Work that is taken once, by the timer or by who cancels it.
private final class PendingWork: Sendable {
    private let work: Mutex<(@Sendable () -> Void)?>

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = Mutex(work)
    }

    var isThere: Bool { work.withLock { $0 != nil } }

    func take() -> (@Sendable () -> Void)? {
        work.withLock { work in
            let taken = work
            work = nil
            return taken
        }
    }
}
