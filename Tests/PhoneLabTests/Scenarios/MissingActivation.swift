// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("S3: didActivate does not come, unless the configuration is set again", arguments: [false, true])
    func missingActivation(cured: Bool) async throws {
        let phone = VirtualPhone()
        let app = PlainCallApp { $0.configuresBeforeReport = cured }
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.faults.dropAudioActivation(true)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.settle()
        try phone.user.answer()
        await phone.advance(by: .seconds(5))
        #expect(phone.screen.inCall.first?.status == .timer)
        #expect(app.events.contains("didActivate") == cured)
    }
}
