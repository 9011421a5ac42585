// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("G5: two calls are merged on the call screen") func merge() async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        phone.install(app.app)
        phone.open(app.bundle)
        await phone.settle()
        for caller in ["Alice", "Carol"] {
            app.ring(caller: caller)
            await phone.settle()
            try phone.user.answer()
            await phone.advance(by: .seconds(1))
        }
        try phone.user.merge()
        await phone.settle()
        #expect(app.events.suffix(2) == ["resume", "join group"])
        #expect(phone.violations.isEmpty)
    }
}
