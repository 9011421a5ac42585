// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("I6: nobody answers: the phone ends the call after a minute") func missed() async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.advance(by: .seconds(59))
        #expect(phone.screen.incoming.count == 1)
        await phone.advance(by: .seconds(2))
        #expect(phone.screen.isHome)
        #expect(app.events.last == "end")
        #expect(phone.recents.first?.outcome == .missed)
    }
}
