// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("R55, K2: the push token changes: the app is told, and the old one is dead") func tokenRotation() async throws
    {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        phone.install(app.app)
        phone.open(app.bundle)
        await phone.settle()
        let old = try #require(phone.pushToken(for: app.bundle))
        phone.rotateToken(of: app.bundle)
        await phone.settle()
        #expect(app.events.last == "token")
        let new = try #require(phone.pushToken(for: app.bundle))
        let body = PushBody(["caller": "Alice"])
        #expect(phone.receivePush(token: old, payload: body.data) == .unknownToken)
        #expect(phone.receivePush(token: new, payload: body.data).push != nil)
    }
}
