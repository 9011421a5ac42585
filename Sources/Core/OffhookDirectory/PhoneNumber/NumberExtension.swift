// SPDX-License-Identifier: MIT

/// The ways to write an extension at the end of a number.
///
/// The forms are regular, so they are followed backwards from the end of the text, all positions at once.
enum NumberExtension {
    /// Tells for each position whether an extension begins there that reaches the end of the text.
    ///
    /// - Parameters:
    ///   - text: A number and perhaps its extension.
    ///   - beforeNewline: Whether an extension may also end before a newline that ends the text.
    /// - Returns: One value more than the text has characters.
    static func starts(in text: [Unicode.Scalar], beforeNewline: Bool) -> [Bool] {
        var end = [Bool](repeating: false, count: text.count + 1)
        end[text.count] = true
        if beforeNewline, text.last == "\n" { end[text.count - 1] = true }
        guard mayEnd(text) else { return [Bool](repeating: false, count: text.count + 1) }

        let way = Backwards(text: text.map(\.folded))
        let withSign = way.optional(end) { $0 == "#" }
        func digits(_ most: Int, before set: [Bool]) -> [Bool] { way.digits(set, atMost: most) }
        func afterLabel(_ set: [Bool]) -> [Bool] {
            let blanks = way.any(set) { $0 == " " || $0 == "\u{A0}" || $0 == "\t" || $0 == "," || $0 == "-" }
            return way.optional(blanks) { $0 == ":" || $0 == "." || $0 == "\u{FF0E}" }
        }
        func beforeLabel(_ set: [Bool]) -> [Bool] {
            way.any(set) { $0 == " " || $0 == "\u{A0}" || $0 == "\t" || $0 == "," }
        }
        func beforeComma(_ set: [Bool]) -> [Bool] {
            way.any(set) { $0 == " " || $0 == "\u{A0}" || $0 == "\t" }
        }

        let formal = way.literal(digits(20, before: end), ";ext=")

        let explicit = afterLabel(digits(20, before: withSign))
        let suffix = way.optional(explicit) { $0 == "n" }
        let accented = way.literal(suffix, "\u{F3}")
        let plain = way.union(way.literal(suffix, "o"), way.literal(suffix, "o\u{301}"))
        let extensive = way.literal(way.union(accented, plain), "ensi")
        let short = way.optional(way.literal(way.union(suffix, extensive), "xt")) { $0 == "e" }
        let wideSuffix = way.optional(explicit) { $0 == "\u{FF4E}" }
        let wide = way.optional(way.literal(wideSuffix, "\u{FF58}\u{FF54}")) { $0 == "\u{FF45}" }
        let cyrillic = way.literal(explicit, "\u{434}\u{43E}\u{431}")
        let spanish = way.literal(explicit, "anexo")
        let labelled = beforeLabel(way.union(way.union(short, wide), way.union(cyrillic, spanish)))

        let ambiguous = afterLabel(digits(9, before: withSign))
        let signs = way.one(ambiguous) {
            $0 == "x" || $0 == "\u{FF58}" || $0 == "#" || $0 == "\u{FF03}" || $0 == "~" || $0 == "\u{FF5E}"
        }
        let inner = way.union(way.literal(ambiguous, "int"), way.literal(ambiguous, "\u{FF49}\u{FF4E}\u{FF54}"))
        let likely = beforeLabel(way.union(signs, inner))

        let american = digits(6, before: way.literal(end, "#"))
        let dashed = way.some(american) { $0 == " " || $0 == "-" }

        let dialling = afterLabel(digits(15, before: withSign))
        let dialled = beforeComma(way.union(way.literal(dialling, ",,"), way.literal(dialling, ";")))
        let commas = beforeComma(way.some(ambiguous) { $0 == "," })

        return way.union(
            way.union(formal, labelled), way.union(way.union(likely, dashed), way.union(dialled, commas)))
    }

    /// Whether the end of a text looks like an extension at all: most do not, and need no closer look.
    private static func mayEnd(_ text: [Unicode.Scalar]) -> Bool {
        var rest = text[...]
        if rest.last == "\n" { rest.removeLast() }
        if rest.last == "#" { return true }
        guard rest.last?.isDecimal == true else { return false }
        while rest.last?.isDecimal == true { rest.removeLast() }
        while let last = rest.last, last == " " || last == "-" || last == "\t" || last == "\u{A0}" { rest.removeLast() }
        if let last = rest.last, last == ":" || last == "." || last == "\u{FF0E}" { rest.removeLast() }
        guard let last = rest.last else { return false }
        if last.isASCII { return last.isLetter || "#~,;=".unicodeScalars.contains(last) }
        // Letters and signs of the labels in other scripts, and the digits and separators that are not.
        return !last.isSeparator || last == "\u{FF5E}"
    }
}

/// Steps of a pattern, taken from its end: from positions after a part to the positions before it.
private struct Backwards {
    let text: [Unicode.Scalar]

    func one(_ set: [Bool], _ accepts: (Unicode.Scalar) -> Bool) -> [Bool] {
        var result = [Bool](repeating: false, count: set.count)
        for position in text.indices where set[position + 1] && accepts(text[position]) { result[position] = true }
        return result
    }

    func optional(_ set: [Bool], _ accepts: (Unicode.Scalar) -> Bool) -> [Bool] {
        union(set, one(set, accepts))
    }

    func any(_ set: [Bool], _ accepts: (Unicode.Scalar) -> Bool) -> [Bool] {
        var result = set
        for position in text.indices.reversed() where result[position + 1] && accepts(text[position]) {
            result[position] = true
        }
        return result
    }

    func some(_ set: [Bool], _ accepts: (Unicode.Scalar) -> Bool) -> [Bool] {
        any(one(set, accepts), accepts)
    }

    func literal(_ set: [Bool], _ word: String) -> [Bool] {
        word.unicodeScalars.reversed().reduce(set) { set, scalar in one(set) { $0 == scalar } }
    }

    func digits(_ set: [Bool], atMost most: Int) -> [Bool] {
        var result = [Bool](repeating: false, count: set.count)
        var step = set
        for _ in 0..<most where step.contains(true) {
            step = one(step, \.isDecimal)
            result = union(result, step)
        }
        return result
    }

    func union(_ left: [Bool], _ right: [Bool]) -> [Bool] {
        zip(left, right).map { $0 || $1 }
    }
}
