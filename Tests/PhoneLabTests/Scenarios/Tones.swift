// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("G7: the keypad: one action a digit, the next when the one before is completed") func tones() async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.settle()
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        try phone.user.playTone("12#")
        await phone.settle()
        #expect(app.events.suffix(3) == ["tone 1", "tone 2", "tone #"])
    }
}
