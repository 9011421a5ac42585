// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("R123: a tap on a line of Recents opens the app and hands it the wish to call") func redial() async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice", "handle": "alice"])
        await phone.advance(by: .seconds(70))
        #expect(phone.recents.first?.outcome == .missed)
        try phone.user.tapRecent()
        await phone.settle()
        #expect(phone.appState(of: app.bundle) == .foreground)
        #expect(phone.timeline.entries.contains { $0.rule == "R123" })
    }
}
