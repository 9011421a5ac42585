// SPDX-License-Identifier: MIT

/// What an app gives as a name or an address, made fit for the phone's own screens.
///
/// The text comes from the network. Control characters and the marks that turn the direction of what follows are taken
/// out, line breaks and runs of spaces become one space, and what is longer than 128 characters ends in an ellipsis.
/// A text with letters written from right to left is put between isolating marks, so that it does not turn the line it
/// stands in.
enum DisplayText {
    /// The most characters that a screen shows.
    static let limit = 128
    private static let firstStrongIsolate = "\u{2068}"
    private static let popIsolate = "\u{2069}"

    static func shown(_ text: String) -> String {
        var clean = String.UnicodeScalarView()
        var isRightToLeft = false
        var endsInSpace = true
        // Far more scalars than `limit` characters need: a character may carry marks without end.
        for scalar in text.unicodeScalars.prefix(limit * 16) {
            if scalar.properties.isWhitespace || scalar.value == 0 {
                if !endsInSpace { clean.append(" ") }
                endsInSpace = true
                continue
            }
            if isControl(scalar) { continue }
            isRightToLeft = isRightToLeft || isWrittenRightToLeft(scalar)
            clean.append(scalar)
            endsInSpace = false
        }
        if endsInSpace, !clean.isEmpty { clean.removeLast() }
        var shown = String(clean)
        if shown.count > limit || text.unicodeScalars.count > limit * 16 {
            shown = String(shown.prefix(limit - 1)) + "…"
        }
        return isRightToLeft ? firstStrongIsolate + shown + popIsolate : shown
    }

    /// Controls, and marks that change the direction of the text around them.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned, .privateUse: return true
        case .format:
            // The joiner of emoji and of Indic and Persian letters stays, as do the tags of flags.
            return !(scalar.value == 0x200D || scalar.value == 0x200C || 0xE0020...0xE007F ~= scalar.value)
        default: return false
        }
    }

    /// Hebrew, Arabic, Syriac, Thaana, N'Ko and their neighbours.
    private static func isWrittenRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF: return true
        default: return false
        }
    }
}
