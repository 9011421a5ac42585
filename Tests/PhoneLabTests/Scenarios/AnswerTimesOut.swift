// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("A3: an answer that nobody completes times out after a minute, and the call ends") func timeout() async throws
    {
        let phone = VirtualPhone()
        let app = PlainCallApp { $0.answer = .never }
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.settle()
        try phone.user.answer()
        await phone.advance(by: .seconds(59))
        #expect(phone.screen.inCall.first?.status == .connecting)
        await phone.advance(by: .seconds(2))
        #expect(app.events.suffix(3) == ["answer", "timed out", "end"])
        #expect(phone.violations.map(\.rule) == ["R29"])
    }
}
