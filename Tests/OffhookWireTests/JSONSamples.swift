// SPDX-License-Identifier: MIT

/// Random JSON texts, and texts that are almost JSON; the same for the same seed everywhere.
struct JSONSamples {
    /// SplitMix64.
    private var state: UInt64

    init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15
    }

    /// A text that is JSON, save for what a careless writer does: repeated names, commas at the end, deep nesting.
    mutating func text() -> [UInt8] {
        var output: [UInt8] = []
        space(&output)
        if chance(20) {
            nest(&output)
        } else {
            value(&output, depth: 0)
        }
        space(&output)
        return output
    }

    /// The text with one to three bytes, or a slice, changed.
    mutating func mutated(_ text: [UInt8]) -> [UInt8] {
        var bytes = text
        for _ in 0...below(3) {
            let index = below(bytes.count + 1)
            switch below(8) {
            case 0: bytes.insert(pick(Self.alphabet), at: index)
            case 1: bytes.insert(UInt8(truncatingIfNeeded: next()), at: index)
            case 2: if index < bytes.count { bytes.remove(at: index) }
            case 3: if index < bytes.count { bytes[index] = pick(Self.alphabet) }
            case 4: if index < bytes.count { bytes[index] ^= 1 << UInt8(below(8)) }
            case 5: bytes.removeSubrange(index...)
            case 6: bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + below(8))], at: index)
            default: if chance(8) { bytes = reencoded(bytes) }
            }
        }
        return bytes
    }

    /// The text behind a byte order mark, or in UTF-16 as far as it is ASCII.
    private mutating func reencoded(_ text: [UInt8]) -> [UInt8] {
        switch below(3) {
        case 0: [0xEF, 0xBB, 0xBF] + text
        case 1: text.flatMap { byte -> [UInt8] in [byte, 0] }
        default: text.flatMap { byte -> [UInt8] in [0, byte] }
        }
    }

    private mutating func value(_ output: inout [UInt8], depth: Int) {
        switch below(depth > 3 ? 6 : 9) {
        case 0: output += pick(["null", "true", "false"]).utf8
        case 1, 2: output += pick(Self.numbers).utf8
        case 3: output += String(Int64(bitPattern: next()) >> Int64(below(64))).utf8
        case 4, 5: string(&output)
        case 6: list(&output, "[", "]") { $0.value(&$1, depth: depth + 1) }
        default:
            list(&output, "{", "}") {
                $0.name(&$1)
                $0.space(&$1)
                $1.append(UInt8(ascii: ":"))
                $0.space(&$1)
                $0.value(&$1, depth: depth + 1)
            }
        }
    }

    private mutating func list(
        _ output: inout [UInt8], _ open: Unicode.Scalar, _ close: Unicode.Scalar,
        element: (inout JSONSamples, inout [UInt8]) -> Void
    ) {
        output.append(UInt8(ascii: open))
        space(&output)
        for index in 0..<below(4) {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            space(&output)
            element(&self, &output)
            space(&output)
        }
        if chance(60) { output.append(UInt8(ascii: ",")) }
        output.append(UInt8(ascii: close))
    }

    private mutating func nest(_ output: inout [UInt8]) {
        let depth = below(32)
        let isArray = chance(2)
        for _ in 0..<depth { output += (isArray ? "[" : "{\"a\":").utf8 }
        output.append(UInt8(ascii: "0"))
        for _ in 0..<depth { output.append(UInt8(ascii: isArray ? "]" : "}")) }
    }

    private mutating func name(_ output: inout [UInt8]) {
        if chance(4) { return string(&output) }
        output += "\"\(pick(["v", "id", "type", "call", "seq", "\\u0076", "signal", "", "é"]))\"".utf8
    }

    private mutating func string(_ output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for _ in 0..<below(6) { output += pick(Self.pieces).utf8 }
        output.append(UInt8(ascii: "\""))
    }

    private mutating func space(_ output: inout [UInt8]) {
        if chance(4) { output += pick([" ", "\n", "\r\n", "\t"]).utf8 }
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: next() % UInt64(limit))
    }

    /// True once in so many times.
    private mutating func chance(_ times: Int) -> Bool {
        below(times) == 0
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    private static let alphabet =
        Array("{}[]\",:\\/'0123456789+-.eEnulltruefalse \t\n\u{c}\u{0}".utf8) + [0x80, 0xC3, 0xFF]
    private static let numbers = [
        "0", "-0", "1", "-1", "0.0", "-0.5", "1.0", "1e2", "1E+2", "1e-2", "9007199254740993", "9007199254740993.0",
        "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
        "18446744073709551615", "123456789012345678901234567890", "1e308", "1e309", "1e400", "-1e400", "1e-400",
        "0.1000000000000000055511151231257827",
    ]
    private static let pieces = [
        "a", "Z", " ", "é", "e\u{301}", "🙂", "\u{7F}", "\u{FFFD}", "\u{2028}", "\\n", "\\r", "\\t", "\\b", "\\f",
        "\\/", "\\\"", "\\\\", "\\u0041", "\\u00e9", "\\uD83D\\uDE42", "\\u0000", "\\uFFFF", "\\ud800", "\\udc00",
        "\\ud800\\u0041", "\\ud83d\\ue000", "//", "a=candidate:1 1 udp 2130706431 192.0.2.1 50000",
    ]
}
