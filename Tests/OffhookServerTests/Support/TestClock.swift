// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookServer

/// Time for a server that stands still until a test moves it.
final class TestClock: ServerClock {
    private struct State {
        /// Begins with a whole second of the present, which the stand-in for APNs knows too.
        var wall = Instant(milliseconds: SystemClock.wallMilliseconds() / 1_000 * 1_000)
        var uptime = TimeSpan.zero
        var timers: [TestTimer] = []
        var loops: [EventLoop] = []
    }

    private let state = Guarded(State())

    var now: Instant { state.withLock { $0.wall } }
    var uptime: TimeSpan { state.withLock { $0.uptime } }

    func schedule(
        after delay: TimeSpan, on loop: EventLoop, _ work: @escaping @Sendable () -> Void
    ) -> any ServerTimer {
        state.withLock { state in
            let timer = TestTimer(due: state.uptime + max(delay, .zero), loop: loop, work: work)
            state.timers.append(timer)
            if !state.loops.contains(where: { $0 === loop }) { state.loops.append(loop) }
            return timer
        }
    }

    /// Sets the wall clock, as a system does that has learnt the time; nothing else moves.
    func setWall(by span: TimeSpan) {
        state.withLock { $0.wall = $0.wall + span }
    }

    /// Moves the time, to each timer that falls due on the way and at last to its end; each has run when this returns.
    ///
    /// A server answers before it sets the timers of the same message, so what it has begun is finished first.
    func advance(by span: TimeSpan) async {
        let end = uptime + span
        for loop in state.withLock({ $0.loops }) { await loop.finish {} }
        while let timer = next(until: end) { await timer.fire() }
    }

    /// Moves to the next timer and gives it out; nil and the end when there is none any more.
    private func next(until end: TimeSpan) -> TestTimer? {
        state.withLock { state in
            state.timers.removeAll { $0.isOver }
            // Timers of one moment fire in the order of their making.
            let index = state.timers.indices.filter { state.timers[$0].due <= end }
                .min { (state.timers[$0].due, $0) < (state.timers[$1].due, $1) }
            let timer = index.map { state.timers.remove(at: $0) }
            let time = max(timer?.due ?? end, state.uptime)
            state.wall = state.wall + (time - state.uptime)
            state.uptime = time
            return timer
        }
    }
}

private final class TestTimer: ServerTimer, Sendable {
    let due: TimeSpan
    private let loop: EventLoop
    private let work: Guarded<(@Sendable () -> Void)?>

    init(due: TimeSpan, loop: EventLoop, work: @escaping @Sendable () -> Void) {
        self.due = due
        self.loop = loop
        self.work = Guarded(work)
    }

    var isOver: Bool { work.withLock { $0 == nil } }

    func cancel() {
        work.withLock { $0 = nil }
    }

    func fire() async {
        await loop.finish { self.work.withLock { $0.take() }?() }
        // What it changed is stored, and told, in the next turn of the loop.
        await loop.finish {}
    }
}

extension EventLoop {
    /// Waits until the loop has done what it was given before, and then some work; at once when the loop is over.
    fileprivate func finish(_ work: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { continuation in
            let isRunning = execute {
                work()
                continuation.resume()
            }
            if !isRunning { continuation.resume() }
        }
    }
}
