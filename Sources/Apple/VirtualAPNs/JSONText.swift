// SPDX-License-Identifier: MIT

/// A strict check of JSON bytes (RFC 8259) that also gives the top-level members of an object.
struct JSONText {
    /// A top-level member's value, as far as the gateway needs it.
    enum Value: Equatable {
        /// A string without its escapes.
        case string(String)
        /// A number as it is written.
        case number(String)
        /// Anything else.
        case other
    }

    private static let depthLimit = 64
    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Whether the bytes are one JSON object and nothing else.
    static func isObject(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { raw in
            var text = JSONText(raw)
            return text.wholeObject(collecting: false) != nil
        }
    }

    /// The members of the one JSON object that the bytes are, or nil when they are anything else.
    static func members(_ bytes: [UInt8]) -> [String: Value]? {
        bytes.withUnsafeBytes { raw in
            var text = JSONText(raw)
            return text.wholeObject(collecting: true)
        }
    }

    private mutating func wholeObject(collecting: Bool) -> [String: Value]? {
        skipSpace()
        guard let members = object(depth: 1, collecting: collecting) else { return nil }
        skipSpace()
        return index == bytes.count && isUTF8 ? members : nil
    }

    private var isUTF8: Bool {
        String(validating: bytes, as: UTF8.self) != nil
    }

    private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { index += 1 }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard next == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private mutating func object(depth: Int, collecting: Bool) -> [String: Value]? {
        guard depth <= Self.depthLimit, take("{") else { return nil }
        var members: [String: Value] = [:]
        skipSpace()
        if take("}") { return members }
        while true {
            skipSpace()
            guard let name = string(collecting: collecting) else { return nil }
            skipSpace()
            guard take(":"), let value = value(depth: depth + 1, collecting: collecting) else { return nil }
            if collecting { members[name] = value }
            skipSpace()
            if take("}") { return members }
            guard take(",") else { return nil }
        }
    }

    private mutating func array(depth: Int) -> Bool {
        guard depth <= Self.depthLimit, take("[") else { return false }
        skipSpace()
        if take("]") { return true }
        while true {
            guard value(depth: depth + 1, collecting: false) != nil else { return false }
            skipSpace()
            if take("]") { return true }
            guard take(",") else { return false }
        }
    }

    private mutating func value(depth: Int, collecting: Bool) -> Value? {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return object(depth: depth, collecting: false) == nil ? nil : .other
        case UInt8(ascii: "["): return array(depth: depth) ? .other : nil
        case UInt8(ascii: "\""): return string(collecting: collecting).map(Value.string)
        case UInt8(ascii: "t"): return word("true") ? .other : nil
        case UInt8(ascii: "f"): return word("false") ? .other : nil
        case UInt8(ascii: "n"): return word("null") ? .other : nil
        default: return number(collecting: collecting).map(Value.number)
        }
    }

    private mutating func word(_ word: StaticString) -> Bool {
        let count = word.utf8CodeUnitCount
        guard index + count <= bytes.count else { return false }
        for offset in 0..<count where bytes[index + offset] != word.utf8Start[offset] { return false }
        index += count
        return true
    }

    private mutating func number(collecting: Bool) -> String? {
        let start = index
        _ = take("-")
        if !take("0") {
            guard digits() else { return nil }
        }
        if take(".") {
            guard digits() else { return nil }
        }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            guard digits() else { return nil }
        }
        return collecting ? String(decoding: bytes[start..<index], as: UTF8.self) : ""
    }

    private mutating func digits() -> Bool {
        let start = index
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { index += 1 }
        return index > start
    }

    private mutating func string(collecting: Bool) -> String? {
        guard take("\"") else { return nil }
        var units: [UInt8] = []
        var start = index
        while let byte = next {
            switch byte {
            case UInt8(ascii: "\""):
                if collecting { units += bytes[start..<index] }
                index += 1
                return collecting ? String(decoding: units, as: UTF8.self) : ""
            case UInt8(ascii: "\\"):
                if collecting { units += bytes[start..<index] }
                index += 1
                guard let scalar = escape() else { return nil }
                if collecting { units += Array(String(scalar).utf8) }
                start = index
            case 0..<0x20: return nil
            default: index += 1
            }
        }
        return nil
    }

    private mutating func escape() -> Unicode.Scalar? {
        guard let byte = next else { return nil }
        index += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{c}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"): return unicodeEscape()
        default: return nil
        }
    }

    private mutating func unicodeEscape() -> Unicode.Scalar? {
        guard let first = hexUnit() else { return nil }
        guard (0xd800..<0xdc00).contains(first) else { return Unicode.Scalar(first) }
        guard take("\\"), take("u"), let second = hexUnit(), (0xdc00..<0xe000).contains(second) else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xd800) << 10 + (second - 0xdc00))
    }

    private mutating func hexUnit() -> UInt32? {
        guard index + 4 <= bytes.count else { return nil }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(digit)
            index += 1
        }
        return unit
    }
}
