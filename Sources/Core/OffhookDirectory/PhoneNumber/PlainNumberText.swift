// SPDX-License-Identifier: MIT

/// The fast way through texts that have nothing but ASCII digits and common separators in the number.
enum PlainNumberText {
    /// What became of a text.
    enum Outcome {
        /// The digits are read; a "+" was before them or not.
        case number(hasPlus: Bool)
        /// No character of the text can begin a number.
        case refused
        /// The text needs the rules of ``PhoneNumberText``.
        case unusual
    }

    static func read(_ text: UnsafeBufferPointer<UInt8>, into digits: inout Digits) -> Outcome {
        if text.count > PhoneNumberParser.longestText { return .unusual }
        var position = 0
        var hasPlus = false
        // What comes before the first digit or "+" is a label.
        start: while true {
            if position == text.count { return .refused }
            switch text[position] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): break start
            case UInt8(ascii: "+"):
                hasPlus = true
                break start
            case UInt8(ascii: ";"), 0x80...: return .unusual
            default: position += 1
            }
        }
        let start = position
        while position < text.count, text[position] == UInt8(ascii: "+") { position += 1 }
        var ends = start
        while position < text.count {
            let byte = text[position]
            position += 1
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                digits.append(byte - UInt8(ascii: "0"))
                ends = position
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "."),
                UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "/"), UInt8(ascii: "*"):
                continue
            default: return .unusual
            }
        }
        // Two digits are a number only with nothing between them.
        let isPair = digits.count == 2 && !hasPlus && ends - start == 2
        return digits.count >= 3 || isPair ? .number(hasPlus: hasPlus) : .unusual
    }
}
