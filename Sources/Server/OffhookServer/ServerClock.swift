// SPDX-License-Identifier: MIT

import Glibc
import OffhookCore

/// The wall clock read once, carried on by a clock that nobody sets.
struct ServerClock: Sendable {
    private let start: Instant
    private let started: ContinuousClock.Instant

    init() {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        start = Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000)
        started = ContinuousClock.now
    }

    var now: Instant {
        start + (ContinuousClock.now - started)
    }
}
