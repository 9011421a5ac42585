// SPDX-License-Identifier: MIT

/// The numbering plans of the world as automata over digits, decoded once from the generated table.
struct NumberingPlans: Sendable {
    /// What is known of a region, or of a country code that belongs to no region.
    struct Region: Sendable {
        var id: UInt16 = 0
        var countryCode: Int = 0
        /// Start states; 0 where there is nothing to match.
        var international: UInt16 = 0
        var national: UInt16 = 0
        var plan: UInt16 = 0
        /// Bit n: a number of n digits is of a possible length, or too long; bit 31 stands for 31 and more.
        var possibleOrTooLong: UInt32 = 0
        var tooLong: UInt32 = 0
        /// The national prefix as dialled, and its number of digits.
        var nationalPrefix: Int64 = 0
        var nationalPrefixLength: Int = 0
    }

    /// How the match of a national prefix changes a number.
    struct Action: Sendable {
        /// Digits dropped at the front; 255 drops the whole match.
        var front: Int = 0
        /// Digits dropped at the end of the match.
        var back: Int = 0
        /// Digits put in front.
        var put: [UInt8] = []
    }

    /// A country code: its main region and the start state of its valid numbers.
    struct Country: Sendable {
        var main: Int = 0
        var valid: UInt16 = 0
    }

    static let world = NumberingPlans(base64: NumberingPlanTable.base64)

    /// 16 values a state: the state after each digit, then the label; state 0 is left by no number.
    private(set) var states: [UInt16] = []
    /// Two values a label: the action of a match that may go on, and of one at the end of the number; 0 is none.
    private(set) var labels: [UInt8] = []
    private(set) var actions: [Action] = []
    private(set) var regions: [Region] = []
    /// By country code 0...999, an index into `countries` plus one.
    private(set) var countryOfCode = [UInt16](repeating: 0, count: 1000)
    private(set) var countries: [Country] = []
    /// Version of the `phonenumbers` package that the table was made from.
    private(set) var version = ""

    init(base64: StaticString) {
        var reader = base64.withUTF8Buffer { TableReader(base64: $0) }
        let format = reader.u16()
        precondition(format == 1, "unknown format of the table of numbering plans; run scripts/generate-phone-numbers")
        let counts = (0..<5).map { _ in reader.u16() }
        version = (0..<3).map { _ in String(reader.u16()) }.joined(separator: ".")
        _ = reader.u16()
        states = [UInt16](repeating: 0, count: counts[0] * 16)
        for state in 0..<counts[0] {
            states[state * 16 + 10] = UInt16(reader.u8())
            var digit = 0
            while digit < 10 {
                let length = reader.u8()
                let target = UInt16(reader.u16())
                for next in digit..<digit + length { states[state * 16 + next] = target }
                digit += length
            }
        }
        for _ in 0..<counts[1] * 2 { labels.append(UInt8(reader.u8())) }
        for _ in 0..<counts[2] {
            var action = Action(front: reader.u8(), back: reader.u8())
            let count = reader.u8()
            var value = reader.u16()
            for _ in 0..<count {
                action.put.insert(UInt8(value % 10), at: 0)
                value /= 10
            }
            actions.append(action)
        }
        for _ in 0..<counts[3] {
            var region = Region()
            region.id = UInt16(reader.u8() << 8 | reader.u8())
            region.countryCode = reader.u16()
            region.international = UInt16(reader.u16())
            region.national = UInt16(reader.u16())
            region.plan = UInt16(reader.u16())
            region.possibleOrTooLong = UInt32(reader.u16() | reader.u16() << 16)
            region.tooLong = UInt32(reader.u16() | reader.u16() << 16)
            region.nationalPrefixLength = reader.u8()
            region.nationalPrefix = Int64(reader.u16())
            regions.append(region)
        }
        for index in 0..<counts[4] {
            countryOfCode[reader.u16()] = UInt16(index + 1)
            countries.append(Country(main: reader.u8(), valid: UInt16(reader.u16())))
        }
    }

    /// The country with a code.
    func country(_ code: Int) -> Country? {
        guard countryOfCode.indices.contains(code) else { return nil }
        let index = Int(countryOfCode[code])
        return index == 0 ? nil : countries[index - 1]
    }

    /// The country code that digits begin with, and its number of digits.
    @inline(__always)
    func countryCode(of digits: Digits) -> (code: Int, length: Int)? {
        guard digits.count > 0, digits[0] != 0 else { return nil }
        var code = 0
        for index in 0..<min(3, digits.count) {
            code = code * 10 + Int(digits[index])
            if countryOfCode[code] != 0 { return (code, index + 1) }
        }
        return nil
    }

    /// Whether an automaton accepts all digits.
    @inline(__always)
    func accepts(_ start: UInt16, _ digits: Digits) -> Bool {
        var state = Int(start)
        for index in 0..<digits.count {
            if state == 0 { return false }
            state = Int(states[state << 4 + Int(digits[index])])
        }
        return states[state << 4 + 10] == 1
    }

    /// The length of the longest beginning of the digits that an automaton accepts.
    func longestMatch(_ start: UInt16, _ digits: Digits) -> Int? {
        var state = Int(start)
        var end: Int?
        for index in 0..<digits.count where state != 0 {
            state = Int(states[state << 4 + Int(digits[index])])
            if states[state << 4 + 10] == 1 { end = index + 1 }
        }
        return end
    }
}

/// Reads the numbers of the generated table.
private struct TableReader {
    private var bytes: [UInt8] = []
    private var position = 0

    init(base64 text: UnsafeBufferPointer<UInt8>) {
        bytes.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            let value: UInt32
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(character) - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(character) - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(character) + 4
            case UInt8(ascii: "+"): value = 62
            case UInt8(ascii: "/"): value = 63
            default: continue
            }
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
    }

    mutating func u8() -> Int {
        defer { position += 1 }
        return Int(bytes[position])
    }

    mutating func u16() -> Int { u8() | u8() << 8 }
}
