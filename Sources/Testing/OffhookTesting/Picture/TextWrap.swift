// SPDX-License-Identifier: MIT

/// Breaks and pads text by characters.
package enum TextWrap {
    /// Lines of at most `width` characters, broken between words; a longer word is broken where it must be.
    package static func wrap(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        for part in text.split(separator: " ") {
            var word = String(part)
            if !current.isEmpty, current.count + 1 + word.count <= width {
                current += " " + word
                continue
            }
            if !current.isEmpty { lines.append(current) }
            while word.count > max(width, 1) {
                lines.append(String(word.prefix(max(width, 1))))
                word = String(word.dropFirst(max(width, 1)))
            }
            current = word
        }
        return lines + [current]
    }

    /// As few lines as ``wrap(_:to:)`` makes, but of about the same length.
    package static func balanced(_ text: String, to width: Int) -> [String] {
        let lines = wrap(text, to: width)
        guard lines.count > 1 else { return lines }
        for narrower in text.count / lines.count..<width {
            let balanced = wrap(text, to: narrower)
            if balanced.count <= lines.count { return balanced }
        }
        return lines
    }

    /// Text followed by spaces up to a width.
    package static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    /// Text preceded by spaces up to a width.
    package static func padLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }
}
