// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookTesting
import Testing

extension Scenarios {
    @Test("R100: a phone leaves the network during a call; the call ends for both") func networkLost() async throws {
        let lab = PhoneLab(seed: 1)
        defer { lab.shutDown() }
        let (alice, bob) = (try await lab.join("alice"), try await lab.join("bob", closed: true))
        await alice.call("bob")
        await lab.advance(by: .seconds(3))
        try bob.phone.user.answer()
        await lab.advance(by: .seconds(10))
        lab.network.setOffline(true, phone: "bob")
        try bob.phone.user.hangUp()
        await lab.advance(by: .seconds(60))
        #expect(alice.phone.screen.inCall.isEmpty && bob.phone.screen.inCall.isEmpty)
        #expect(lab.server.decisions.last == .lost)
    }
}
