// SPDX-License-Identifier: MIT

/// The few styles in use; the sixteen standard colours, so that every theme stays readable.
package enum TextStyle: String, Sendable {
    /// Headings and rule ids.
    case bold = "1"
    /// What is there for orientation.
    case faint = "2"
    /// The one accent.
    case accent = "36"
    /// What is wrong.
    case bad = "1;31"
    /// What is right.
    case good = "32"

    /// Text in this style, or as it is.
    package func paint(_ text: String, colour: Bool) -> String {
        colour && !text.isEmpty ? "\u{1B}[\(rawValue)m\(text)\u{1B}[0m" : text
    }
}
