// SPDX-License-Identifier: MIT

// What characters mean in a telephone number. The few beyond ASCII that compare equal to a letter without regard to
// case are those of Python's `re`: the dotless and the dotted i, the long s, the Kelvin sign.
extension Unicode.Scalar {
    var isPlus: Bool { self == "+" || self == "\u{FF0B}" }

    /// A decimal digit of any script.
    var isDecimal: Bool {
        isASCII ? ("0"..."9").contains(self) : frequentDigit != nil || properties.numericType == .decimal
    }

    /// The value of a decimal digit.
    var digit: UInt8? {
        if isASCII { return isDecimal ? UInt8(value - 48) : nil }
        if let frequentDigit { return frequentDigit }
        guard isDecimal, let number = properties.numericValue else { return nil }
        return UInt8(number)
    }

    /// The value of a digit of a script that many numbers are written in: full-width, Arabic, Persian, Devanagari.
    private var frequentDigit: UInt8? {
        switch value {
        case 0xFF10...0xFF19: return UInt8(value - 0xFF10)
        case 0x660...0x669: return UInt8(value - 0x660)
        case 0x6F0...0x6F9: return UInt8(value - 0x6F0)
        case 0x966...0x96F: return UInt8(value - 0x966)
        default: return nil
        }
    }

    /// An ASCII letter.
    var isLetter: Bool { ("a"..."z").contains(self) || ("A"..."Z").contains(self) }

    /// A letter, or a number of any kind.
    var isAlphanumeric: Bool {
        if isASCII { return isLetter || isDecimal }
        if frequentDigit != nil { return true }
        if properties.numericType != nil { return true }
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter: return true
        default: return false
        }
    }

    /// A letter that may stand for a digit.
    var isKeyLetter: Bool {
        isLetter || self == "\u{130}" || self == "\u{131}" || self == "\u{17F}" || self == "\u{212A}"
    }

    /// The digit on the key of a letter, or the ASCII digit itself.
    var key: UInt8? {
        let scalar: Unicode.Scalar = self == "\u{131}" ? "i" : self == "\u{17F}" ? "s" : self
        guard scalar.isASCII else { return nil }
        switch UInt8(scalar.value) | 0x20 {
        case _ where scalar.isDecimal: return UInt8(scalar.value - 48)
        case UInt8(ascii: "a")...UInt8(ascii: "c"): return 2
        case UInt8(ascii: "d")...UInt8(ascii: "f"): return 3
        case UInt8(ascii: "g")...UInt8(ascii: "i"): return 4
        case UInt8(ascii: "j")...UInt8(ascii: "l"): return 5
        case UInt8(ascii: "m")...UInt8(ascii: "o"): return 6
        case UInt8(ascii: "p")...UInt8(ascii: "s"): return 7
        case UInt8(ascii: "t")...UInt8(ascii: "v"): return 8
        case UInt8(ascii: "w")...UInt8(ascii: "z"): return 9
        default: return nil
        }
    }

    /// A character between the digits of a number: dashes, blanks, brackets, slashes, tildes, "x", "*".
    var isSeparator: Bool {
        switch self {
        case " ", "(", ")", "-", ".", "/", "[", "]", "~", "x", "X", "*",
            "\u{A0}", "\u{AD}", "\u{200B}", "\u{2010}"..."\u{2015}", "\u{2053}", "\u{2060}", "\u{2212}", "\u{223C}",
            "\u{3000}", "\u{30FC}", "\u{FF08}", "\u{FF09}", "\u{FF0D}"..."\u{FF0F}", "\u{FF3B}", "\u{FF3D}", "\u{FF5E}":
            return true
        default: return false
        }
    }

    /// The character that the labels of extensions are written with, whatever the case.
    var folded: Unicode.Scalar {
        switch self {
        case "A"..."Z", "\u{FF21}"..."\u{FF3A}": return Unicode.Scalar(value + 32) ?? self
        case "\u{130}", "\u{131}": return "i"
        case "\u{17F}": return "s"
        case "\u{D3}": return "\u{F3}"
        case "\u{414}", "\u{1C81}": return "\u{434}"
        case "\u{41E}", "\u{1C82}": return "\u{43E}"
        case "\u{411}": return "\u{431}"
        default: return self
        }
    }
}
