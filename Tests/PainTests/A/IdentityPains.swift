// SPDX-License-Identifier: MIT

import Foundation
import OffhookTesting
import Testing
import VirtualPhone

/// P11-P17: what goes wrong with a call's identity, its provider, and its early end.
@Suite(.timeLimit(.minutes(1))) struct IdentityPains {
    private func make(
        _ mistakes: Set<NaiveApp.Mistake>, isNaive: Bool, _ change: (inout PhoneSettings) -> Void = { _ in }
    ) async throws -> (VirtualPhone, NaiveApp) {
        var settings = PhoneSettings()
        change(&settings)
        let phone = VirtualPhone(VirtualPhone.Configuration(settings: settings))
        let app = NaiveApp(on: phone, isNaive ? mistakes : [])
        await app.openAndLeave()
        return (phone, app)
    }

    @Test(
        "P11: the server ends a call that the app reported under another identity: it rings on",
        arguments: [true, false])
    func otherIdentity(isNaive: Bool) async throws {
        let (phone, app) = try await make([.inventsIdentity], isNaive: isNaive)
        defer { phone.shutDown() }
        let call = UUID()
        app.push(call)
        await phone.advance(by: .seconds(1))
        #expect(phone.screen.incoming.count == 1)
        app.serverEnds(call)
        await phone.advance(by: .seconds(5))
        #expect(phone.screen.incoming.count == (isNaive ? 1 : 0))
        #expect(phone.warnings.map(\.rule) == (isNaive ? ["E2"] : []))
    }

    @Test(
        "P12: a conversation's id is still taken by its last call: the next one does not ring",
        arguments: [true, false])
    func conversation(isNaive: Bool) async throws {
        let (phone, app) = try await make([.reusesConversation], isNaive: isNaive) { $0.endedCallLingers = .seconds(3) }
        defer { phone.shutDown() }
        let conversation = UUID()
        app.push(conversation: conversation)
        await phone.advance(by: .seconds(1))
        try phone.user.decline()
        await phone.advance(by: .seconds(1))
        app.push(conversation: conversation)
        await phone.advance(by: .seconds(1))
        #expect(app.events.contains("report refused: 2") == isNaive)
        #expect(phone.screen.incoming.isEmpty == isNaive)
    }

    @Test("P13: push and connection name one call differently: it is shown as two", arguments: [true, false])
    func twoCards(isNaive: Bool) async throws {
        let (phone, app) = try await make([.inventsIdentity], isNaive: isNaive)
        defer { phone.shutDown() }
        let call = UUID()
        app.push(call)
        app.serverRings(call)
        await phone.advance(by: .seconds(1))
        #expect(phone.screen.incoming.count == (isNaive ? 2 : 1))
    }

    @Test("P14: a start with the UUID of a call that rings is refused with error 5", arguments: [true, false])
    func startOfRinging(isNaive: Bool) async throws {
        let (phone, app) = try await make([], isNaive: isNaive)
        defer { phone.shutDown() }
        let call = UUID()
        app.push(call)
        await phone.settle()
        app.call("alice", isNaive ? call : UUID())
        await phone.advance(by: .seconds(1))
        #expect(app.events.contains("request refused: 5") == isNaive)
        #expect(app.events.contains("start") == !isNaive)
        #expect(phone.snapshot.calls.count == (isNaive ? 1 : 2))
    }

    @Test("P15: with two providers in one process a start does not reach the app's delegate", arguments: [true, false])
    func twoProviders(isNaive: Bool) async throws {
        let (phone, app) = try await make([.hasSecondProvider], isNaive: isNaive)
        defer { phone.shutDown() }
        app.call()
        await phone.advance(by: .seconds(1))
        #expect(phone.brokenRules == (isNaive ? ["R15"] : []))
        #expect(app.events.first == (isNaive ? "the library's start" : "start"))
        #expect(app.events.contains("start") == !isNaive)
        #expect(phone.screen.inCall.isEmpty == isNaive)
    }

    @Test("P16: a new provider for every call: ending the first one is refused with error 4", arguments: [true, false])
    func replacedProvider(isNaive: Bool) async throws {
        let (phone, app) = try await make([.replacesProvider], isNaive: isNaive)
        defer { phone.shutDown() }
        let first = UUID()
        app.push(first)
        await phone.settle()
        try await phone.answerAndTalk()
        app.push(caller: "Bob")
        await phone.advance(by: .seconds(1))
        app.end(first)
        await phone.advance(by: .seconds(1))
        #expect(app.events.contains("request refused: 4") == isNaive)
        #expect(phone.recents.map(\.outcome) == (isNaive ? [.failed] : [.answered]))
        // The app still has the first call's media open: its delegate never heard of the end.
        #expect(app.media == (isNaive ? [first] : []))
    }

    @Test(
        "P17: a cancel while the report is on its way, handled by a transaction: error 4, and it rings on",
        arguments: [true, false])
    func cancelDuringReport(isNaive: Bool) async throws {
        let (phone, app) = try await make([.requestsRemoteEnd], isNaive: isNaive)
        defer { phone.shutDown() }
        phone.faults.apply(.slowDaemon(.seconds(1)))
        let call = UUID()
        app.push(call)
        await phone.settle()
        // The daemon is late with the report alone.
        phone.faults.apply(.slowDaemon(.zero))
        app.serverEnds(call)
        await phone.advance(by: .seconds(10))
        #expect(app.events.contains("request refused: 4") == isNaive)
        #expect(phone.screen.incoming.count == (isNaive ? 1 : 0))
        #expect(phone.recents.map(\.outcome) == (isNaive ? [] : [.missed]))
    }

    @Test("P17: an end that is requested twice is refused with error 4", arguments: [true, false])
    func doubleEnd(isNaive: Bool) async throws {
        let (phone, app) = try await make([], isNaive: isNaive)
        defer { phone.shutDown() }
        let call = UUID()
        app.push(call)
        await phone.settle()
        try await phone.answerAndTalk()
        for _ in 1...(isNaive ? 2 : 1) {
            app.end(call)
            await phone.advance(by: .seconds(1))
        }
        #expect(app.events.contains("request refused: 4") == isNaive)
        #expect(phone.snapshot.calls.isEmpty)
    }
}
