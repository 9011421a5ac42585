// SPDX-License-Identifier: MIT

import Foundation
import OffhookTesting
import Testing
import VirtualPhone

/// P24-P27: what goes wrong when a push launches the app and the user taps before the app is up.
@Suite(.timeLimit(.minutes(1))) struct ColdStartPains {
    /// A locked phone on which a push has just launched the app, and a call rings.
    private func ring(
        _ mistakes: Set<NaiveApp.Mistake>, isNaive: Bool
    ) async throws -> (phone: VirtualPhone, app: NaiveApp, call: UUID) {
        let phone = VirtualPhone()
        let app = NaiveApp(on: phone, isNaive ? mistakes : [])
        try await app.registerAndClose()
        let call = UUID()
        app.push(call)
        await phone.advance(by: .milliseconds(500))
        return (phone, app, call)
    }

    @Test(
        "P24: an answer before the host is up is shown on the phone and never reaches the server",
        arguments: [true, false])
    func lostAnswer(isNaive: Bool) async throws {
        let (phone, app, call) = try await ring([.speaksThroughHost], isNaive: isNaive)
        defer { phone.shutDown() }
        try await phone.answerAndTalk()
        app.hostCameUp()
        await phone.advance(by: .seconds(30))
        #expect(phone.screen.inCall.map(\.status) == [.timer])
        #expect(app.sent.contains("answer \(call)") == !isNaive)
        #expect(app.lost == (isNaive ? ["answer \(call)"] : []))
    }

    @Test("P25: an answer that waits for the host stays connecting and fails", arguments: [true, false])
    func stuckConnecting(isNaive: Bool) async throws {
        let (phone, app, _) = try await ring([.fulfillsThroughHost], isNaive: isNaive)
        defer { phone.shutDown() }
        try await phone.answerAndTalk()
        await phone.advance(by: .seconds(50))
        #expect(phone.screen.inCall.map(\.status) == (isNaive ? [.connecting] : [.timer]))
        await phone.advance(by: .seconds(20))
        #expect(phone.brokenRules == (isNaive ? ["R29"] : []))
        #expect(app.events.contains("timed out") == isNaive)
        #expect(phone.screen.inCall.isEmpty == isNaive)
        // The host is up at last, and connects a call that is over.
        app.hostCameUp()
        await phone.advance(by: .seconds(1))
        #expect(phone.brokenRules == (isNaive ? ["R29", "T8"] : []))
    }

    @Test("P26: a provider whose delegate comes after the report breaks a rule", arguments: [true, false])
    func lateDelegate(isNaive: Bool) async throws {
        let (phone, app, call) = try await ring([.setsDelegateAfterReport], isNaive: isNaive)
        defer { phone.shutDown() }
        #expect(phone.brokenRules == (isNaive ? ["R15"] : []))
        try await phone.answerAndTalk()
        // The phone keeps the action until there is a delegate: a guess.
        #expect(app.sent.contains("answer \(call)"))
    }

    @Test(
        "P27: a decline before the host is up never reaches the server: the caller rings on", arguments: [true, false])
    func lostDecline(isNaive: Bool) async throws {
        let (phone, app, call) = try await ring([.speaksThroughHost], isNaive: isNaive)
        defer { phone.shutDown() }
        try phone.user.decline()
        await phone.advance(by: .seconds(60))
        #expect(phone.recents.map(\.outcome) == [.declined])
        #expect(phone.appState(of: app.bundle) == .suspended)
        #expect(app.sent.contains("end \(call)") == !isNaive)
        #expect(app.lost == (isNaive ? ["end \(call)"] : []))
    }
}
