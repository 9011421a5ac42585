// SPDX-License-Identifier: MIT

import OffhookTesting
import Testing

extension Scenarios {
    @Test("K9: an app that never reports gets no pushes any more; a new installation cures it") func cutOff()
        async throws
    {
        let phone = VirtualPhone()
        let app = PlainCallApp { $0.report = .never }
        defer { phone.shutDown() }
        try await phone.installAndClose(app.app)
        for _ in 1...4 {
            phone.push(to: app.bundle, [:])
            await phone.advance(by: .seconds(60))
        }
        #expect(phone.push(to: app.bundle, [:]) == .dropped)
        try await phone.installAndClose(app.app)
        #expect(phone.push(to: app.bundle, [:]) != .dropped)
    }
}
