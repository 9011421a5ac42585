// SPDX-License-Identifier: MIT

import OffhookWire
import Testing

@Suite("A caller's name is untrusted text")
struct CallerNameTests {
    @Test(
        "Control and text-direction characters are removed",
        arguments: [
            ("Alice", "Alice"), ("  Alice Adams\n", "Alice Adams"), ("A\u{0}l\u{7}i\u{1B}[31mce", "Ali[31mce"),
            ("\u{202E}ecilA\u{202C}", "ecilA"), ("\u{2066}A\u{2069}\u{200F}\u{061C}", "A"),
            ("A\u{2028}B\u{2029}C\u{85}D", "ABCD"), ("\u{FEFF}A", "A"), ("مرحبا", "مرحبا"), ("👨‍👩‍👧", "👨‍👩‍👧"), ("", ""),
            ("\u{202E} \n", ""),
            ("<b>Bob</b>", "<b>Bob</b>"),
        ])
    func cleaned(name: String, expected: String) {
        #expect(CallerName.cleaned(name) == expected)
    }

    @Test("A long name is cut between characters at 256 bytes", arguments: ["x", "é", "€", "🙂"])
    func cut(filler: String) {
        for lead in 0..<4 {
            let name = String(repeating: "a", count: lead) + String(repeating: filler, count: 300)
            let cleaned = CallerName.cleaned(name)
            #expect(name.hasPrefix(cleaned))
            #expect((253...256).contains(cleaned.utf8.count))
        }
    }

    @Test("A cleaned name stays as it is")
    func idempotent() {
        let name = String(repeating: "a ", count: 200)
        #expect(CallerName.cleaned(CallerName.cleaned(name)) == CallerName.cleaned(name))
    }
}
