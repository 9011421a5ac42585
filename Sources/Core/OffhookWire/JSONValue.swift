// SPDX-License-Identifier: MIT

/// A JSON text (RFC 8259) as a value.
///
/// The parser is our own, so that it reads the same on every system: strict, bounded in depth, no repeated names, no
/// number that loses digits, and an error that names the byte. Integers and their absence matter more to a protocol
/// than fractions, so a number that is no 64-bit integer is kept as its text. docs/decisions/0003-json.md has what
/// Foundation's coders do instead, and what they cost.
package enum JSONValue: Hashable, Sendable {
    /// The literal null.
    case null
    /// The literals true and false.
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// Any other number, as written.
    case number(String)
    /// A string, unescaped.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object, its members in the order written.
    case object(JSONObject)
}

/// The members of a JSON object, in order; names are unique.
package struct JSONObject: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One member.
    package struct Member: Hashable, Sendable {
        /// The member's name.
        package var name: String
        /// Its value.
        package var value: JSONValue
    }

    /// The members, in order.
    package private(set) var members: [Member]

    /// Makes an object of members that come in this order.
    package init(dictionaryLiteral elements: (String, JSONValue)...) {
        members = elements.map { Member(name: $0.0, value: $0.1) }
    }

    /// The value of a member: nil when there is none; setting nil removes it, a new name goes to the end.
    package subscript(name: String) -> JSONValue? {
        get {
            for member in members where member.name == name { return member.value }
            return nil
        }
        set {
            let index = members.firstIndex { $0.name == name }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(name: name, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Adds a member known to be new.
    mutating func append(_ name: String, _ value: JSONValue) {
        members.append(Member(name: name, value: value))
    }
}

extension JSONValue {
    /// The value as compact JSON text.
    package var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// The value as compact JSON text in UTF-8.
    package var bytes: [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(256)
        write(to: &output)
        return output
    }

    private func write(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): output.append(contentsOf: String(value).utf8)
        case .number(let text): output.append(contentsOf: text.utf8)
        case .string(let text): JSONValue.writeString(text, to: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                value.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                JSONValue.writeString(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func writeString(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { bytes in
            // Runs without a byte to escape are copied whole.
            var start = 0
            for (index, byte) in bytes.enumerated()
            where byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
                output.append(contentsOf: bytes[start..<index])
                start = index + 1
                writeEscape(byte, to: &output)
            }
            output.append(contentsOf: bytes[start...])
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func writeEscape(_ byte: UInt8, to output: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): output.append(contentsOf: "\\\"".utf8)
        case UInt8(ascii: "\\"): output.append(contentsOf: "\\\\".utf8)
        case 0x0A: output.append(contentsOf: "\\n".utf8)
        case 0x0D: output.append(contentsOf: "\\r".utf8)
        case 0x09: output.append(contentsOf: "\\t".utf8)
        default:
            output.append(contentsOf: "\\u00".utf8)
            output.append(hexadecimalDigit(byte >> 4))
            output.append(hexadecimalDigit(byte & 0xF))
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
