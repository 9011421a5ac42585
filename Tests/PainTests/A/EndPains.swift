// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import OffhookTesting
import Testing
import VirtualPhone

/// P18-P23: what goes wrong at the end of a call, and with a second one.
@Suite(.timeLimit(.minutes(1))) struct EndPains {
    private func make(
        _ mistakes: Set<NaiveApp.Mistake>, isNaive: Bool, closed: Bool = true
    ) async throws -> (VirtualPhone, NaiveApp) {
        let phone = VirtualPhone()
        let app = NaiveApp(on: phone, isNaive ? mistakes : [])
        if closed { try await app.registerAndClose() } else { await app.openAndLeave() }
        return (phone, app)
    }

    @Test(
        "P18: the other side hangs up and the app reports nothing: the call stays on the phone",
        arguments: [true, false])
    func zombie(isNaive: Bool) async throws {
        let (phone, app) = try await make([.forgetsRemoteEnd], isNaive: isNaive)
        defer { phone.shutDown() }
        let call = UUID()
        app.push(call)
        await phone.settle()
        try await phone.answerAndTalk()
        app.serverEnds(call)
        await phone.advance(by: .seconds(600))
        #expect(app.media.isEmpty)
        #expect(phone.audit().map(\.rule) == (isNaive ? ["E2"] : []))
        #expect(phone.screen.inCall.map(\.status) == (isNaive ? [.timer] : []))
    }

    @Test(
        "P19: the caller gives up, and the woken app has no connection: it rings on for a minute",
        arguments: [true, false])
    func callerGivesUp(isNaive: Bool) async throws {
        let (phone, app) = try await make([.hasNoSocketAfterPush], isNaive: isNaive)
        defer { phone.shutDown() }
        let call = UUID()
        app.push(call)
        await phone.advance(by: .seconds(3))
        app.serverEnds(call)
        await phone.advance(by: .seconds(56))
        #expect(phone.screen.incoming.count == (isNaive ? 1 : 0))
        await phone.advance(by: .seconds(2))
        #expect(phone.screen.incoming.isEmpty)
        #expect(phone.recents.map(\.outcome) == [.missed])
        // The user's phone itself ended it (I6): the app takes that for a decline.
        #expect(app.sent.contains("end \(call)") == isNaive)
    }

    @Test("P20: a push that waited for the network rings for a call that is over", arguments: [true, false])
    func afterAirplaneMode(isNaive: Bool) async throws {
        let (phone, app) = try await make([.ignoresExpiry], isNaive: isNaive)
        defer { phone.shutDown() }
        phone.setAirplaneMode(true)
        app.push(lasting: .seconds(30))
        await phone.advance(by: .seconds(60))
        phone.setAirplaneMode(false)
        await phone.advance(by: .seconds(8))
        #expect(phone.screen.incoming.count == (isNaive ? 1 : 0))
        #expect(phone.brokenRules.isEmpty)
    }

    @Test("P20: a push that APNs may not keep does not come after airplane mode")
    func expiration() async throws {
        let (phone, app) = try await make([.ignoresExpiry], isNaive: true)
        defer { phone.shutDown() }
        phone.setAirplaneMode(true)
        let receipt = app.push(lasting: .seconds(30), expiration: Date(timeIntervalSince1970: 0))
        await phone.advance(by: .seconds(60))
        phone.setAirplaneMode(false)
        await phone.advance(by: .seconds(8))
        #expect(receipt.push.flatMap { phone.receipt(of: $0) } == .dropped)
        #expect(app.events.isEmpty)
    }

    @Test("P21: another device answered, and the locked phone rings on", arguments: [true, false])
    func answeredElsewhere(isNaive: Bool) async throws {
        let (locked, app) = try await make([.hasNoSocketAfterPush], isNaive: isNaive)
        let (open, other) = try await make([], isNaive: false, closed: false)
        defer {
            locked.shutDown()
            open.shutDown()
        }
        let call = UUID()
        app.push(call)
        other.serverRings(call)
        await locked.advance(by: .seconds(2))
        await open.advance(by: .seconds(2))
        try await open.answerAndTalk()
        #expect(other.sent.contains("answer \(call)"))
        app.serverEnds(call, .answeredElsewhere)
        await locked.advance(by: .seconds(20))
        #expect(locked.screen.incoming.count == (isNaive ? 1 : 0))
        #expect(locked.recents.map(\.outcome) == (isNaive ? [] : [.answeredElsewhere]))
    }

    @Test("P22: two people call each other, both apps say busy, and nobody talks", arguments: [true, false])
    func glare(isNaive: Bool) async throws {
        let sides = [
            try await make([.dropsCallsWhenBusy], isNaive: isNaive, closed: false),
            try await make([.dropsCallsWhenBusy], isNaive: isNaive, closed: false),
        ]
        defer { for (phone, _) in sides { phone.shutDown() } }
        var calls: [UUID] = []
        for (phone, app) in sides {
            calls.append(app.call())
            await phone.advance(by: .seconds(1))
        }
        for (side, call) in zip(sides, calls.reversed()) {
            side.1.serverRings(call)
            await side.0.advance(by: .seconds(1))
        }
        // The server passes on what it was told.
        for (side, other) in zip(sides, sides.reversed()) {
            for call in calls where other.1.sent.contains("busy \(call)") { side.1.serverEnds(call) }
            await side.0.advance(by: .seconds(1))
        }
        for (phone, _) in sides {
            #expect(phone.snapshot.calls.isEmpty == isNaive)
            #expect(phone.recents.map(\.outcome) == (isNaive ? [.cancelled] : []))
            // Without the mistake a card rings during the own call, and people have to sort it out.
            #expect(phone.screen.incoming.count == (isNaive ? 0 : 1))
        }
    }

    @Test(
        "P23, DTS3: the call that is there is another app's, so the push has to be reported", arguments: [true, false])
    func otherAppsCall(isNaive: Bool) async throws {
        let (phone, app) = try await make([.dropsPushesDuringCalls], isNaive: isNaive, closed: false)
        defer { phone.shutDown() }
        phone.cellular.incoming(from: "+14155550100")
        try await phone.answerAndTalk()
        app.push()
        await phone.advance(by: .seconds(8))
        #expect(phone.punishments.map(\.rule) == (isNaive ? ["K3"] : []))
        #expect(phone.screen.incoming.count == (isNaive ? 0 : 1))
        #expect(phone.screen.inCall.count == 1)
    }

    @Test("P23, DTS3: during a call of its own an app need not report, and nobody hears of the second call")
    func ownCall() async throws {
        let (phone, app) = try await make([.dropsPushesDuringCalls], isNaive: true)
        defer { phone.shutDown() }
        app.push()
        await phone.settle()
        try await phone.answerAndTalk()
        app.push(caller: "Bob")
        await phone.advance(by: .seconds(8))
        #expect(phone.punishments.isEmpty)
        #expect(phone.screen.incoming.isEmpty && phone.recents.isEmpty)
    }
}
