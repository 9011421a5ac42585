// SPDX-License-Identifier: MIT

public import Dispatch
public import Offhook
import OffhookNet

/// A clock that stands still until it is moved: time for an engine in tests.
public final class ManualClock: EngineClock {
    private struct State {
        var now: Instant
        var timers: [Int: Armed] = [:]
        var count = 0
        var work = 0
    }
    private struct Armed {
        var queue: DispatchQueue
        var deadline: Instant?
        var fire: @Sendable () -> Void
    }

    private let state: Guarded<State>

    /// Makes a clock at a time.
    public init(now: Instant) {
        state = Guarded(State(now: now))
    }

    /// The time.
    public var now: Instant {
        state.withLock { $0.now }
    }

    /// The next deadline of any timer; nil when none is set.
    public var deadline: Instant? {
        state.withLock { $0.timers.values.compactMap(\.deadline).min() }
    }

    /// How many pieces of work the engines' own threads have not finished.
    public var unfinishedWork: Int {
        state.withLock { $0.work }
    }

    /// Counts a piece of work.
    public func workBegan() {
        state.withLock { $0.work += 1 }
    }

    /// Counts it as done.
    public func workEnded() {
        state.withLock { $0.work -= 1 }
    }

    /// Moves the clock, never back; timers that are due fire on their queues.
    public func move(to instant: Instant) {
        let due = state.withLock { state -> [Armed] in
            state.now = max(state.now, instant)
            var due: [Armed] = []
            // In the order of their making, so that a run can be repeated.
            for (id, timer) in state.timers.sorted(by: { $0.key < $1.key }) {
                guard let deadline = timer.deadline, deadline <= state.now else { continue }
                state.timers[id]?.deadline = nil
                due.append(timer)
            }
            return due
        }
        for timer in due { timer.queue.async(execute: timer.fire) }
    }

    /// Makes a timer that fires when the clock is moved past its time.
    public func makeTimer(queue: DispatchQueue, fire: @escaping @Sendable () -> Void) -> any EngineTimer {
        let id = state.withLock { state in
            state.count += 1
            state.timers[state.count] = Armed(queue: queue, fire: fire)
            return state.count
        }
        return ManualTimer(clock: self, id: id)
    }

    fileprivate func set(_ id: Int, _ instant: Instant?) {
        let due = state.withLock { state -> Armed? in
            guard let timer = state.timers[id] else { return nil }
            let isDue = instant.map { $0 <= state.now } ?? false
            state.timers[id]?.deadline = isDue ? nil : instant
            return isDue ? timer : nil
        }
        if let due { due.queue.async(execute: due.fire) }
    }

    fileprivate func remove(_ id: Int) {
        _ = state.withLock { $0.timers.removeValue(forKey: id) }
    }
}

private final class ManualTimer: EngineTimer {
    private let clock: ManualClock
    private let id: Int

    init(clock: ManualClock, id: Int) {
        self.clock = clock
        self.id = id
    }

    deinit {
        clock.remove(id)
    }

    func set(_ instant: Instant?) {
        clock.set(id, instant)
    }
}
