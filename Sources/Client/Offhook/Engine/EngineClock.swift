// SPDX-License-Identifier: MIT

public import Dispatch
import Foundation
public import OffhookCore

/// Tells the engine the time and wakes it; tests bring their own.
public protocol EngineClock: Sendable {
    /// The time.
    var now: Instant { get }

    /// Makes the engine's one timer; `fire` runs on the queue at the time that was set. Firing early or twice does no harm.
    func makeTimer(queue: DispatchQueue, fire: @escaping @Sendable () -> Void) -> any EngineTimer

    /// Hears that the engine has handed work to a thread of its own; a clock that is moved by hand waits for it.
    func workBegan()

    /// Hears that such work is over, and what it came to was taken in.
    func workEnded()
}

extension EngineClock {
    /// Does nothing: time that passes by itself waits for nobody.
    public func workBegan() {}
    /// Does nothing.
    public func workEnded() {}
}

/// A timer with one time at most; used on its queue alone.
public protocol EngineTimer: AnyObject {
    /// Sets the time, in place of an earlier one; nil disarms.
    func set(_ instant: Instant?)
}

/// The system's clock: the wall clock read once, plus a monotonic clock's progress, which counts while the phone sleeps.
public struct SystemClock: EngineClock {
    private let start: Int64
    private let ticks: Int64

    /// Makes a clock that is right now.
    public init() {
        start = Int64(Date().timeIntervalSince1970 * 1000)
        ticks = SystemClock.monotonicMilliseconds
    }

    /// The time.
    public var now: Instant {
        Instant(milliseconds: start + SystemClock.monotonicMilliseconds - ticks)
    }

    /// Makes a timer on a dispatch source.
    public func makeTimer(queue: DispatchQueue, fire: @escaping @Sendable () -> Void) -> any EngineTimer {
        SystemTimer(clock: self, queue: queue, fire: fire)
    }

    private static var monotonicMilliseconds: Int64 {
        var time = timespec()
        #if canImport(Darwin)
            clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }
}

/// Fires by whichever of two timers comes first.
///
/// The wall clock's counts while the phone sleeps; the other one is not late when somebody sets the wall clock back. A
/// tick that comes early does nothing but set the timer anew.
private final class SystemTimer: EngineTimer {
    private let clock: SystemClock
    private let wall: any DispatchSourceTimer
    private let uptime: any DispatchSourceTimer

    init(clock: SystemClock, queue: DispatchQueue, fire: @escaping @Sendable () -> Void) {
        self.clock = clock
        wall = DispatchSource.makeTimerSource(queue: queue)
        uptime = DispatchSource.makeTimerSource(queue: queue)
        for source in [wall, uptime] {
            source.setEventHandler(handler: fire)
            source.schedule(deadline: .distantFuture)
            source.resume()
        }
    }

    deinit {
        wall.cancel()
        uptime.cancel()
    }

    func set(_ instant: Instant?) {
        guard let instant else {
            wall.schedule(deadline: .distantFuture)
            uptime.schedule(deadline: .distantFuture)
            return
        }
        let wait = DispatchTimeInterval.milliseconds(
            Int(clamping: max(0, instant.milliseconds - clock.now.milliseconds)))
        wall.schedule(wallDeadline: .now() + wait)
        uptime.schedule(deadline: .now() + wait)
    }
}
