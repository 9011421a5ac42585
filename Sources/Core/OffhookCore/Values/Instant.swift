// SPDX-License-Identifier: MIT

/// A point in time, as a value: milliseconds since 1 January 1970 UTC.
///
/// Core reads no clock; a shell passes the time in. A shell that wants deadlines immune to clock changes reads the
/// wall clock once and adds a monotonic clock's progress.
public struct Instant: Hashable, Sendable, Codable, Comparable {
    /// Milliseconds since 1 January 1970 UTC.
    public var milliseconds: Int64

    /// Makes an instant of milliseconds since 1 January 1970 UTC.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Orders instants from early to late.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// The instant a time span later.
    public static func + (instant: Instant, span: TimeSpan) -> Instant {
        Instant(milliseconds: instant.milliseconds + span.milliseconds)
    }

    /// The instant a time span earlier.
    public static func - (instant: Instant, span: TimeSpan) -> Instant {
        Instant(milliseconds: instant.milliseconds - span.milliseconds)
    }

    /// The time from the right instant to the left one.
    public static func - (left: Instant, right: Instant) -> TimeSpan {
        .milliseconds(left.milliseconds - right.milliseconds)
    }
}
