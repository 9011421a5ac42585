// SPDX-License-Identifier: MIT

/// What stands in the body of a refusal; whatever a machine on the way sends instead is read as nothing.
struct AnswerBody: Equatable {
    /// Apple's reason.
    var reason: String?
    /// With 410: since when the token is dead, in milliseconds since 1970.
    var timestamp: Int64?

    init(_ body: [UInt8]) {
        guard body.first == UInt8(ascii: "{"), body.last == UInt8(ascii: "}"), body.count <= 1_024 else { return }
        if let start = Self.valueStart(of: "reason", in: body), body[start] == UInt8(ascii: "\"") {
            let word = body[(start + 1)...].prefix { $0 != UInt8(ascii: "\"") }
            // Reasons are words; anything else is not one of Apple's.
            if !word.isEmpty, word.count <= 64, word.allSatisfy(Self.isLetter) {
                reason = String(decoding: word, as: UTF8.self)
            }
        }
        if let start = Self.valueStart(of: "timestamp", in: body) {
            let digits = body[start...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            timestamp = Int64(String(decoding: digits, as: UTF8.self))
        }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func valueStart(of name: String, in body: [UInt8]) -> Int? {
        let pattern = Array("\"\(name)\"".utf8)
        guard body.count > pattern.count else { return nil }
        for start in 0...(body.count - pattern.count) where body[start..<(start + pattern.count)].elementsEqual(pattern)
        {
            var index = start + pattern.count
            var sawColon = false
            while index < body.count {
                switch body[index] {
                case 0x20, 0x09, 0x0a, 0x0d: index += 1
                case UInt8(ascii: ":") where !sawColon:
                    sawColon = true
                    index += 1
                default: return sawColon ? index : nil
                }
            }
        }
        return nil
    }
}
