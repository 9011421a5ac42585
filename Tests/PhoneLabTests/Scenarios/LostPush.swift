// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("R108: a push is lost on the way; the next one rings") func lostPush() async throws {
        let (lab, app) = (PhoneLab(seed: 1), PlainCallApp())
        let bob = lab.phone("bob")
        defer { lab.shutDown() }
        try await lab.installAndClose(app.app, on: bob)
        lab.network.losePushes(1)
        lab.push(to: bob, app.bundle, ["caller": "Alice"])
        await lab.advance(by: .seconds(10))
        #expect(bob.screen.incoming.isEmpty)
        lab.push(to: bob, app.bundle, ["caller": "Alice"])
        await lab.advance(by: .milliseconds(200))
        #expect(bob.screen.incoming.count == 1)
    }
}
