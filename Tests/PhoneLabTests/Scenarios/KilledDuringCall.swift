// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("E4: the app dies during a call; the user hangs up, and it is launched for the end") func killed()
        async throws
    {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.settle()
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        phone.faults.crash(app.bundle)
        #expect(phone.screen.inCall.count == 1)
        try phone.user.hangUp()
        await phone.advance(by: .seconds(1))
        #expect(app.events.suffix(3) == ["launched: callAction", "token", "end"])
        #expect(phone.screen.inCall.isEmpty)
    }
}
