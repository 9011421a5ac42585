// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

/// What a failed `#expect(phone.violations.isEmpty)` shows.
@Suite struct ViolationTextTests {
    @Test("A list of violations is printed like a compiler's errors, each with a note of what to do")
    func list() async throws {
        let phone = VirtualPhone()
        let app = PlainCallApp { $0.report = .never }
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, [:])
        await phone.advance(by: .seconds(10))
        // What an expectation prints of a value.
        let text = String(describing: phone.violations)
        #expect(text.contains("com.example.calls: error: ") && text.contains("[K3]"), "\(text)")
        #expect(text.contains("\ncom.example.calls: note: "), "\(text)")
    }
}
