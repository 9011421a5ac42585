// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("G6: mute on the phone's screen, unmute on the app's: one kind of action") func mute() async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.settle()
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        try phone.user.setMuted(true)
        await phone.settle()
        #expect(phone.screen.inCall.first?.isMuted == true)
        app.setMuted(false, phone.snapshot.calls[0].uuid)
        await phone.settle()
        #expect(phone.screen.inCall.first?.isMuted == false)
        #expect(app.events.suffix(2) == ["mute", "unmute"])
    }
}
