// SPDX-License-Identifier: MIT

/// The tones of a keypad, as text: `0` to `9`, `*` and `#`; `,` is a soft pause, `;` a hard one (R50).
enum Tones {
    /// Whether a text is 1 to 32 of these.
    static func areValid(_ text: String) -> Bool {
        let bytes = text.utf8
        return (1...32).contains(bytes.count)
            && bytes.allSatisfy { byte in
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "*")
                    || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";")
            }
    }
}
