// SPDX-License-Identifier: MIT

extension JSONValue {
    /// Parses a JSON text of at most `maximumDepth` nested arrays and objects.
    ///
    /// - Throws: ``WireError/malformedJSON(offset:reason:)`` or ``WireError/tooDeep(limit:)``; nothing else.
    package static func parse(_ bytes: [UInt8], maximumDepth: Int = 16) throws(WireError) -> JSONValue {
        var parser = JSONParser(bytes: bytes, maximumDepth: maximumDepth)
        let value = try parser.value(depth: 0)
        parser.skipSpace()
        guard parser.position == bytes.count else { throw parser.fault("text after the value") }
        return value
    }

    /// Parses a JSON text of at most `maximumDepth` nested arrays and objects.
    ///
    /// - Throws: ``WireError/malformedJSON(offset:reason:)`` or ``WireError/tooDeep(limit:)``; nothing else.
    package static func parse(_ text: String, maximumDepth: Int = 16) throws(WireError) -> JSONValue {
        try parse(Array(text.utf8), maximumDepth: maximumDepth)
    }
}

/// A recursive-descent parser over bytes; the depth limit bounds the recursion.
private struct JSONParser {
    let bytes: [UInt8]
    let maximumDepth: Int
    var position = 0

    init(bytes: [UInt8], maximumDepth: Int) {
        self.bytes = bytes
        self.maximumDepth = maximumDepth
    }

    func fault(_ reason: String) -> WireError {
        .malformedJSON(offset: position, reason: reason)
    }

    var current: UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    mutating func skipSpace() {
        while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    mutating func value(depth: Int) throws(WireError) -> JSONValue {
        skipSpace()
        guard let byte = current else { throw fault("the text ends where a value should be") }
        switch byte {
        case UInt8(ascii: "{"): return try object(depth: depth + 1)
        case UInt8(ascii: "["): return try array(depth: depth + 1)
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try literal("true", .bool(true))
        case UInt8(ascii: "f"): return try literal("false", .bool(false))
        case UInt8(ascii: "n"): return try literal("null", .null)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
        default: throw fault("no value starts like this")
        }
    }

    mutating func object(depth: Int) throws(WireError) -> JSONValue {
        guard depth <= maximumDepth else { throw .tooDeep(limit: maximumDepth) }
        position += 1
        var object: JSONObject = [:]
        skipSpace()
        if take(UInt8(ascii: "}")) { return .object(object) }
        var names: Set<String> = []
        while true {
            skipSpace()
            guard current == UInt8(ascii: "\"") else { throw fault("a member name should be here") }
            let name = try string()
            guard names.insert(name).inserted else { throw fault("the same member name twice") }
            skipSpace()
            guard take(UInt8(ascii: ":")) else { throw fault("a colon should be here") }
            object.append(name, try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "}")) else { throw fault("a comma or } should be here") }
            return .object(object)
        }
    }

    mutating func array(depth: Int) throws(WireError) -> JSONValue {
        guard depth <= maximumDepth else { throw .tooDeep(limit: maximumDepth) }
        position += 1
        var values: [JSONValue] = []
        skipSpace()
        if take(UInt8(ascii: "]")) { return .array(values) }
        while true {
            values.append(try value(depth: depth))
            skipSpace()
            if take(UInt8(ascii: ",")) { continue }
            guard take(UInt8(ascii: "]")) else { throw fault("a comma or ] should be here") }
            return .array(values)
        }
    }

    mutating func literal(_ text: StaticString, _ value: JSONValue) throws(WireError) -> JSONValue {
        let start = position
        let matches = text.withUTF8Buffer { buffer in
            bytes.count - start >= buffer.count && bytes[start..<start + buffer.count].elementsEqual(buffer)
        }
        guard matches else { throw fault("no such literal") }
        position += text.utf8CodeUnitCount
        return value
    }

    mutating func number() throws(WireError) -> JSONValue {
        let start = position
        _ = take(UInt8(ascii: "-"))
        guard let first = current, isDigit(first) else { throw fault("a digit should be here") }
        position += 1
        if first == UInt8(ascii: "0") {
            if let next = current, isDigit(next) { throw fault("a number starts with 0") }
        } else {
            skipDigits()
        }
        var whole = true
        if take(UInt8(ascii: ".")) {
            whole = false
            guard let next = current, isDigit(next) else { throw fault("a digit should be here") }
            skipDigits()
        }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            whole = false
            if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
            guard let next = current, isDigit(next) else { throw fault("a digit should be here") }
            skipDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if whole, let value = Int64(text) { return .integer(value) }
        return .number(text)
    }

    func isDigit(_ byte: UInt8) -> Bool {
        byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
    }

    mutating func skipDigits() {
        while let byte = current, isDigit(byte) { position += 1 }
    }
}

extension JSONParser {
    mutating func string() throws(WireError) -> String {
        position += 1
        let start = position
        skipPlain()
        if current == UInt8(ascii: "\"") {
            let text = try validated(bytes[start..<position])
            position += 1
            return text
        }
        var content = Array(bytes[start..<position])
        while let byte = current {
            if byte == UInt8(ascii: "\"") {
                let text = try validated(content[...])
                position += 1
                return text
            }
            guard byte >= 0x20 else { throw fault("a control character in a string") }
            if byte == UInt8(ascii: "\\") {
                position += 1
                try escape(into: &content)
            } else {
                let start = position
                skipPlain()
                content.append(contentsOf: bytes[start..<position])
            }
        }
        throw fault("the text ends inside a string")
    }

    /// Goes on to the next byte of a string that does not stand for itself.
    mutating func skipPlain() {
        let from = position
        position = bytes.withUnsafeBufferPointer { bytes in
            var index = from
            while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\"),
                bytes[index] >= 0x20
            {
                index += 1
            }
            return index
        }
    }

    func validated(_ content: ArraySlice<UInt8>) throws(WireError) -> String {
        var text = String(decoding: content, as: UTF8.self)
        // Decoding repairs what is not UTF-8; a difference shows it.
        let isSame = text.withUTF8 { text in
            content.withUnsafeBufferPointer { $0.elementsEqual(text) }
        }
        guard isSame else { throw fault("a string is not UTF-8") }
        return text
    }

    mutating func escape(into content: inout [UInt8]) throws(WireError) {
        guard let byte = current else { throw fault("the text ends inside a string") }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(byte)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"):
            var code = try hexadecimal()
            if code >= 0xD800 && code < 0xDC00 {
                guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw fault("half a surrogate pair") }
                let low = try hexadecimal()
                guard low >= 0xDC00 && low < 0xE000 else { throw fault("half a surrogate pair") }
                code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(code) else { throw fault("half a surrogate pair") }
            content.append(contentsOf: String(Character(scalar)).utf8)
        default: throw fault("no such escape")
        }
    }

    mutating func hexadecimal() throws(WireError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current else { throw fault("the text ends inside a string") }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): code = code << 4 | UInt32(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): code = code << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): code = code << 4 | UInt32(byte - UInt8(ascii: "A") + 10)
            default: throw fault("four hexadecimal digits should be here")
            }
            position += 1
        }
        return code
    }
}
