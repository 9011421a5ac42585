// SPDX-License-Identifier: MIT

/// The part of a text that is the number, found by the rules of libphonenumber, in memory of the stack alone.
enum PhoneNumberText {
    /// A run of characters in memory that someone else owns for as long as the run is used.
    typealias Characters = UnsafeBufferPointer<Unicode.Scalar>

    /// Reads the digits of a text; letters count as keys if there are three of them.
    ///
    /// - Parameters:
    ///   - utf8: The text.
    ///   - digits: What the digits are added to.
    /// - Returns: Whether the number begins with "+", or why there is no number.
    static func read(
        _ utf8: UnsafeBufferPointer<UInt8>, into digits: inout Digits
    ) -> Result<Bool, PhoneNumberError> {
        // A character has at most four bytes.
        guard utf8.count <= 4 * PhoneNumberParser.longestText else { return .failure(.tooLong) }
        let capacity = PhoneNumberParser.longestText
        return withUnsafeTemporaryAllocation(of: Unicode.Scalar.self, capacity: 2 * capacity) { memory in
            guard let base = memory.baseAddress else { return .failure(.notANumber) }
            guard let count = decode(utf8, to: base) else { return .failure(.tooLong) }
            let text = Characters(start: base, count: count)
            guard let candidate = candidate(in: text, room: base + capacity) else { return .failure(.notANumber) }
            let ends = NumberExtension.starts(in: candidate, beforeNewline: false)
            guard isViable(candidate, extensions: ends) else { return .failure(.notANumber) }
            return .success(normalize(withoutExtension(candidate, extensions: ends), into: &digits))
        }
    }

    /// Writes a text's characters; nil if there are more than fit.
    private static func decode(
        _ utf8: UnsafeBufferPointer<UInt8>, to base: UnsafeMutablePointer<Unicode.Scalar>
    ) -> Int? {
        var count = 0
        if utf8.allSatisfy({ $0 < 0x80 }) {
            guard utf8.count <= PhoneNumberParser.longestText else { return nil }
            for byte in utf8 {
                (base + count).initialize(to: Unicode.Scalar(byte))
                count += 1
            }
            return count
        }
        for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
            guard count < PhoneNumberParser.longestText else { return nil }
            (base + count).initialize(to: scalar)
            count += 1
        }
        return count
    }

    private static func normalize(_ number: Characters, into digits: inout Digits) -> Bool {
        let pluses = number.prefix(while: \.isPlus).count
        let rest = number[pluses...]
        let hasWords = rest.lazy.filter(\.isLetter).prefix(3).count == 3
        for scalar in rest {
            if hasWords {
                if let key = scalar.key { digits.append(key) }
            } else if let digit = scalar.digit {
                digits.append(digit)
            }
        }
        return pluses > 0
    }

    // MARK: - The candidate

    private static let context: StaticString = ";phone-context="
    private static let scheme: StaticString = "tel:"
    private static let subaddress: StaticString = ";isub="

    /// The number with its extension, by RFC 3966 if the text says so; `nil` if its context is malformed.
    private static func candidate(
        in text: Characters, room: UnsafeMutablePointer<Unicode.Scalar>
    ) -> Characters? {
        // Without a semicolon a text has no context and no subaddress.
        guard text.contains(where: { $0 == ";" }) else { return possibleNumber(in: text) }
        var candidate: Characters
        if let index = find(context, in: text) {
            let value = part(text[(index + context.utf8CodeUnitCount)...].prefix { $0 != ";" })
            guard isContext(value) else { return nil }
            var count = 0
            func add(_ characters: Characters) {
                for scalar in characters {
                    (room + count).initialize(to: scalar)
                    count += 1
                }
            }
            if value.first == "+" { add(value) }
            let start = find(scheme, in: text).map { $0 + scheme.utf8CodeUnitCount } ?? 0
            if start < index { add(part(text[start..<index])) }
            candidate = Characters(start: room, count: count)
        } else {
            candidate = possibleNumber(in: text)
        }
        if let index = find(subaddress, in: candidate), index > 0 { candidate = part(candidate[..<index]) }
        return candidate
    }

    private static func part(_ slice: Slice<Characters>) -> Characters { Characters(rebasing: slice) }

    /// Finds an ASCII word.
    private static func find(_ wanted: StaticString, in text: Characters) -> Int? {
        let length = wanted.utf8CodeUnitCount
        guard text.count >= length else { return nil }
        return wanted.withUTF8Buffer { wanted in
            (0...text.count - length).first { start in
                wanted.indices.allSatisfy { text[start + $0].value == UInt32(wanted[$0]) }
            }
        }
    }

    /// From the first "+" or digit to the last letter, digit or "#", and no second number after a slash.
    private static func possibleNumber(in text: Characters) -> Characters {
        guard let start = text.firstIndex(where: { $0.isPlus || $0.isDecimal }) else { return part(text[..<0]) }
        var end = text.count
        while end > start, text[end - 1] != "#", !text[end - 1].isAlphanumeric { end -= 1 }
        for index in start..<end where text[index] == "/" || text[index] == "\\" {
            if text[(index + 1)..<end].first(where: { $0 != " " }) == "x" { return part(text[start..<index]) }
        }
        return part(text[start..<end])
    }

    /// Whether a phone-context is a global number or a domain name.
    private static func isContext(_ value: Characters) -> Bool {
        if value.first == "+" {
            let rest = value.dropFirst()
            return rest.contains(where: \.isDecimal)
                && rest.allSatisfy { $0.isDecimal || $0 == "-" || $0 == "." || $0 == "(" || $0 == ")" }
        }
        var labels = value.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.last?.isEmpty == true { labels.removeLast() }
        let areLabels = labels.allSatisfy { label in
            guard let first = label.first, let last = label.last else { return false }
            return first != "-" && last != "-" && label.allSatisfy { $0 == "-" || $0.isLetter || $0.isDecimal }
        }
        return areLabels && labels.last?.first?.isLetter == true
    }

    // MARK: - Viability

    /// Whether a text is two digits, or "+" signs, three digits, then digits, letters, separators and an extension.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - extensions: Where extensions begin that reach the end of the text.
    /// - Returns: Whether it may be a number.
    private static func isViable(_ text: Characters, extensions: @autoclosure () -> PositionSet) -> Bool {
        if text.count == 2, text[0].isDecimal, text[1].isDecimal { return true }
        var position = 0
        while position < text.count, text[position].isPlus { position += 1 }
        var count = 0
        while position < text.count, count < 3 {
            if !text[position].isSeparator {
                guard text[position].isDecimal else { return false }
                count += 1
            }
            position += 1
        }
        guard count == 3 else { return false }
        var end = position
        while end < text.count, text[end].isSeparator || text[end].isKeyLetter || text[end].isDecimal { end += 1 }
        if end == text.count { return true }
        return extensions().contains(anyOf: position...end)
    }

    /// The number before its extension, if one ends the text and what is before it is a number by itself.
    private static func withoutExtension(_ text: Characters, extensions: PositionSet) -> Characters {
        let starts =
            text.last == "\n" ? NumberExtension.starts(in: text, beforeNewline: true) : extensions
        guard let start = starts.first else { return text }
        let number = part(text[..<start])
        guard isViable(number, extensions: NumberExtension.starts(in: number, beforeNewline: false)) else {
            return text
        }
        return number
    }
}
