// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("P2: the call daemon restarts: every call is gone, the app is told to drop them") func daemonRestart()
        async throws
    {
        let (phone, app) = (VirtualPhone(), PlainCallApp())
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.settle()
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        phone.faults.restartDaemon()
        await phone.settle()
        #expect(app.events.contains("reset"))
        #expect(phone.snapshot.calls.isEmpty)
        #expect(!phone.snapshot.isCallAudioActive)
    }
}
