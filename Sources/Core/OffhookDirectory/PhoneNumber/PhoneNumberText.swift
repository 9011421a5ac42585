// SPDX-License-Identifier: MIT

/// The part of a text that is the number, found by the rules of libphonenumber.
struct PhoneNumberText {
    /// Why there is no number.
    private(set) var error: PhoneNumberError?
    /// Whether the number begins with "+".
    private(set) var hasPlus = false
    private var number: [Unicode.Scalar] = []

    init(_ utf8: UnsafeBufferPointer<UInt8>) {
        // A character has at most four bytes.
        guard utf8.count <= 4 * PhoneNumberParser.longestText else {
            error = .tooLong
            return
        }
        let text =
            utf8.allSatisfy { $0 < 0x80 }
            ? utf8.map { Unicode.Scalar($0) } : Array(String(decoding: utf8, as: UTF8.self).unicodeScalars)
        guard text.count <= PhoneNumberParser.longestText else {
            error = .tooLong
            return
        }
        guard let candidate = PhoneNumberText.candidate(in: text), PhoneNumberText.isViable(candidate[...]) else {
            error = .notANumber
            return
        }
        number = PhoneNumberText.withoutExtension(candidate)
        let pluses = number.prefix(while: \.isPlus).count
        hasPlus = pluses > 0
        number.removeFirst(pluses)
    }

    /// Adds the digits of the number; letters count as keys if there are three of them.
    func normalize(into digits: inout Digits) {
        let hasWords = number.lazy.filter { $0.isASCII && $0.properties.isAlphabetic }.prefix(3).count == 3
        for scalar in number {
            if hasWords {
                if let key = scalar.key { digits.append(key) }
            } else if let digit = scalar.digit {
                digits.append(digit)
            }
        }
    }

    // MARK: - The candidate

    private static let context = Array(";phone-context=".unicodeScalars)
    private static let scheme = Array("tel:".unicodeScalars)
    private static let subaddress = Array(";isub=".unicodeScalars)

    /// The number with its extension, by RFC 3966 if the text says so; `nil` if its context is malformed.
    private static func candidate(in text: [Unicode.Scalar]) -> [Unicode.Scalar]? {
        var candidate: [Unicode.Scalar]
        if let index = find(context, in: text) {
            let value = text[(index + context.count)...].prefix { $0 != ";" }
            guard isContext(value) else { return nil }
            candidate = value.first == "+" ? Array(value) : []
            let start = find(scheme, in: text).map { $0 + scheme.count } ?? 0
            if start < index { candidate += text[start..<index] }
        } else {
            candidate = possibleNumber(in: text)
        }
        if let index = find(subaddress, in: candidate), index > 0 { candidate.removeSubrange(index...) }
        return candidate
    }

    private static func find(_ wanted: [Unicode.Scalar], in text: [Unicode.Scalar]) -> Int? {
        guard text.count >= wanted.count else { return nil }
        return (0...text.count - wanted.count).first { text[$0..<$0 + wanted.count].elementsEqual(wanted) }
    }

    /// From the first "+" or digit to the last letter, digit or "#", and no second number after a slash.
    private static func possibleNumber(in text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        guard let start = text.firstIndex(where: { $0.isPlus || $0.isDecimal }) else { return [] }
        var number = text[start...]
        while let last = number.last, last != "#", !last.isAlphanumeric { number.removeLast() }
        for index in number.indices where number[index] == "/" || number[index] == "\\" {
            if number[(index + 1)...].first(where: { $0 != " " }) == "x" { return Array(number[..<index]) }
        }
        return Array(number)
    }

    /// Whether a phone-context is a global number or a domain name.
    private static func isContext(_ value: ArraySlice<Unicode.Scalar>) -> Bool {
        if value.first == "+" {
            let rest = value.dropFirst()
            return rest.contains(where: \.isDecimal)
                && rest.allSatisfy { $0.isDecimal || "-.()".unicodeScalars.contains($0) }
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
    private static func isViable(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        if text.count == 2, text.allSatisfy(\.isDecimal) { return true }
        var position = text.startIndex
        while position < text.endIndex, text[position].isPlus { position += 1 }
        var count = 0
        while position < text.endIndex, count < 3 {
            if !text[position].isSeparator {
                guard text[position].isDecimal else { return false }
                count += 1
            }
            position += 1
        }
        guard count == 3 else { return false }
        var end = position
        while end < text.endIndex, text[end].isSeparator || text[end].isKeyLetter || text[end].isDecimal { end += 1 }
        if end == text.endIndex { return true }
        let starts = NumberExtension.starts(in: Array(text), beforeNewline: false)
        return (position...end).contains { starts[$0 - text.startIndex] }
    }

    /// The number before its extension, if one ends the text and what is before it is a number by itself.
    private static func withoutExtension(_ text: [Unicode.Scalar]) -> [Unicode.Scalar] {
        let starts = NumberExtension.starts(in: text, beforeNewline: true)
        guard let start = starts.firstIndex(of: true), isViable(text[..<start]) else { return text }
        return Array(text[..<start])
    }
}
