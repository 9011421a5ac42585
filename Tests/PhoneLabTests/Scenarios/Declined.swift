// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("E1: a declined call reaches the app as an end action") func declined() async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.settle()
        try phone.user.decline()
        await phone.settle()
        #expect(app.events.last == "end")
        #expect(phone.recents.first?.outcome == .declined)
    }
}
