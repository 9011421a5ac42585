// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("G2: hold and accept: the active call is held, then the other one is answered") func holdAndAccept()
        async throws
    {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.settle()
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        phone.push(to: app.bundle, ["caller": "Carol"])
        await phone.settle()
        try phone.user.choose(.holdAndAccept)
        await phone.advance(by: .seconds(1))
        #expect(app.events.filter { ["hold", "answer"].contains($0) } == ["answer", "hold", "answer"])
        #expect(phone.screen.inCall.map(\.isOnHold) == [true, false])
        try expect(phone.timeline, matches: "hold-and-accept")
    }
}
