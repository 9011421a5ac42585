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
        let oracle = try PhoneNumberOracle(seed: Self.seed, count: Self.count)
        #expect(oracle.version == PhoneNumberParser.metadataVersion, "run scripts/generate-phone-numbers")
        #expect(oracle.cases.count == Self.count)
        let known = try PhoneNumberOracle.knownDifferences()
        var parsers: [String: PhoneNumberParser] = [:]
        var unknown: [String] = []
        var listed: [String: Int] = [:]
        var numbers = 0
        var valid = 0
        var judgedDifferently: [String] = []
        for item in oracle.cases {
            let parser =
                parsers[item.region]
                ?? PhoneNumberParser(options: PhoneNumberOptions(defaultRegion: PhoneRegion(item.region)))
            parsers[item.region] = parser
            let number = item.text.withUnsafeBufferPointer { try? parser.parse(utf8: $0) }
            let text = String(decoding: item.text, as: UTF8.self).debugDescription
            if number.map({ String($0.rawValue) }) != item.number {
                let name = "\(item.region) \(item.base64)"
                if number == nil, let expected = item.number, Int64(expected) == nil, known["class beyond-int64"] != nil
                {
                    listed["class beyond-int64", default: 0] += 1
                } else if known[name] != nil {
                    listed[name, default: 0] += 1
                } else {
                    let ours = number?.e164 ?? "refused"
                    unknown.append("\(name) \(text): \(ours), not \(item.number ?? "refused")")
                }
            } else if let number {
                numbers += 1
                valid += item.isValid ? 1 : 0
                if number.isValid != item.isValid {
                    judgedDifferently.append("\(number.e164) is \(item.isValid ? "" : "not ")valid")
                }
            }
        }
        print(
            "phone numbers: seed \(Self.seed), \(oracle.cases.count) texts, \(numbers) numbers, \(valid) valid;",
            "\(unknown.count) unlisted and \(listed.values.reduce(0, +)) listed differences,",
            "\(judgedDifferently.count) differences in validity")
        #expect(unknown.isEmpty, "seed \(Self.seed): \(unknown.prefix(40).joined(separator: "\n"))")
        #expect(
            judgedDifferently.count * 2_000 <= numbers,
            "seed \(Self.seed): \(judgedDifferently.prefix(20).joined(separator: "\n"))")
    }
}
