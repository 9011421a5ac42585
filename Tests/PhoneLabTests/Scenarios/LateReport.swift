// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("K3: an app that reports from a task is killed, and the violation says what to do") func lateReport()
        async throws
    {
        let phone = VirtualPhone()
        let app = PlainCallApp { $0.report = .inTask }
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        phone.push(to: app.bundle, ["caller": "Alice"])
        await phone.advance(by: .seconds(10))
        #expect(phone.deaths.last?.rule == "K3")
        #expect(phone.violations.map(\.rule) == ["K3"])
        #expect(phone.screen.incoming.isEmpty)
    }
}
