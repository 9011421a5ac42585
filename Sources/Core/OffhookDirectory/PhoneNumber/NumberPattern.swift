// SPDX-License-Identifier: MIT

/// Stands for many numbers at once, as lists of dialling codes write them.
///
/// - `+33162######`: each `#`, `?`, `x` or `X` is any digit; separators may stand between them
/// - `4930100..4930199`: all numbers from the first to the last, both of the same length
///
/// A pattern is international: its digits begin with the country code, with "+" or without.
public struct NumberPattern: Hashable, Sendable {
    /// Why a text is no pattern.
    public enum Fault: Error, Hashable, Sendable {
        /// The text is neither a pattern nor a range.
        case malformed
        /// Wildcards between digits make more than ``NumberPattern/maximumRanges`` ranges.
        case tooWide
    }

    /// The most ranges that a pattern may stand for: wildcards before its last digit make ten times as many each.
    public static let maximumRanges = 10_000

    /// The ranges it stands for, ascending; one, unless a wildcard stands before a digit.
    public let ranges: [ClosedRange<Int64>]

    /// How many numbers it stands for.
    public var count: UInt64 {
        ranges.reduce(0) { $0 + UInt64($1.upperBound - $1.lowerBound) + 1 }
    }

    /// Reads a pattern or a range.
    ///
    /// - Throws: ``Fault``.
    public init(_ text: String) throws(Fault) {
        var text = text
        ranges = try text.withUTF8 { NumberPattern.read($0) }.get()
    }

    /// Reads a pattern or a range from bytes.
    ///
    /// - Throws: ``Fault``.
    public init(utf8: UnsafeBufferPointer<UInt8>) throws(Fault) {
        ranges = try NumberPattern.read(utf8).get()
    }

    private static let wildcard: UInt8 = 10
    // 18 digits always fit an Int64.
    private static let longest = 18

    private static func read(_ text: UnsafeBufferPointer<UInt8>) -> Result<[ClosedRange<Int64>], Fault> {
        let dot = UInt8(ascii: ".")
        var position = 0
        while position + 1 < text.count {
            if text[position] == dot, text[position + 1] == dot {
                return range(
                    UnsafeBufferPointer(rebasing: text[..<position]),
                    UnsafeBufferPointer(rebasing: text[(position + 2)...]))
            }
            position += 1
        }
        guard let symbols = symbols(text) else { return .failure(.malformed) }
        return pattern(symbols)
    }

    private static func range(
        _ first: UnsafeBufferPointer<UInt8>, _ last: UnsafeBufferPointer<UInt8>
    ) -> Result<[ClosedRange<Int64>], Fault> {
        guard let low = symbols(first), let high = symbols(last), low.count == high.count,
            !low.contains(wildcard), !high.contains(wildcard)
        else { return .failure(.malformed) }
        let (from, to) = (value(low), value(high))
        return from <= to ? .success([from...to]) : .failure(.malformed)
    }

    private static func pattern(_ symbols: [UInt8]) -> Result<[ClosedRange<Int64>], Fault> {
        let open = symbols.reversed().prefix { $0 == wildcard }.count
        let head = symbols.dropLast(open)
        guard let first = head.first, first != wildcard else { return .failure(.malformed) }
        var heads: [Int64] = [0]
        for symbol in head {
            if symbol != wildcard {
                heads = heads.map { $0 * 10 + Int64(symbol) }
            } else {
                guard heads.count * 10 <= maximumRanges else { return .failure(.tooWide) }
                heads = heads.flatMap { head in (0...9).map { head * 10 + $0 } }
            }
        }
        var size: Int64 = 1
        for _ in 0..<open { size *= 10 }
        return .success(heads.map { $0 * size...$0 * size + (size - 1) })
    }

    /// The digits and wildcards of a text; nil when it has anything else, begins with 0, or is too short or too long.
    private static func symbols(_ text: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var symbols: [UInt8] = []
        var hasPlus = false
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): symbols.append(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "#"), UInt8(ascii: "?"), UInt8(ascii: "x"), UInt8(ascii: "X"): symbols.append(wildcard)
            case UInt8(ascii: "+"):
                guard symbols.isEmpty, !hasPlus else { return nil }
                hasPlus = true
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "("), UInt8(ascii: ")"),
                UInt8(ascii: "/"), UInt8(ascii: "\t"):
                continue
            default: return nil
            }
            if symbols.count > longest { return nil }
        }
        return symbols.count >= 3 && symbols[0] != 0 ? symbols : nil
    }

    private static func value(_ symbols: [UInt8]) -> Int64 {
        symbols.reduce(0) { $0 * 10 + Int64($1) }
    }
}
