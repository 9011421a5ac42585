// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("A1: a push rings the locked phone, the user answers, talks and hangs up") func answered() async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.settle()
        #expect(phone.screen.incoming.first?.callerName == "Alice")
        try phone.user.answer()
        await phone.advance(by: .seconds(42))
        #expect(phone.snapshot.isCallAudioActive)
        try phone.user.hangUp()
        await phone.settle()
        #expect(phone.recents.first?.outcome == .answered)
        #expect(phone.violations.isEmpty)
        try expect(phone.timeline, matches: "answered")
    }
}
