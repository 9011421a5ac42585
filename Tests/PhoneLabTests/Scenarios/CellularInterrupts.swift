// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test(
        "G3: a cellular call comes in between; its end decides whether the held call goes on", arguments: [true, false])
    func cellularInterrupts(userEndsIt: Bool) async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.settle()
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        phone.cellular.incoming(from: "+14155550100")
        try phone.user.choose(.holdAndAccept)
        await phone.advance(by: .seconds(5))
        #expect(app.events.suffix(2) == ["hold", "didDeactivate"])
        if userEndsIt { try phone.user.hangUp() } else { try phone.cellular.endRemotely() }
        await phone.advance(by: .seconds(1))
        #expect(app.events.contains("resume") == userEndsIt)
        #expect(phone.screen.inCall.map(\.isOnHold) == [!userEndsIt])
    }
}
