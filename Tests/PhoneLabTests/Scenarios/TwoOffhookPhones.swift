// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookTesting
import Testing

extension Scenarios {
    @Test("R95: two Offhook apps and Offhook's server in one virtual time") func twoOffhookPhones() async throws {
        let lab = PhoneLab(seed: 1)
        defer { lab.shutDown() }
        let alice = try await lab.join("alice")
        let bob = try await lab.join("bob", closed: true)
        await alice.call("bob")
        await lab.advance(by: .seconds(3))
        #expect(bob.phone.screen.incoming.first?.callerName == "alice")
        try bob.phone.user.answer()
        await lab.advance(by: .seconds(10))
        #expect(alice.phone.screen.inCall.first?.status == .timer)
        try bob.phone.user.hangUp()
        await lab.advance(by: .seconds(5))
        #expect(lab.server.decisions == [.placed, .rang, .answered, .connected, .hungUp])
        #expect(lab.violations.isEmpty)
    }
}
