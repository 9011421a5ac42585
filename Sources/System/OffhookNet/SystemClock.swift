// SPDX-License-Identifier: MIT

import Glibc

/// The system's clocks, in whole milliseconds.
public enum SystemClock {
    /// Milliseconds since 1 January 1970 UTC; jumps when the clock is set.
    @Sendable public static func wallMilliseconds() -> Int64 {
        read(CLOCK_REALTIME)
    }

    /// Milliseconds since some moment before the process started; never goes back.
    @Sendable public static func steadyMilliseconds() -> Int64 {
        read(CLOCK_MONOTONIC)
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
