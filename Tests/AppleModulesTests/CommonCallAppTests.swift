// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import Testing
import VirtualPhone

/// The common app on a virtual phone: the modules and the phone together.
@Suite struct CommonCallAppTests {
    private let bundle = "com.example.calls"
    private let call = UUID()

    /// A phone with the app, opened or only registered, and the way to the app's main object.
    private func makePhone(system: SystemVersion = .init(26, 4)) async -> (VirtualPhone, Slot<Unsent<PushCenter>>) {
        let phone = VirtualPhone(.init(system: system))
        let made = Slot<Unsent<PushCenter>>()
        phone.install(
            App(bundleIdentifier: bundle, displayName: "Calls") { _ in
                let app = PushCenter()
                made.put(Unsent(app))
                return app
            })
        phone.open(bundle)
        await phone.settle()
        return (phone, made)
    }

    private func push(_ phone: VirtualPhone, _ call: UUID) async {
        let token = phone.pushToken(for: bundle) ?? Data()
        let payload = Data(#"{"id":"\#(call.uuidString)","caller":"Ann"}"#.utf8)
        let receipt = phone.receivePush(token: token, payload: payload)
        guard case .delivered = receipt else {
            Issue.record("the push was not delivered: \(receipt)")
            return
        }
        await phone.settle()
    }

    @Test("K8: the push rings on both sides of iOS 26.4", arguments: [SystemVersion(26, 4), SystemVersion(18, 0)])
    func pushAnswerHangUp(system: SystemVersion) async throws {
        let (phone, made) = await makePhone(system: system)
        let app = await made.take().value
        phone.user.goHome()
        await push(phone, call)
        #expect(app.calls.provider.reports == 1)
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        #expect(app.calls.events == ["begin", "answer", "observer: connected", "audio on true"])
        try phone.user.hangUp()
        await phone.advance(by: .seconds(1))
        #expect(app.calls.events.suffix(3) == ["end", "observer: ended", "audio off"])
        #expect(phone.violations.isEmpty && phone.deaths.isEmpty)
        phone.shutDown()
    }

    @Test("O1, O2: an outgoing call, muted and ended by the app")
    func outgoing() async throws {
        let (phone, made) = await makePhone()
        let app = await made.take().value
        app.calls.startCall(call, to: "+15550100")
        await phone.advance(by: .seconds(1))
        #expect(app.calls.events == ["begin", "start +15550100", "observer: connected", "audio on true"])
        app.calls.mute(call, true) { _ in }
        await phone.settle()
        try await app.calls.end(call)
        await phone.advance(by: .seconds(1))
        #expect(app.calls.events.suffix(4) == ["mute", "end", "observer: ended", "audio off"])
        #expect(phone.violations.isEmpty && phone.deaths.isEmpty)
        phone.shutDown()
    }

    @Test("I3, I4: errors reach async callers as Apple's structs")
    func errors() async {
        let (phone, made) = await makePhone()
        let app = await made.take().value
        #expect(await app.calls.incomingCallAsync(call) == "shown")
        #expect(await app.calls.incomingCallAsync(call) == "known")
        app.calls.remoteHungUp(call)
        phone.user.setDoNotDisturb(true)
        #expect(await app.calls.incomingCallAsync(UUID()) == "do not disturb")
        await #expect(throws: CXErrorCodeRequestTransactionError(.unknownCallUUID)) {
            try await app.calls.end(UUID())
        }
        phone.shutDown()
    }
}

/// Hands the app's object from the main queue to the test, which looks at it only while the phone is settled.
struct Unsent<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) {
        self.value = value
    }
}
