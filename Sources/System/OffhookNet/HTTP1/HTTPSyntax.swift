// SPDX-License-Identifier: MIT

/// The character classes of RFC 9110 and RFC 9112.
enum HTTPSyntax {
    static let carriageReturn = UInt8(ascii: "\r")
    static let lineFeed = UInt8(ascii: "\n")
    static let space = UInt8(ascii: " ")
    static let tab = UInt8(ascii: "\t")

    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10
    }

    static func hexValue(_ byte: UInt8) -> Int? {
        if isDigit(byte) { return Int(byte - UInt8(ascii: "0")) }
        let letter = lowercased(byte) &- UInt8(ascii: "a")
        return letter < 6 ? Int(letter) + 10 : nil
    }

    /// A tchar of RFC 9110 §5.6.2.
    static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "%"), UInt8(ascii: "&"),
            UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: isDigit(byte) || lowercased(byte) &- UInt8(ascii: "a") < 26
        }
    }

    static func isToken(_ bytes: some Collection<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.allSatisfy(isTokenByte)
    }

    /// A byte that a field value may have: visible characters, space, tab and the bytes of UTF-8.
    static func isValueByte(_ byte: UInt8) -> Bool {
        byte == tab || (byte >= 0x20 && byte != 0x7f)
    }

    /// Removes spaces and tabs at both ends.
    static func trim<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
        var rest = bytes[...]
        while let first = rest.first, first == space || first == tab { rest.removeFirst() }
        while let last = rest.last, last == space || last == tab { rest.removeLast() }
        return rest
    }

    /// A number of decimal digits alone that fits into an Int.
    static func decimal(_ bytes: some Collection<UInt8>) -> Int? {
        guard !bytes.isEmpty, bytes.count <= 19 else { return nil }
        var value = 0
        for byte in bytes {
            guard isDigit(byte) else { return nil }
            let (product, tooBig) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflow) = product.addingReportingOverflow(Int(byte - UInt8(ascii: "0")))
            guard !tooBig, !overflow else { return nil }
            value = sum
        }
        return value
    }
}

extension Character {
    /// Whether it can stand in a message: a visible ASCII character.
    var isPrintable: Bool { asciiValue.map { $0 > 0x20 && $0 < 0x7f } ?? false }
}
