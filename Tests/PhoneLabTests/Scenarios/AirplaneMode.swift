// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("K10: in airplane mode nothing rings; the push comes when the phone is back") func airplane() async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.setAirplaneMode(true)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.advance(by: .seconds(20))
        #expect(phone.screen.incoming.isEmpty)
        phone.setAirplaneMode(false)
        await phone.advance(by: .seconds(60))
        #expect(app.events.contains { $0.hasPrefix("push") })
    }
}
