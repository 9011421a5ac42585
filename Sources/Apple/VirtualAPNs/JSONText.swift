// SPDX-License-Identifier: MIT

import Foundation

/// JSON objects as the gateway takes them: Foundation reads them, and what it takes beyond RFC 8259 is refused.
///
/// Foundation bounds the depth (512) and the range of numbers (a double's), and checks that strings are UTF-8.
enum JSONText {
    /// A top-level member's value, as far as the gateway needs it.
    enum Value: Equatable {
        /// A string without its escapes.
        case string(String)
        /// A number.
        case number(Double)
        /// Anything else.
        case other
    }

    /// Whether the bytes are one JSON object and nothing else.
    static func isObject(_ bytes: [UInt8]) -> Bool {
        object(bytes) != nil
    }

    /// The members of the one JSON object that the bytes are, or nil when they are anything else.
    ///
    /// Of members with the same name it is the last one, which RFC 7519 (section 4) wants of who does not refuse them.
    static func members(_ bytes: [UInt8]) -> [String: Value]? {
        object(bytes)?.mapValues { value in
            switch value {
            case let text as String: .string(text)
            // The type "c" is that of true and false.
            case let number as NSNumber where number.objCType.pointee != CChar(UInt8(ascii: "c")):
                .number(number.doubleValue)
            default: .other
            }
        }
    }

    private static func object(_ bytes: [UInt8]) -> [String: Any]? {
        // Without these Foundation would guess at UTF-16, UTF-32 and byte order marks.
        guard bytes.first(where: { !isSpace($0) }) == UInt8(ascii: "{"), !bytes.contains(0) else { return nil }
        guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any],
            !hasTrailingComma(bytes)
        else { return nil }
        return object
    }

    /// Whether a comma stands before a closing bracket, in a text that is JSON otherwise: Foundation lets it pass.
    private static func hasTrailingComma(_ bytes: [UInt8]) -> Bool {
        var isInString = false
        var isEscaped = false
        var isAfterComma = false
        for byte in bytes {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if !isSpace(byte) {
                if isAfterComma, byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") { return true }
                isInString = byte == UInt8(ascii: "\"")
                isAfterComma = byte == UInt8(ascii: ",")
            }
        }
        return false
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09
    }
}
