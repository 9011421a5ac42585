// SPDX-License-Identifier: MIT

/// The ways to write an extension at the end of a number.
///
/// The forms are regular, so they are followed backwards from the end of the text, all positions at once.
enum NumberExtension {
    /// Where an extension begins that reaches the end of the text.
    ///
    /// - Parameters:
    ///   - text: A number and perhaps its extension.
    ///   - beforeNewline: Whether an extension may also end before a newline that ends the text.
    /// - Returns: The positions.
    static func starts(in text: PhoneNumberText.Characters, beforeNewline: Bool) -> PositionSet {
        guard mayEnd(text) else { return PositionSet() }
        var end = PositionSet(text.count)
        if beforeNewline, text.last == "\n" { end.insert(text.count - 1) }

        let way = Backwards(text: text)
        let withSign = way.optional(end) { $0 == "#" }
        // The most digits of each form; each set is part of the next.
        let upTo9 = way.digits(withSign, atMost: 9)
        let upTo15 = way.digits(withSign, atMost: 15)
        let upTo20 = way.digits(withSign, atMost: 20)
        func afterLabel(_ set: PositionSet) -> PositionSet {
            let blanks = way.any(set) { $0 == " " || $0 == "\u{A0}" || $0 == "\t" || $0 == "," || $0 == "-" }
            return way.optional(blanks) { $0 == ":" || $0 == "." || $0 == "\u{FF0E}" }
        }
        func beforeLabel(_ set: PositionSet) -> PositionSet {
            way.any(set) { $0 == " " || $0 == "\u{A0}" || $0 == "\t" || $0 == "," }
        }
        func beforeComma(_ set: PositionSet) -> PositionSet {
            way.any(set) { $0 == " " || $0 == "\u{A0}" || $0 == "\t" }
        }

        let formal = way.literal(way.digits(end, atMost: 20), ";ext=")

        let explicit = afterLabel(upTo20)
        let suffix = way.optional(explicit) { $0 == "n" }
        let accented = way.literal(suffix, "\u{F3}")
        let plain = way.literal(suffix, "o").union(way.literal(suffix, "o\u{301}"))
        let extensive = way.literal(accented.union(plain), "ensi")
        let short = way.optional(way.literal(suffix.union(extensive), "xt")) { $0 == "e" }
        let wideSuffix = way.optional(explicit) { $0 == "\u{FF4E}" }
        let wide = way.optional(way.literal(wideSuffix, "\u{FF58}\u{FF54}")) { $0 == "\u{FF45}" }
        let cyrillic = way.literal(explicit, "\u{434}\u{43E}\u{431}")
        let spanish = way.literal(explicit, "anexo")
        let labelled = beforeLabel(short.union(wide).union(cyrillic).union(spanish))

        let ambiguous = afterLabel(upTo9)
        let signs = way.one(ambiguous) {
            $0 == "x" || $0 == "\u{FF58}" || $0 == "#" || $0 == "\u{FF03}" || $0 == "~" || $0 == "\u{FF5E}"
        }
        let inner = way.literal(ambiguous, "int").union(way.literal(ambiguous, "\u{FF49}\u{FF4E}\u{FF54}"))
        let likely = beforeLabel(signs.union(inner))

        let american = way.digits(way.literal(end, "#"), atMost: 6)
        let dashed = way.some(american) { $0 == " " || $0 == "-" }

        let dialling = afterLabel(upTo15)
        let dialled = beforeComma(way.literal(dialling, ",,").union(way.literal(dialling, ";")))
        let commas = beforeComma(way.some(ambiguous) { $0 == "," })

        return formal.union(labelled).union(likely).union(dashed).union(dialled).union(commas)
    }

    /// Whether the end of a text looks like an extension at all: most do not, and need no closer look.
    private static func mayEnd(_ text: PhoneNumberText.Characters) -> Bool {
        var rest = text[...]
        if rest.last == "\n" { rest.removeLast() }
        if rest.last == "#" { return true }
        guard rest.last?.isDecimal == true else { return false }
        while rest.last?.isDecimal == true { rest.removeLast() }
        while let last = rest.last, last == " " || last == "-" || last == "\t" || last == "\u{A0}" { rest.removeLast() }
        if let last = rest.last, last == ":" || last == "." || last == "\u{FF0E}" { rest.removeLast() }
        guard let last = rest.last else { return false }
        if last.isASCII {
            return last.isLetter || last == "#" || last == "~" || last == "," || last == ";" || last == "="
        }
        // Letters and signs of the labels in other scripts, and the digits and separators that are not.
        return !last.isSeparator || last == "\u{FF5E}"
    }
}

/// Steps of a pattern, taken from its end: from positions after a part to the positions before it.
private struct Backwards {
    let text: PhoneNumberText.Characters

    @inline(__always)
    func one(_ set: PositionSet, _ accepts: (Unicode.Scalar) -> Bool) -> PositionSet {
        var result = PositionSet()
        set.forEach { if $0 > 0, accepts(text[$0 - 1].folded) { result.insert($0 - 1) } }
        return result
    }

    @inline(__always)
    func optional(_ set: PositionSet, _ accepts: (Unicode.Scalar) -> Bool) -> PositionSet {
        set.union(one(set, accepts))
    }

    @inline(__always)
    func any(_ set: PositionSet, _ accepts: (Unicode.Scalar) -> Bool) -> PositionSet {
        var result = set
        set.forEach { position in
            var position = position
            while position > 0, !result.contains(position - 1), accepts(text[position - 1].folded) {
                position -= 1
                result.insert(position)
            }
        }
        return result
    }

    @inline(__always)
    func some(_ set: PositionSet, _ accepts: (Unicode.Scalar) -> Bool) -> PositionSet {
        any(one(set, accepts), accepts)
    }

    /// A word, written in folded characters.
    func literal(_ set: PositionSet, _ word: StaticString) -> PositionSet {
        var result = PositionSet()
        word.withUTF8Buffer { word in
            set.forEach { position in
                var position = position
                var end = word.count
                while end > 0 {
                    guard position > 0 else { return }
                    position -= 1
                    let (scalar, length) = Self.lastScalar(of: word, before: end)
                    guard text[position].folded == scalar else { return }
                    end -= length
                }
                result.insert(position)
            }
        }
        return result
    }

    /// The character that ends before a place in well-formed UTF-8 of at most three bytes a character.
    @inline(__always)
    private static func lastScalar(of word: UnsafeBufferPointer<UInt8>, before end: Int) -> (Unicode.Scalar, Int) {
        let byte = UInt32(word[end - 1])
        if byte < 0x80 { return (Unicode.Scalar(word[end - 1]), 1) }
        let second = UInt32(word[end - 2])
        let low = byte & 0x3F
        if second & 0xC0 == 0xC0 { return (Unicode.Scalar((second & 0x1F) << 6 | low) ?? "?", 2) }
        let value = (UInt32(word[end - 3]) & 0x0F) << 12 | (second & 0x3F) << 6 | low
        return (Unicode.Scalar(value) ?? "?", 3)
    }

    /// One to so many digits.
    func digits(_ set: PositionSet, atMost most: Int) -> PositionSet {
        var result = PositionSet()
        set.forEach { end in
            var position = end
            while position > 0, end - position < most, text[position - 1].isDecimal {
                position -= 1
                result.insert(position)
            }
        }
        return result
    }
}
