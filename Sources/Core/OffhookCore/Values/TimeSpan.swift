// SPDX-License-Identifier: MIT

/// A length of time, as a value: whole milliseconds.
///
/// It stands where the standard library's `Duration` would, which exists from iOS 16 on only
/// (docs/decisions/0004-ios-floor.md). On newer systems each is made of the other: `TimeSpan(duration)`,
/// `Duration(span)`.
public struct TimeSpan: Hashable, Sendable {
    /// How many milliseconds; negative for a time that has passed.
    public var milliseconds: Int64

    /// Makes a time span of milliseconds.
    public init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// No time.
    public static let zero = TimeSpan(milliseconds: 0)

    /// A time span of whole milliseconds.
    public static func milliseconds(_ count: some BinaryInteger) -> TimeSpan {
        TimeSpan(milliseconds: Int64(count))
    }

    /// A time span of whole seconds.
    public static func seconds(_ count: some BinaryInteger) -> TimeSpan {
        TimeSpan(milliseconds: Int64(count) * 1000)
    }

    /// A time span of seconds, the fraction of a millisecond cut off.
    public static func seconds(_ count: Double) -> TimeSpan {
        TimeSpan(milliseconds: Int64(count * 1000))
    }

    /// The time span in seconds.
    public var seconds: Double { Double(milliseconds) / 1000 }
}

extension TimeSpan: Comparable {
    /// Orders time spans from short to long.
    public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension TimeSpan: AdditiveArithmetic {
    /// Both times together.
    public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(milliseconds: left.milliseconds + right.milliseconds)
    }

    /// What the left time is longer than the right one.
    public static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
        TimeSpan(milliseconds: left.milliseconds - right.milliseconds)
    }

    /// The time so many times.
    public static func * (span: TimeSpan, factor: some BinaryInteger) -> TimeSpan {
        TimeSpan(milliseconds: span.milliseconds * Int64(factor))
    }

    /// The time's part, the fraction of a millisecond cut off.
    public static func / (span: TimeSpan, divisor: some BinaryInteger) -> TimeSpan {
        TimeSpan(milliseconds: span.milliseconds / Int64(divisor))
    }
}

extension TimeSpan: Codable {
    /// Decodes a number of milliseconds.
    public init(from decoder: any Decoder) throws {
        self.init(milliseconds: try decoder.singleValueContainer().decode(Int64.self))
    }

    /// Encodes the number of milliseconds.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(milliseconds)
    }
}

extension TimeSpan: CustomStringConvertible {
    /// Such as "1.5 s".
    public var description: String { "\(seconds) s" }
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension TimeSpan {
    /// The time span of the standard library's duration, the fraction of a millisecond cut off.
    public init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self.init(milliseconds: seconds * 1000 + attoseconds / 1_000_000_000_000_000)
    }
}

@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
extension Duration {
    /// The standard library's duration of a time span.
    public init(_ span: TimeSpan) {
        self = .milliseconds(span.milliseconds)
    }
}
