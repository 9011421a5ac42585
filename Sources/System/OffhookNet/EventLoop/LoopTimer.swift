// SPDX-License-Identifier: MIT

import Synchronization

/// A timer that runs its work once on a loop's thread, unless cancelled before.
public final class LoopTimer {
    private let loop: EventLoop
    private let handle: TimerHandle
    private let work: Mutex<(@Sendable () -> Void)?>

    private init(loop: EventLoop, work: @escaping @Sendable () -> Void) {
        self.loop = loop
        handle = TimerHandle(core: loop.core)
        self.work = Mutex(work)
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
        // Taken out under the lock and freed after it: the end of what it owns may run code.
        let dropped = work.withLock { work in
            let dropped = work
            work = nil
            return dropped
        }
        guard dropped != nil else { return }
        if loop.isCurrent {
            handle.cancel()
        } else {
            loop.execute { self.handle.cancel() }
        }
    }

    private func arm(after delay: Duration) {
        guard work.withLock({ $0 != nil }) else { return }
        handle.start(after: delay) {
            let work = self.work.withLock { work in
                let due = work
                work = nil
                return due
            }
            work?()
        }
    }
}

// Protected by: the lock around the work; the handle is touched on the loop's thread alone.
extension LoopTimer: @unchecked Sendable {}
