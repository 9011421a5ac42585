// SPDX-License-Identifier: MIT

package import OffhookCore
package import OffhookNet

/// Tells a server the time and wakes it; tests bring their own.
package protocol ServerClock: Sendable {
    /// The wall clock, which clients, tokens and APNs compare; it may be set at any time.
    var now: Instant { get }

    /// The time since some fixed moment; nobody sets it, so it measures lengths.
    var uptime: TimeSpan { get }

    /// Runs work once on a loop's thread after a delay, unless it is cancelled before.
    func schedule(
        after delay: TimeSpan, on loop: EventLoop, _ work: @escaping @Sendable () -> Void
    ) -> any ServerTimer
}

/// Work that waits for its time.
package protocol ServerTimer: AnyObject {
    /// Makes sure that the work does not start any more.
    func cancel()
}

extension LoopTimer: ServerTimer {}

/// The system's clocks.
struct SystemServerClock: ServerClock {
    private let started = ContinuousClock.now

    var now: Instant {
        Instant(milliseconds: SystemClock.wallMilliseconds())
    }

    var uptime: TimeSpan {
        TimeSpan(ContinuousClock.now - started)
    }

    func schedule(
        after delay: TimeSpan, on loop: EventLoop, _ work: @escaping @Sendable () -> Void
    ) -> any ServerTimer {
        loop.schedule(after: Duration(delay), work)
    }
}

/// The time of one call: the wall clock when the call was taken up, carried on by a clock that nobody sets.
///
/// A wall clock that is set while a phone rings neither ends the call nor lets it ring on; the next call has the new
/// time.
struct CallTime {
    private let start: Instant
    private let uptime: TimeSpan

    init(_ clock: any ServerClock) {
        start = clock.now
        uptime = clock.uptime
    }

    func now(_ clock: any ServerClock) -> Instant {
        start + (clock.uptime - uptime)
    }
}
