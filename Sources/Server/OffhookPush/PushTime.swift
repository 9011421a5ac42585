// SPDX-License-Identifier: MIT

import OffhookNet

/// A moment by two clocks, both in milliseconds: the wall clock, which APNs compares, and a steady one for distances.
public struct PushTime: Hashable, Sendable {
    /// Milliseconds since 1 January 1970 UTC; may jump when the clock is set.
    public var wall: Int64
    /// Milliseconds since some fixed moment; never goes back.
    public var steady: Int64

    /// Makes a moment.
    public init(wall: Int64, steady: Int64) {
        self.wall = wall
        self.steady = steady
    }

    /// The moment now.
    @Sendable public static func now() -> PushTime {
        PushTime(wall: SystemClock.wallMilliseconds(), steady: SystemClock.steadyMilliseconds())
    }
}
