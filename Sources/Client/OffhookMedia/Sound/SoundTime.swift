// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    import Glibc
#endif

/// When a sample was said or heard, on this machine's clocks.
///
/// The monotonic clock compares recordings of different processes of one machine to the sample; the wall clock tells
/// people when it was.
public struct SoundTime: Hashable, Sendable, Codable {
    /// Nanoseconds of the machine's monotonic clock (CLOCK_MONOTONIC).
    public var monotonicNanoseconds: Int64
    /// Milliseconds since 1 January 1970 UTC.
    public var wallMilliseconds: Int64

    /// Makes a time of both clocks' values.
    public init(monotonicNanoseconds: Int64, wallMilliseconds: Int64) {
        self.monotonicNanoseconds = monotonicNanoseconds
        self.wallMilliseconds = wallMilliseconds
    }

    /// Reads both clocks.
    public static func now() -> SoundTime {
        SoundTime(
            monotonicNanoseconds: clock(CLOCK_MONOTONIC), wallMilliseconds: clock(CLOCK_REALTIME) / 1_000_000)
    }

    /// The time a duration later.
    public static func + (time: SoundTime, duration: Duration) -> SoundTime {
        let nanoseconds = duration.nanoseconds
        return SoundTime(
            monotonicNanoseconds: time.monotonicNanoseconds + nanoseconds,
            wallMilliseconds: time.wallMilliseconds + nanoseconds / 1_000_000)
    }

    /// The time from the right one to the left one, by the monotonic clock.
    public static func - (left: SoundTime, right: SoundTime) -> Duration {
        .nanoseconds(left.monotonicNanoseconds - right.monotonicNanoseconds)
    }

    private static func clock(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Duration {
    /// The duration in nanoseconds, the fraction cut off.
    var nanoseconds: Int64 {
        components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
    }

    /// The duration of a number of samples.
    static func samples(_ count: Int, rate: Int) -> Duration {
        .nanoseconds(Int64(count) * 1_000_000_000 / Int64(rate))
    }

    /// How many whole samples the duration lasts.
    func samples(rate: Int) -> Int {
        Int(nanoseconds * Int64(rate) / 1_000_000_000)
    }
}
