// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("R78: after a reboot a push waits for the first unlock") func beforeFirstUnlock() async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.reboot()
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.advance(by: .seconds(5))
        #expect(phone.appState(of: app.bundle) == .notRunning)
        phone.user.unlock()
        await phone.settle()
        #expect(phone.screen.incoming.first?.callerName == "Alice")
    }
}
