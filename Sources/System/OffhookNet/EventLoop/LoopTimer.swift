// SPDX-License-Identifier: MIT

/// A timer that runs its work once on a loop's thread, unless cancelled before.
///
/// It need not be kept, and it does not keep the loop running.
public final class LoopTimer {
    private let loop: EventLoop
    private let handle: TimerHandle
    private let pending: Guarded<(@Sendable () -> Void)?>

    private init(loop: EventLoop, work: @escaping @Sendable () -> Void) {
        self.loop = loop
        handle = TimerHandle(core: loop.core)
        pending = Guarded(work)
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
        guard pending.withLock({ $0.take() }) != nil else { return }
        if loop.isCurrent {
            handle.cancel()
        } else {
            loop.execute { self.handle.cancel() }
        }
    }

    private func arm(after delay: Duration) {
        guard pending.withLock({ $0 != nil }) else { return }
        handle.start(after: delay) { [pending] in pending.withLock { $0.take() }?() }
    }
}

// Protected by: the lock around the work; the handle is touched on the loop's thread alone.
extension LoopTimer: @unchecked Sendable {}
