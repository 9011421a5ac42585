// SPDX-License-Identifier: MIT

import OffhookDirectory
import Testing

@Suite("Phone numbers")
struct PhoneNumberParserTests {
    private func parser(
        _ region: String? = nil, international: Bool = false,
        prefix: PhoneNumberOptions.InternationalPrefix = .ofRegion, valid: Bool = false, variants: Bool = false
    ) -> PhoneNumberParser {
        PhoneNumberParser(
            options: PhoneNumberOptions(
                defaultRegion: region.flatMap { PhoneRegion($0) }, digitsAreInternational: international,
                internationalPrefix: prefix, requiresValid: valid, includesNationalVariants: variants))
    }

    private func number(_ text: String, _ parser: PhoneNumberParser) -> Int64? {
        try? parser.parse(text).rawValue
    }

    @Test(
        "the same number is read from all the ways to write it",
        arguments: [
            "+49 30 123456", "0049 30 123456", "030/123456", "(030) 123456", "Tel: 030 - 12 34 56", "030 123456 ext. 7",
            "tel:+49-30-123456", "tel:030123456;phone-context=+49", "+49 (0) 30 123456", "٠٣٠ ١٢٣٤٥٦", "0３0 123456",
        ])
    func waysToWriteANumber(text: String) {
        #expect(number(text, parser("DE")) == 49_30_123456)
    }

    @Test("what a region dials is read with its plan")
    func regions() {
        #expect(number("1-800-FLOWERS", parser("US")) == 1_800_356_9377)
        #expect(number("02 1234 5678", parser("IT")) == 39_02_1234_5678)
        #expect(number("011 15-1234-5678", parser("AR")) == 54_9_11_1234_5678)
        #expect(number("0 15 11 98765 4321", parser("BR")) == 55_11_98765_4321)
        #expect(number("8 (912) 345-67-89", parser("RU")) == 7_912_345_67_89)
        #expect(number("4601234", parser("AG")) == 1_268_460_1234)
    }

    @Test("a text without a number is refused with the reason")
    func reasons() {
        func error(_ text: String, _ parser: PhoneNumberParser) -> PhoneNumberError? {
            do throws(PhoneNumberError) {
                _ = try parser.parse(text)
                return nil
            } catch {
                return error
            }
        }
        #expect(error("", parser("DE")) == .notANumber)
        #expect(error("no number", parser("DE")) == .notANumber)
        #expect(error("030 123456", parser()) == .noCountry)
        #expect(error("+0 123456", parser()) == .noCountry)
        #expect(error("+999 123456", parser()) == .noCountry)
        #expect(error("+491", parser()) == .tooShort)
        #expect(error("+49123456789012345678", parser()) == .tooLong)
        #expect(error("+999" + String(repeating: "1", count: 300), parser()) == .tooLong)
        #expect(error("+1 555 123 4567", parser(valid: true)) == .notValid)
        #expect(error("+1 201 555 0123", parser(valid: true)) == nil)
    }

    @Test("a source may leave the + out")
    func digitsAreInternational() {
        #expect(number("4930123456", parser(international: true)) == 49_30_123456)
        #expect(number("33 1 23 45 67 89", parser("DE", international: true)) == 33_1_23_45_67_89)
        #expect(number("0033 1 23 45 67 89", parser("DE", international: true)) == 33_1_23_45_67_89)
        #expect(number("030 123456", parser("DE", international: true)) == nil)
    }

    @Test("a source decides which digits stand for +")
    func internationalPrefixes() {
        #expect(number("011 49 30 123456", parser("US")) == 49_30_123456)
        #expect(number("0049 30 123456", parser("US", prefix: .ofRegionOrDoubleZero)) == 49_30_123456)
        #expect(number("0049 30 123456", parser(prefix: .ofRegionOrDoubleZero)) == 49_30_123456)
        #expect(number("0049 30 123456", parser()) == nil)
        #expect(number("0049 30 123456", parser("DE", prefix: .none)) != 49_30_123456)
        #expect(number("+49 30 123456", parser("DE", prefix: .none)) == 49_30_123456)
    }

    @Test("domestic numbers have a national variant if the source wants it")
    func nationalVariants() throws {
        let japan = parser("JP", variants: true)
        #expect(japan.entries(for: try japan.parse("03 1234 5678")) == [3_1234_5678, 81_3_1234_5678])
        #expect(japan.entries(for: try japan.parse("+49 30 123456")) == [49_30_123456])
        #expect(parser("JP").entries(for: try japan.parse("03 1234 5678")) == [81_3_1234_5678])
        let hungary = parser("HU", variants: true)
        #expect(hungary.entries(for: try hungary.parse("06 1 234 5678")) == [6_1_234_5678, 36_1_234_5678])
        #expect(try #require(PhoneNumber(rawValue: 800_1234_5678)).nationalVariant == nil)
    }

    @Test("any Int64 is a number or none, and none traps")
    func anyInteger() throws {
        for value in [Int64.min, -1, 0, 1, 49, 491, 999, 9_999, .max, .max - 1, 999_999_999_999] {
            guard let number = PhoneNumber(rawValue: value) else { continue }
            #expect(number.e164 == "+\(value)")
            #expect(number.countryCode > 0)
            _ = (number.isValid, number.nationalVariant)
        }
        #expect(PhoneNumber(rawValue: 4930) != nil)
        #expect(PhoneNumber(rawValue: 493) == nil)
        #expect(PhoneNumber(rawValue: 999_123456) == nil)
        let low = try #require(PhoneNumber(rawValue: 1_201_555_0123))
        let high = try #require(PhoneNumber(rawValue: 49_30_123456_789))
        #expect(low < high && low.isValid && low.countryCode == 1)
    }

    @Test("every region is found by its code, in either case")
    func regionsByCode() {
        #expect(PhoneRegion.all.count == 245)
        for region in PhoneRegion.all {
            #expect(PhoneRegion(region.code.lowercased()) == region)
            #expect(region.countryCode > 0)
        }
        for code in ["", "D", "DEU", "ZZ", "\0\0", "ÄÖ", "00"] { #expect(PhoneRegion(code) == nil) }
    }

    @Test("malformed bytes of any length are refused or read, and never trap")
    func malformedBytes() {
        var state: UInt64 = 88_172_645_463_325_252
        func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
        let alphabet =
            Array("0123456789+++  ()-x#;,/\\ext=tel:\n".utf8) + [0x80, 0xC2, 0xE2, 0xF0, 0xFF, 0xEF, 0xBC, 0x8B]
        let parsers = [parser("DE"), parser("AR", international: true), parser(prefix: .ofRegionOrDoubleZero)]
        var read = 0
        for round in 0..<20_000 {
            let length = round % 50 == 0 ? Int(next() % 1_200) : Int(next() % 30)
            let bytes = (0..<length).map { _ in alphabet[Int(next() % UInt64(alphabet.count))] }
            let number = bytes.withUnsafeBufferPointer { try? parsers[round % 3].parse(utf8: $0) }
            if let number {
                read += 1
                #expect(PhoneNumber(rawValue: number.rawValue) == number)
            }
        }
        #expect(read > 0)
        let digits = [UInt8](repeating: UInt8(ascii: "1"), count: 250)
        #expect(digits.withUnsafeBufferPointer { try? parsers[1].parse(utf8: $0) } == nil)
    }
}
