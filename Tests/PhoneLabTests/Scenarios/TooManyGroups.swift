// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("T5, I8: with room for one group the second call ends the first") func tooManyGroups() async throws {
        let phone = VirtualPhone()
        let app = PlainCallApp { $0.maximumCallGroups = 1 }
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.settle()
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        phone.push(to: app.bundle, ["caller": "Carol"])
        await phone.settle()
        #expect(phone.screen.incoming.first?.choices == [.endAndAccept, .decline])
        app.call("dave")
        await phone.settle()
        #expect(app.events.last == "request refused: 7")
    }
}
