// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("E2: the caller gives up while it rings: no action comes, the call is missed") func callerGivesUp()
        async throws
    {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        phone.install(app.app)
        phone.open(app.bundle)
        await phone.settle()
        let call = app.ring(caller: "Alice")
        await phone.advance(by: .seconds(5))
        app.remoteEnded(call)
        await phone.settle()
        #expect(!app.events.contains("end"))
        #expect(phone.recents.first?.outcome == .missed)
    }
}
