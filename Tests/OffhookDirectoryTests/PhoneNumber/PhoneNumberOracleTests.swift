// SPDX-License-Identifier: MIT

import Foundation
import OffhookDirectory
import Testing

@Suite("Phone numbers beside the PyPI package phonenumbers")
struct PhoneNumberOracleTests {
    // OFFHOOK_NUMBERS=1000000 OFFHOOK_SEED=7 swift test --filter PhoneNumberOracleTests
    static let count = Int(ProcessInfo.processInfo.environment["OFFHOOK_NUMBERS"] ?? "") ?? 100_000
    static let seed =
        ProcessInfo.processInfo.environment["OFFHOOK_SEED"] ?? String(UInt32.random(in: 0 ... .max))

    @Test("the number of generated and hostile texts is the oracle's, and so is its validity")
    func numbersAreTheOracles() throws {
        var comparison = PhoneNumberComparison(known: try PhoneNumberOracle.knownDifferences())
        let version = try PhoneNumberOracle.read(seed: Self.seed, count: Self.count) { cases in
            for item in cases { comparison.compare(item) }
        }
        #expect(version == PhoneNumberParser.metadataVersion, "run scripts/generate-phone-numbers")
        #expect(comparison.texts == Self.count)
        let listed = comparison.listed.values.reduce(0, +)
        print(
            "phone numbers: seed \(Self.seed), \(comparison.texts) texts, \(comparison.numbers) numbers,",
            "\(comparison.valid) valid; \(comparison.unknown.count) unlisted and \(listed) listed differences,",
            "\(comparison.judgedDifferently.count) differences in validity")
        #expect(
            comparison.unknown.isEmpty,
            "seed \(Self.seed): \(comparison.unknown.prefix(40).joined(separator: "\n"))")
        #expect(
            comparison.judgedDifferently.count * 2_000 <= comparison.numbers,
            "seed \(Self.seed): \(comparison.judgedDifferently.prefix(20).joined(separator: "\n"))")
    }
}

/// Counts where the parser and the oracle agree, and keeps where they do not.
struct PhoneNumberComparison {
    /// The differences that are known.
    let known: [String: String]
    var texts = 0
    var numbers = 0
    var valid = 0
    var listed: [String: Int] = [:]
    var unknown: [String] = []
    var judgedDifferently: [String] = []
    private var parsers: [String: PhoneNumberParser] = [:]

    init(known: [String: String]) {
        self.known = known
    }

    mutating func compare(_ item: PhoneNumberOracle.Case) {
        texts += 1
        let parser =
            parsers[item.region]
            ?? PhoneNumberParser(options: PhoneNumberOptions(defaultRegion: PhoneRegion(item.region)))
        parsers[item.region] = parser
        let number = item.text.withUnsafeBufferPointer { try? parser.parse(utf8: $0) }
        guard number.map({ String($0.rawValue) }) == item.number else { return differs(item, number) }
        guard let number else { return }
        numbers += 1
        valid += item.isValid ? 1 : 0
        if number.isValid != item.isValid {
            judgedDifferently.append("\(number.e164) is \(item.isValid ? "" : "not ")valid")
        }
    }

    private mutating func differs(_ item: PhoneNumberOracle.Case, _ number: PhoneNumber?) {
        let name = "\(item.region) \(item.base64)"
        let digits = item.number?.count ?? 0
        let beyond = "class beyond-int64 of \(digits) digits"
        // E.164 has 15 digits at most: what is refused is no number of any plan.
        if number == nil, let expected = item.number, Int64(expected) == nil, digits > 15, !item.isValid,
            known[beyond] != nil
        {
            listed[beyond, default: 0] += 1
        } else if known[name] != nil {
            listed[name, default: 0] += 1
        } else {
            let ours = number?.e164 ?? "refused"
            let text = String(decoding: item.text, as: UTF8.self).debugDescription
            unknown.append("\(name) \(text): \(ours), not \(item.number ?? "refused")")
        }
    }
}
