// SPDX-License-Identifier: MIT

/// Makes a caller's name safe to show: names are untrusted text.
public enum CallerName {
    /// The longest name on the wire and in a push, in bytes of UTF-8.
    public static let maximumBytes = 256

    /// A name without control and text-direction characters, cut between scalars at 256 bytes.
    ///
    /// - Returns: The cleaned name without spaces at its ends; empty if nothing is left, then show the handle.
    public static func cleaned(_ name: String) -> String {
        var scalars = String.UnicodeScalarView()
        var size = 0
        for scalar in name.unicodeScalars where isAllowed(scalar) {
            if scalars.isEmpty && scalar.properties.isWhitespace { continue }
            let width = UTF8.width(scalar)
            guard size + width <= maximumBytes else { break }
            scalars.append(scalar)
            size += width
        }
        while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
        return String(scalars)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0: false  // controls
        case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: false  // text direction
        case 0x2028, 0x2029: false  // line and paragraph separators
        case 0xFEFF, 0xFFF9...0xFFFB: false  // byte order mark, interlinear annotation
        default: true
        }
    }
}
