// SPDX-License-Identifier: MIT

import Foundation
import OffhookWire
import Testing

@Suite("JSON as the wire reads it, beside JSONDecoder")
struct JSONDifferenceTests {
    /// Where the two are known to differ; docs/decisions/0003-json.md says why.
    enum Difference: String, CaseIterable {
        /// The wire refuses a name that comes twice in an object; JSONDecoder takes the first.
        case repeatedName
        /// The wire refuses a comma before a closing bracket; JSONDecoder on Linux does not see it.
        case commaAtTheEnd
        /// The wire takes 16 levels, JSONDecoder 512.
        case depth
        /// The wire reads UTF-8 alone; JSONDecoder guesses at byte order marks, UTF-16 and UTF-32.
        case otherEncoding
        /// The wire keeps a number as its text; JSONDecoder refuses one that no double holds.
        case numberRange
    }

    private enum Outcome: Equatable {
        case same
        case differs(Difference)
        case unexplained(String)
    }

    private func compare(_ bytes: [UInt8]) -> Outcome {
        let theirs = try? JSONDecoder().decode(DecodedJSON.self, from: Data(bytes))
        do {
            let ours = try JSONValue.parse(bytes)
            guard let theirs else {
                return holdsHugeNumber(ours) ? .differs(.numberRange) : .unexplained("only the wire takes it")
            }
            return theirs.agrees(with: ours) ? .same : .unexplained("read as \(ours) and as \(theirs)")
        } catch {
            if theirs == nil { return .same }
            return known(error, bytes).map(Outcome.differs) ?? .unexplained("only the wire refuses it: \(error)")
        }
    }

    private func known(_ error: WireError, _ bytes: [UInt8]) -> Difference? {
        guard case .malformedJSON(let offset, let reason) = error else { return .depth }
        if reason == "the same member name twice" { return .repeatedName }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) || bytes.contains(0) { return .otherEncoding }
        let before = bytes[..<offset].last { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        let isClosing = offset < bytes.count && [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(bytes[offset])
        return isClosing && before == UInt8(ascii: ",") ? .commaAtTheEnd : nil
    }

    private func holdsHugeNumber(_ value: JSONValue) -> Bool {
        switch value {
        case .number(let text): Double(text)?.isFinite == false
        case .array(let values): values.contains(where: holdsHugeNumber)
        case .object(let object): object.members.contains { holdsHugeNumber($0.value) }
        case .null, .bool, .integer, .string: false
        }
    }

    @Test(
        "Every difference is one that is known",
        arguments: [
            (#"{"a":1,"a":2}"#, Difference.repeatedName), (#"{"a":1,"\u0061":2}"#, .repeatedName),
            ("{\"\u{E9}\":1,\"e\u{301}\":2}", .repeatedName), (#"{"a":1,}"#, .commaAtTheEnd),
            ("[1 , ]", .commaAtTheEnd), (String(repeating: "[", count: 17) + String(repeating: "]", count: 17), .depth),
            ("\u{FEFF}{}", .otherEncoding), ("{\u{0}}\u{0}", .otherEncoding), ("[1e400]", .numberRange),
            (#"{"a":{"b":-1e309}}"#, .numberRange),
        ])
    func samples(text: String, difference: Difference) {
        #expect(compare(Array(text.utf8)) == .differs(difference))
    }

    @Test(
        "What is read the same, or refused by both",
        arguments: [
            "-0", "-0.0", "1e-400", "9007199254740993.0", "18446744073709551616", "[1.0,1e2]", #""\u0000""#,
            #""\ud800""#, #""\ud800\u0041""#, #""\ud83d\ue000""#, #""\udc00""#, #"{"\ud800":1}"#, "\"\u{1}\"",
            "\"\u{7F}\"", "01", "1.",
            "NaN",
            "{} x", "{}{}", "{} \n", "", " ", "{/**/}", "{,}", "[,1]", "{\u{c}}", "{\u{A0}}", "'a'",
            String(repeating: "[", count: 513) + String(repeating: "]", count: 513),
        ])
    func agreement(text: String) {
        #expect(compare(Array(text.utf8)) == .same)
    }

    @Test("Random JSON, whole and damaged, is read alike", arguments: UInt64(1)...16)
    func random(seed: UInt64) {
        var samples = JSONSamples(seed: seed)
        for number in 0..<250 {
            let text = samples.text()
            for bytes in [text, samples.mutated(text), samples.mutated(text), samples.mutated(text)] {
                if case .unexplained(let why) = compare(bytes) {
                    let shown = String(decoding: bytes, as: UTF8.self)
                    Issue.record("seed \(seed), sample \(number): \(shown.debugDescription): \(why)")
                }
            }
        }
    }

    @Test("The random samples reach every difference, and each way of agreeing")
    func reach() {
        var samples = JSONSamples(seed: 0)
        var missing = Set(Difference.allCases)
        var taken = 0
        var refused = 0
        for _ in 0..<4_000 {
            let text = samples.text()
            for bytes in [text, samples.mutated(text)] {
                switch compare(bytes) {
                case .same: if (try? JSONValue.parse(bytes)) == nil { refused += 1 } else { taken += 1 }
                case .differs(let difference): missing.remove(difference)
                case .unexplained(let why): Issue.record("seed 0: \(String(decoding: bytes, as: UTF8.self)): \(why)")
                }
            }
            if missing.isEmpty, taken > 500, refused > 500 { return }
        }
        Issue.record("\(missing) never came; \(taken) taken, \(refused) refused")
    }
}

/// Everything in a JSON text, as JSONDecoder reads it; it looks at no value that nobody asks for.
private enum DecodedJSON: Decodable {
    case null
    case bool(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([DecodedJSON])
    case object([String: DecodedJSON])

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let text = try? value.decode(String.self) {
            self = .string(text)
        } else if let flag = try? value.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? value.decode(Int64.self) {
            self = .integer(number)
        } else if let number = try? value.decode(Double.self) {
            self = .double(number)
        } else if let values = try? value.decode([DecodedJSON].self) {
            self = .array(values)
        } else {
            self = .object(try value.decode([String: DecodedJSON].self))
        }
    }

    func agrees(with other: JSONValue) -> Bool {
        switch (self, other) {
        case (.null, .null): true
        case (.bool(let mine), .bool(let theirs)): mine == theirs
        case (.integer(let mine), .integer(let theirs)): mine == theirs
        case (.integer(let mine), .number(let text)): Double(text) == Double(mine)
        case (.double(let mine), .number(let text)): Double(text) == mine
        case (.string(let mine), .string(let theirs)): mine.utf8.elementsEqual(theirs.utf8)
        case (.array(let mine), .array(let theirs)):
            mine.count == theirs.count && zip(mine, theirs).allSatisfy { $0.agrees(with: $1) }
        case (.object(let mine), .object(let theirs)):
            mine.count == theirs.members.count
                && theirs.members.allSatisfy { mine[$0.name]?.agrees(with: $0.value) ?? false }
        default: false
        }
    }
}
