// SPDX-License-Identifier: MIT

/// Writes markup that is well-formed as XML, so that HTML and SVG parsers both read it.
package enum Markup {
    /// Text with the characters escaped that markup gives a meaning; what XML cannot carry is replaced.
    package static func escape(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n": result.unicodeScalars.append(scalar)
            default:
                let allowed = scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
                result.unicodeScalars.append(allowed ? scalar : "\u{FFFD}")
            }
        }
        return result
    }

    /// A coordinate, to a tenth.
    package static func number(_ value: Double) -> String {
        let text = Display.decimal(value, 1)
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// A text element of SVG.
    package static func text(
        _ content: String, x: Double, y: Double, class style: String, anchor: Anchor = .start
    ) -> String {
        let position = "x=\"\(number(x))\" y=\"\(number(y))\""
        return "<text \(position) class=\"\(style)\" text-anchor=\"\(anchor.rawValue)\">\(escape(content))</text>"
    }

    /// Where a text stands relative to its position.
    package enum Anchor: String {
        /// The text begins there.
        case start
        /// The text's middle is there.
        case middle
        /// The text ends there.
        case end
    }

    /// A straight line.
    package static func line(x1: Double, y1: Double, x2: Double, y2: Double, class style: String) -> String {
        "<line x1=\"\(number(x1))\" y1=\"\(number(y1))\" x2=\"\(number(x2))\" y2=\"\(number(y2))\" class=\"\(style)\" />"
    }

    /// A rectangle with round corners.
    package static func rectangle(
        x: Double, y: Double, width: Double, height: Double, radius: Double = 0, class style: String
    ) -> String {
        "<rect x=\"\(number(x))\" y=\"\(number(y))\" width=\"\(number(width))\" height=\"\(number(height))\" "
            + "rx=\"\(number(radius))\" class=\"\(style)\" />"
    }

    /// A circle.
    package static func circle(x: Double, y: Double, radius: Double, class style: String) -> String {
        "<circle cx=\"\(number(x))\" cy=\"\(number(y))\" r=\"\(number(radius))\" class=\"\(style)\" />"
    }
}
