// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("O2: a call out: start, connecting, the other side answers, talk") func callOut() async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        phone.install(app.app)
        phone.open(app.bundle)
        await phone.settle()
        let call = app.call("bob")
        await phone.advance(by: .seconds(3))
        #expect(phone.screen.inCall.first?.status == .connecting)
        app.remoteAnswered(call)
        await phone.advance(by: .seconds(10))
        #expect(phone.screen.inCall.first?.status == .timer)
        app.remoteEnded(call)
        await phone.settle()
        #expect(phone.recents.first?.duration == .seconds(10))
        try expect(phone.timeline, matches: "call-out")
    }
}
