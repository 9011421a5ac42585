// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("I4: Do Not Disturb refuses the report, which counts as a report all the same") func doNotDisturb()
        async throws
    {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.user.setDoNotDisturb(true)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.advance(by: .seconds(10))
        #expect(app.events.last == "report refused: 3")
        #expect(phone.screen.incoming.isEmpty)
        #expect(phone.appState(of: app.bundle) == .background)
        #expect(phone.violations.isEmpty)
    }
}
