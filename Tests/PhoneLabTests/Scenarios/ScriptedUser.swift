// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("I6: somebody who answers after five seconds and talks for half a minute") func scriptedUser() async throws {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        await phone.user.answers(after: .seconds(5), hangsUpAfter: .seconds(30))
        for caller in ["Alice", "Bob", "Carol"] {
            phone.push(to: app.bundle, ["caller": .string(caller)])
            await phone.advance(by: .seconds(60))
        }
        #expect(phone.recents.map(\.duration) == [.seconds(30), .seconds(30), .seconds(30)])
    }
}
