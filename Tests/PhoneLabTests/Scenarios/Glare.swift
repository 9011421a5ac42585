// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("R43: two people call each other at the same moment: each phone rings during its own call") func glare()
        async throws
    {
        let (lab, apps) = (PhoneLab(seed: 1), [PlainCallApp(), PlainCallApp()])
        let phones = [lab.phone("alice"), lab.phone("bob")]
        defer { lab.shutDown() }
        for (phone, app) in zip(phones, apps) {
            lab.install(app.app, on: phone)
            phone.open(app.bundle)
            await lab.settle()
        }
        let calls = zip(apps, ["bob", "alice"]).map { $0.call($1) }
        lab.push(to: phones[1], apps[0].bundle, .plain(calls[0], caller: "Alice"))
        lab.push(to: phones[0], apps[1].bundle, .plain(calls[1], caller: "Bob"))
        await lab.advance(by: .seconds(1))
        for phone in phones { #expect(phone.screen.incoming.count == 1 && phone.screen.inCall.count == 1) }
        #expect(lab.violations.isEmpty)
        try expect(lab.timeline, matches: "glare")
    }
}
