// SPDX-License-Identifier: MIT

import Foundation
import OffhookWire
import Testing

@Suite("JSON as the wire reads it")
struct JSONParserTests {
    private func fault(_ text: String) -> WireError? {
        do {
            _ = try JSONValue.parse(text)
            return nil
        } catch {
            return error
        }
    }

    @Test("Values of every kind are read")
    func values() throws {
        let text =
            #" { "a" : [ 1 , -2 , 0 , 1.5 , 1e3 , -0 ] , "b" : "x\n\u00e9\ud83d\ude42\/" , "c" : [true,false,null,{},[]] } "#
        let value = try JSONValue.parse(text)
        #expect(
            value
                == .object([
                    "a": .array([.integer(1), .integer(-2), .integer(0), .number("1.5"), .number("1e3"), .integer(0)]),
                    "b": .string("x\né🙂/"),
                    "c": .array([.bool(true), .bool(false), .null, .object([:]), .array([])]),
                ]))
    }

    @Test("What is written is read again, whatever is in the strings")
    func roundTrip() throws {
        var characters = ""
        for code in UInt32(0)..<0x300 {
            if let scalar = Unicode.Scalar(code) { characters.unicodeScalars.append(scalar) }
        }
        let value = JSONValue.object([
            "": .string(characters), "🙂\"\\": .integer(.max), "m": .integer(.min), "n": .number("1.25e-7"),
        ])
        #expect(try JSONValue.parse(value.bytes) == value)
        #expect(try JSONSerialization.jsonObject(with: Data(value.bytes)) is [String: Any])
    }

    @Test(
        "What is no JSON is refused",
        arguments: [
            "", " ", "{", "}", "[", "]", "[1,]", "[,1]", "{,}", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{a:1}"#,
            #"{"a":1 "b":2}"#, "[1 2]", "01", "-", "+1", "1.", ".5", "1e", "1e+", "0x1", "NaN", "Infinity", "tru",
            "truee", "nul", "\"", #""\"#, #""\x""#, #""\u12""#, #""\u12g4""#, #""\ud800""#, #""\ud800x""#,
            #""\ud800\u0041""#, #""\udc00""#, "\"\u{1}\"", "\"\n\"", "'a'", "1 2", "{} {}", "// x\n1", "\u{FEFF}1",
            #"{"a":1,"a":2}"#, #"{"a":1,"\u0061":2}"#,
        ])
    func malformed(text: String) {
        guard case .malformedJSON? = fault(text) else {
            Issue.record("\(text) was taken, or refused as \(String(describing: fault(text)))")
            return
        }
    }

    @Test("Members are set, changed and removed by name, in order")
    func members() {
        var object: JSONObject = ["a": .integer(1)]
        object["b"] = .bool(true)
        object["a"] = .null
        object["c"] = nil
        #expect(JSONValue.object(object).text == #"{"a":null,"b":true}"#)
        object["a"] = nil
        #expect(JSONValue.object(object).text == #"{"b":true}"#)
        #expect(object["a"] == nil)
    }

    @Test("The error names the byte")
    func offset() {
        #expect(fault(#"{"a":x}"#) == .malformedJSON(offset: 5, reason: "no value starts like this"))
    }

    @Test("Depth is bounded, so that the stack is")
    func depth() throws {
        let limit = 16
        let deepest = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
        #expect(try JSONValue.parse(deepest, maximumDepth: limit) != .null)
        #expect(fault("[" + deepest + "]") == .tooDeep(limit: limit))
        #expect(fault(String(repeating: #"{"a":["#, count: 100_000)) == .tooDeep(limit: limit))
    }

    @Test("Numbers that lose digits are kept as text")
    func largeNumbers() throws {
        #expect(try JSONValue.parse("9223372036854775807") == .integer(.max))
        #expect(try JSONValue.parse("9223372036854775808") == .number("9223372036854775808"))
        #expect(try JSONValue.parse("1.0") == .number("1.0"))
        let long = String(repeating: "9", count: 10_000)
        #expect(try JSONValue.parse(long) == .number(long))
    }

    @Test(
        "Bytes that are no UTF-8 are refused",
        arguments: [[0x80], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xE2, 0x82]])
    func noUTF8(bytes: [UInt8]) {
        #expect(throws: WireError.self) { try JSONValue.parse([0x22] + bytes + [0x22]) }
        #expect(throws: WireError.self) { try JSONValue.parse(Array("\"\\n".utf8) + bytes + [0x22]) }
    }

    @Test("What Foundation takes and the wire refuses, or the other way round, is known: nothing of real frames")
    func againstFoundation() throws {
        for kind in ["client", "server", "push"] {
            for (name, text) in try ExampleFrames.all(kind) {
                let bytes = Array(text.utf8)
                for index in stride(from: 0, to: bytes.count, by: 3) {
                    for replacement: UInt8 in [0x22, 0x2C, 0x7B, 0x5D, 0x30, 0x00, 0xFF] {
                        var changed = bytes
                        changed[index] = replacement
                        let ours = (try? JSONValue.parse(changed, maximumDepth: 64)) != nil
                        let theirs =
                            (try? JSONSerialization.jsonObject(with: Data(changed), options: .fragmentsAllowed)) != nil
                        // Repeated names are the one thing that we alone refuse.
                        if ours { #expect(theirs, "\(name) byte \(index) \(replacement)") }
                    }
                }
            }
        }
    }
}
