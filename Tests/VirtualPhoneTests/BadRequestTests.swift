// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Input that makes no sense, at the phone's boundary: nothing crashes, hangs, or is believed.
@Suite(.timeLimit(.minutes(1)))
struct BadRequestTests {
    private let start = ActionValue.Kind.start(handle: Calls.alice, contactIdentifier: nil, isVideo: false)

    private func answers(_ bench: PhoneBench) -> [String] {
        bench.probe.events.filter { $0.hasPrefix("request") }
    }

    @Test("T1: the same action twice in a transaction answers 6, and nothing hangs")
    func actionTwice() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        let mute = app.action(.setMuted(true), Calls.first)
        app.request(TransactionValue(actions: [mute, mute]))
        await bench.phone.advance(by: .seconds(60))
        #expect(answers(bench) == ["request error 6"])
        #expect(bench.phone.snapshot.calls.map(\.isMuted) == [false])
    }

    @Test("T1: a transaction that is on its way is refused; done it may be requested again")
    func transactionReused() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        let transaction = TransactionValue(actions: [app.action(.setMuted(true), Calls.first)])
        bench.probe.behavior.completes["mute"] = .never
        app.request(transaction)
        await bench.phone.settle()
        app.request(transaction)
        await bench.phone.settle()
        #expect(answers(bench) == ["request nil", "request error 6"])
        app.process.send(.actionFulfilled(action: transaction.actions[0].uuid, date: nil))
        app.request(transaction)
        await bench.phone.settle()
        #expect(answers(bench).last == "request nil")
        #expect(bench.probe.events.filter { $0 == "perform mute" }.count == 2)
    }

    @Test("T6: an action whose deadline has passed times out unperformed, and that is named")
    func lateRequest() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        let transaction = TransactionValue(actions: [app.action(.setMuted(true), Calls.first)])
        await bench.phone.advance(by: .seconds(6))
        app.request(transaction)
        await bench.phone.settle()
        #expect(answers(bench) == ["request nil"])
        #expect(!bench.probe.events.contains("perform mute"))
        #expect(bench.phone.violations.map(\.rule) == ["T6"])
    }

    @Test(
        "T6: deadlines that are none are replaced by the kind's; far ones are kept",
        arguments: [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude])
    func nonsenseDeadline(_ seconds: Double) async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        bench.probe.behavior.completes["mute"] = .never
        let app = try #require(bench.probe.app)
        var mute = app.action(.setMuted(true), Calls.first)
        mute.timeoutDate = Date(timeIntervalSinceReferenceDate: seconds)
        app.request(TransactionValue(actions: [mute]))
        await bench.phone.advance(by: .seconds(4))
        #expect(bench.probe.events.last == "perform mute")
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events.last == "timed out")
        // Other deadlines still work.
        bench.probe.behavior.completes["hold"] = .never
        app.request([(Calls.first, .setHeld(true))])
        await bench.phone.advance(by: .seconds(5))
        #expect(bench.probe.events.filter { $0 == "timed out" }.count == 2)
    }

    @Test("T9: a transaction of 10,000 actions is performed in order, once each")
    func manyActions() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        bench.probe.forgetEvents()
        let app = try #require(bench.probe.app)
        app.request((0..<10_000).map { (Calls.first, .setMuted($0.isMultiple(of: 2))) })
        await bench.phone.settle()
        let performed = bench.probe.events.filter { $0.hasPrefix("perform") }
        #expect(performed == (0..<10_000).map { $0.isMultiple(of: 2) ? "perform mute" : "perform unmute" })
        #expect(bench.phone.violations.isEmpty)
    }

    @Test(
        "R41: dates that are none count as now, and are warned of",
        arguments: [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude])
    func nonsenseDates(_ seconds: Double) async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        app.request([(Calls.first, start)])
        await bench.phone.settle()
        app.process.send(
            .reportOutgoingCallStartedConnecting(provider: app.provider, call: Calls.first, date: date))
        app.process.send(.reportOutgoingCallConnected(provider: app.provider, call: Calls.first, date: date))
        await bench.phone.advance(by: .seconds(3))
        app.process.send(.reportCallEnded(provider: app.provider, call: Calls.first, date: date, reason: 2))
        #expect(bench.phone.recents.map(\.duration) == [.seconds(3)])
        #expect(bench.phone.warnings.map(\.rule) == ["R41", "R41"])
    }

    @Test("R41: distant dates are believed, and a call is never shorter than nothing")
    func distantDates() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.request([(Calls.first, start)])
        await bench.phone.settle()
        app.process.send(
            .reportOutgoingCallConnected(provider: app.provider, call: Calls.first, date: .distantFuture))
        app.process.send(
            .reportCallEnded(provider: app.provider, call: Calls.first, date: .distantPast, reason: 2))
        #expect(bench.phone.recents.map(\.duration) == [.zero])
    }

    @Test(
        "I7: texts of any kind are kept as they are",
        arguments: [
            "", String(repeating: "a", count: 10_000), "👩‍👩‍👧‍👦 🏳️‍🌈", "مرحبا \u{202E}tfel", "a\u{0}b\u{1B}[31m\n\t\u{7F}",
        ])
    func texts(_ text: String) async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        var update = CallUpdateValue()
        update.localizedCallerName = text
        update.remoteHandle = HandleValue(type: 99, value: text)
        app.report(Calls.first, update: update)
        app.request([
            (Calls.second, .start(handle: HandleValue(type: -1, value: text), contactIdentifier: text, isVideo: true))
        ])
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.count == 1)
        #expect(bench.phone.screen.inCall.count == 1)
        #expect(bench.phone.snapshot.calls.map(\.localizedCallerName) == [text, nil])
        #expect(bench.phone.snapshot.calls.map(\.handle?.value) == [text, text])
        if text.count > 2 { #expect(!bench.phone.timeline.description.contains(text)) }
    }

    @Test("G7: keypad entries of any kind are performed or refused, never lost")
    func tones() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        app.request([(Calls.first, .playDTMF(digits: "", type: 77)), (Calls.first, .playDTMF(digits: "🎵", type: 1))])
        await bench.phone.settle()
        #expect(bench.probe.events.suffix(2) == ["perform tone ", "perform tone 🎵"])
    }

    @Test("P16: a call belongs to its provider: another provider's reports change nothing, and are warned of")
    func otherProvider() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.report(Calls.first)
        let other = UUID()
        app.process.send(.createProvider(provider: other, configuration: ProviderConfigurationValue()))
        app.process.send(.setProviderDelegate(provider: other, present: true))
        app.process.send(.reportCallEnded(provider: other, call: Calls.first, date: nil, reason: 2))
        app.process.send(.reportCallUpdated(provider: other, call: Calls.first, update: Calls.update))
        #expect(bench.phone.snapshot.calls.count == 1)
        #expect(bench.phone.warnings.map(\.rule) == ["R15", "R15"])
        // The old provider performs what concerns its call.
        try bench.phone.user.decline()
        await bench.phone.settle()
        #expect(bench.probe.events.contains("perform end"))
    }

    @Test("P16: replaced between calls: ending the first call fails with error 4, for it is gone")
    func replacedProvider() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.report(Calls.first)
        app.process.send(.createProvider(provider: UUID(), configuration: ProviderConfigurationValue()))
        app.process.send(.releaseProvider(provider: app.provider))
        app.request([(Calls.first, .end)])
        await bench.phone.settle()
        #expect(answers(bench) == ["request error 4"])
        #expect(bench.phone.violations.map(\.rule) == ["R15", "P3"])
    }

    @Test("P15: of two providers the newest gets a start, or the oldest as a setting", arguments: [true, false])
    func twoProviders(_ newest: Bool) async throws {
        var settings = PhoneSettings()
        settings.newestProviderTakesOver = newest
        let bench = PhoneBench(locked: false, settings: settings)
        defer { bench.close() }
        let app = try await bench.open()
        let other = UUID()
        let seen = RawApp.Probe()
        app.process.attach(other, queue: app.queue) { seen.saw(RawApp.describe($0)) }
        app.process.send(.createProvider(provider: other, configuration: ProviderConfigurationValue()))
        app.process.send(.setProviderDelegate(provider: other, present: true))
        app.request([(Calls.first, start)])
        await bench.phone.settle()
        #expect(seen.events.contains("execute start") == newest)
        #expect(bench.probe.events.contains("execute start") == !newest)
        #expect(bench.phone.violations.map(\.rule) == ["R15"])
    }

    @Test("T9: an action completed inside execute, before it returns, is completed")
    func completedInExecute() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        let app = try #require(bench.probe.app)
        app.process.attach(app.provider, queue: app.queue) { [process = app.process] event in
            guard case .executeTransaction(_, let transaction) = event else { return }
            for action in transaction.actions { process.send(.actionFulfilled(action: action.uuid, date: nil)) }
            process.send(.transactionExecuted(transaction: transaction.uuid, handled: true))
        }
        try bench.phone.user.answer()
        await bench.phone.settle()
        #expect(bench.phone.snapshot.calls.map(\.phase) == [.connected])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("R15: a delegate that was released is named; what it was to perform times out")
    func releasedDelegate() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.report(Calls.first)
        app.process.send(.providerDelegateReleased(provider: app.provider))
        app.process.send(.providerDelegateReleased(provider: app.provider))
        try bench.phone.user.decline()
        await bench.phone.advance(by: .seconds(5))
        #expect(bench.phone.violations.map(\.rule) == ["R15", "R15"])
        #expect(!bench.probe.events.contains("perform end"))
    }

    @Test("P3: a provider released without calls is warned of, with calls it is a violation")
    func releasedProvider() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.process.send(.releaseProvider(provider: app.provider))
        app.process.send(.releaseProvider(provider: app.provider))
        #expect(bench.phone.warnings.map(\.rule) == ["P3"])
        #expect(bench.phone.violations.isEmpty)
    }
}
