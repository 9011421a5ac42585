// SPDX-License-Identifier: MIT

import CUV

/// A timer of the loop's thread that can be started again and again; belongs to that thread.
final class TimerHandle: LoopResource {
    private var timer: UnsafeMutablePointer<uv_timer_t>?
    private var work: (() -> Void)?

    /// Starts or restarts the timer.
    ///
    /// Does nothing when the loop is closing.
    func start(after delay: Duration, every interval: Duration? = nil, _ work: @escaping () -> Void) {
        guard !core.isClosing else { return }
        self.work = work
        if timer == nil {
            let timer = UnsafeMutablePointer<uv_timer_t>.allocate(capacity: 1)
            uv_timer_init(core.loop, timer)
            attach(timer)
            self.timer = timer
        }
        guard let timer else { return }
        // The loop's idea of now is as old as its current turn.
        uv_update_time(core.loop)
        uv_timer_start(timer, timerFired, delay.timerMilliseconds, interval?.timerMilliseconds ?? 0)
    }

    /// Stops and frees the timer; it may be started anew afterwards.
    func cancel() {
        timer = nil
        work = nil
        closeHandle()
    }

    override func loopStops() {
        cancel()
    }

    fileprivate func fired() {
        guard let timer else { return }
        guard let work else { return }
        if uv_timer_get_repeat(timer) == 0 { cancel() }
        work()
    }
}

private func timerFired(_ timer: UnsafeMutablePointer<uv_timer_t>?) {
    (LoopResource.owner(of: timer) as? TimerHandle)?.fired()
}

extension Duration {
    /// The duration for libuv: whole milliseconds, rounded up, never negative.
    var timerMilliseconds: UInt64 {
        guard self > .zero else { return 0 }
        let (seconds, attoseconds) = components
        let milliseconds = (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
        guard seconds < 1 << 40 else { return 1 << 50 }
        return UInt64(seconds) * 1000 + UInt64(milliseconds)
    }
}
