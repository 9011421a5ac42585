// SPDX-License-Identifier: MIT

/// A set of positions in a text, from its beginning to its end.
struct PositionSet {
    // More positions than a text of the longest length has.
    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init() {}

    /// A set of one position, 0...255.
    init(_ position: Int) {
        insert(position)
    }

    var isEmpty: Bool { words.0 | words.1 | words.2 | words.3 == 0 }

    /// The smallest position; nil in an empty set.
    var first: Int? {
        if words.0 != 0 { return words.0.trailingZeroBitCount }
        if words.1 != 0 { return 64 + words.1.trailingZeroBitCount }
        if words.2 != 0 { return 128 + words.2.trailingZeroBitCount }
        if words.3 != 0 { return 192 + words.3.trailingZeroBitCount }
        return nil
    }

    /// Adds a position, 0...255.
    mutating func insert(_ position: Int) {
        let bit = UInt64(1) << UInt64(position & 63)
        switch position >> 6 {
        case 0: words.0 |= bit
        case 1: words.1 |= bit
        case 2: words.2 |= bit
        default: words.3 |= bit
        }
    }

    func contains(_ position: Int) -> Bool {
        let bit = UInt64(1) << UInt64(position & 63)
        switch position >> 6 {
        case 0: return words.0 & bit != 0
        case 1: return words.1 & bit != 0
        case 2: return words.2 & bit != 0
        default: return words.3 & bit != 0
        }
    }

    func contains(anyOf positions: ClosedRange<Int>) -> Bool {
        !isEmpty && positions.contains { contains($0) }
    }

    func union(_ other: PositionSet) -> PositionSet {
        var result = self
        result.words.0 |= other.words.0
        result.words.1 |= other.words.1
        result.words.2 |= other.words.2
        result.words.3 |= other.words.3
        return result
    }

    /// Calls `body` with each position, the smallest first.
    @inline(__always)
    func forEach(_ body: (Int) -> Void) {
        func each(_ word: UInt64, _ start: Int) {
            var word = word
            while word != 0 {
                body(start + word.trailingZeroBitCount)
                word &= word - 1
            }
        }
        each(words.0, 0)
        each(words.1, 64)
        each(words.2, 128)
        each(words.3, 192)
    }
}
