// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Reports of incoming calls, and what the screen makes of them.
@Suite(.timeLimit(.minutes(1)))
struct IncomingTests {
    @Test("R23, I7: the card shows the update; unset fields change nothing")
    func card() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        var update = CallUpdateValue()
        update.remoteHandle = Calls.alice
        app.report(Calls.first, update: update)
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.first?.callerName == "alice")
        bench.phone.user.setContacts([Calls.alice: "Alice of Contacts"])
        #expect(bench.phone.screen.incoming.first?.callerName == "Alice of Contacts")
        #expect(bench.phone.screen.incoming.first?.isFullScreen == false)
        #expect(bench.phone.screen.incoming.first?.appName == "Test")
        #expect(bench.phone.screen.incoming.first?.choices == [.answer, .decline])
        var name = CallUpdateValue()
        name.localizedCallerName = "Alice"
        app.process.send(.reportCallUpdated(provider: app.provider, call: Calls.first, update: name))
        #expect(bench.phone.screen.incoming.first?.callerName == "Alice")
        #expect(bench.phone.screen.incoming.first?.handle == Calls.alice)
        #expect(bench.phone.screen.showsCallIndicator)
    }

    @Test("I3: a call that the system knows answers error 2 and stays as it is")
    func knownCall() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        try #require(bench.probe.app).report(Calls.first)
        await bench.phone.settle()
        #expect(bench.probe.events.last == "report error 2")
        #expect(bench.phone.screen.inCall.first?.status == .timer)
    }

    @Test("I4: Do Not Disturb answers 3 but for exceptions, a blocked caller 4")
    func filtered() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.user.setDoNotDisturb(true)
        app.report(Calls.first)
        await bench.phone.settle()
        bench.phone.user.setDoNotDisturb(true, exceptions: [Calls.alice])
        app.report(Calls.second)
        await bench.phone.settle()
        bench.phone.user.setDoNotDisturb(false)
        bench.phone.user.block([Calls.alice])
        app.report(Calls.third)
        await bench.phone.settle()
        let answers = bench.probe.events.filter { $0.hasPrefix("report") }
        #expect(answers == ["report error 3", "report nil", "report error 4"])
        #expect(bench.phone.snapshot.calls.map(\.uuid) == [Calls.second])
    }

    @Test("I2: every other code can be injected", arguments: [0, 1, 5, 6, 7])
    func injected(_ code: Int) async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.faults.failNextReport(code: code)
        app.report(Calls.first)
        await bench.phone.settle()
        app.report(Calls.first)
        await bench.phone.settle()
        #expect(bench.probe.events == ["report error \(code)", "report nil", "observer ringing"])
    }

    @Test("I5, R1: without the voip background mode nothing rings, and the provider is reset")
    func noBackgroundMode() async throws {
        let bench = PhoneBench(locked: false, modes: [.audio])
        defer { bench.close() }
        let app = try await bench.open()
        app.report(Calls.first)
        await bench.phone.settle()
        #expect(bench.probe.events == ["report error 3", "reset"])
        #expect(bench.phone.screen.incoming.isEmpty)
        #expect(bench.phone.violations.map(\.rule) == ["I5"])
    }

    @Test("I6: after 60 s the system ends the ringing through an end action")
    func ringLimit() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        bench.probe.forgetEvents()
        await bench.phone.advance(by: .milliseconds(59_999))
        #expect(bench.phone.screen.incoming.count == 1)
        await bench.phone.advance(by: .milliseconds(1))
        #expect(bench.probe.events == ["execute end", "perform end", "observer ended"])
        #expect(bench.phone.recents.first?.outcome == .missed)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("I6: a call that the user declined just before, and that the app does not end, does not ring for ever")
    func lateDecline() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["end"] = .never
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.ring()
        await bench.phone.advance(by: .seconds(58))
        try bench.phone.user.decline()
        await bench.phone.advance(by: .seconds(10))
        #expect(bench.phone.snapshot.calls.isEmpty && bench.phone.screen.incoming.isEmpty, "\(bench.phone.timeline)")
        #expect(bench.phone.recents.first?.outcome == .declined)
        #expect(bench.phone.violations.map(\.rule) == ["R29"])
    }

    @Test("I6: time that passes on a phone that is shut down ends no call, and keeps nobody waiting")
    func shutDownWhileRinging() async throws {
        let bench = PhoneBench()
        try await bench.ring()
        bench.close()
        await bench.phone.advance(by: .seconds(120))
        #expect(!bench.phone.timeline.entries.contains { $0.text == "rang too long" })
    }

    @Test("E1, R31: decline is an end action of a ringing call")
    func decline() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        bench.probe.forgetEvents()
        try bench.phone.user.decline()
        #expect(bench.phone.screen.incoming.isEmpty)
        await bench.phone.settle()
        #expect(bench.probe.events == ["execute end", "perform end", "observer ended"])
        #expect(bench.phone.recents.first?.outcome == .declined)
    }

    @Test("R32: Recents show how the far end ended the ringing", arguments: 1...5)
    func endReasons(_ reason: Int) async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        let app = try #require(bench.probe.app)
        app.end(Calls.first, reason: reason)
        app.end(Calls.first, reason: reason)
        app.end(Calls.third, reason: reason)
        await bench.phone.settle()
        let outcomes: [RecentCall.Outcome] = [.failed, .missed, .missed, .answeredElsewhere, .declinedElsewhere]
        #expect(bench.phone.recents.map(\.outcome) == [outcomes[reason - 1]])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("R18: a provider that keeps calls out of Recents")
    func noRecents() async throws {
        var behavior = RawApp.Behavior()
        behavior.configuration.includesCallsInRecents = false
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.ring()
        try bench.phone.user.decline()
        await bench.phone.settle()
        #expect(bench.phone.recents.isEmpty)
    }

    @Test("I8: with one group, answering the first call ends the second")
    func oneGroup() async throws {
        var behavior = RawApp.Behavior()
        behavior.configuration.maximumCallGroups = 1
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.ring()
        try #require(bench.probe.app).report(Calls.second)
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.map(\.call) == [Calls.first, Calls.second])
        try bench.phone.user.answer(Calls.first)
        await bench.phone.settle()
        #expect(bench.phone.snapshot.calls.map(\.uuid) == [Calls.first])
    }

    @Test("R19: with one group a second call offers no hold")
    func noHoldWithOneGroup() async throws {
        var behavior = RawApp.Behavior()
        behavior.configuration.maximumCallGroups = 1
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        try #require(bench.probe.app).report(Calls.second)
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.first?.choices == [.endAndAccept, .decline])
        #expect(throws: PhoneUserError.notOffered("holdAndAccept")) {
            try bench.phone.user.choose(.holdAndAccept)
        }
        try bench.phone.user.decline()
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.first?.status == .timer)
    }

    @Test("R15, P26: a report before the delegate is named; the answer waits for the delegate")
    func noDelegate() async throws {
        var behavior = RawApp.Behavior()
        behavior.setsDelegate = false
        let bench = PhoneBench(behavior, locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.report(Calls.first)
        await bench.phone.settle()
        try bench.phone.user.answer()
        await bench.phone.settle()
        #expect(bench.phone.violations.map(\.rule) == ["R15"])
        app.process.send(.setProviderDelegate(provider: app.provider, present: true))
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.first?.status == .timer)
    }

    @Test("I8: as a setting, a report above maximumCallGroups is refused")
    func refusedAboveMaximum() async throws {
        var behavior = RawApp.Behavior()
        behavior.configuration.maximumCallGroups = 1
        var settings = PhoneSettings()
        settings.refusesReportAboveMaximumGroups = true
        let bench = PhoneBench(behavior, settings: settings)
        defer { bench.close() }
        try await bench.ring()
        try #require(bench.probe.app).report(Calls.second)
        await bench.phone.settle()
        #expect(bench.probe.events.last == "report error 0")
    }

    @Test("E3: a reason that does not exist ends the call and is named")
    func unknownReason() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        try #require(bench.probe.app).end(Calls.first, reason: 9)
        await bench.phone.settle()
        #expect(bench.phone.violations.map(\.rule) == ["E3"])
        #expect(bench.phone.snapshot.calls.isEmpty)
    }

    @Test("I2: a provider that the system does not know reports in vain")
    func unknownProvider() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.process.send(.invalidateProvider(provider: app.provider))
        app.report(Calls.first)
        await bench.phone.settle()
        #expect(bench.probe.events == ["report error 0"])
        #expect(bench.phone.violations.map(\.rule) == ["I2"])
    }

    @Test("R15, P15: a second live provider is a violation")
    func twoProviders() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.process.send(.createProvider(provider: UUID(), configuration: ProviderConfigurationValue()))
        #expect(bench.phone.violations.map(\.rule) == ["R15"])
    }

    @Test("The user can tap only what is there")
    func nothingToTap() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let user = bench.phone.user
        #expect(throws: PhoneUserError.nothingRings) { try user.answer() }
        #expect(throws: PhoneUserError.nothingRings) { try user.decline() }
        #expect(throws: PhoneUserError.nothingRings) { try user.silence() }
        #expect(throws: PhoneUserError.noCall) { try user.hangUp() }
        #expect(throws: PhoneUserError.noCall) { try user.setMuted(true) }
        #expect(throws: PhoneUserError.appNotInstalled("nobody")) { try user.open("nobody") }
        #expect(throws: PhoneUserError.appNotRunning(PhoneBench.bundle)) { try user.close(PhoneBench.bundle) }
        try await bench.ring()
        #expect(throws: PhoneUserError.unknownCall(Calls.third)) { try user.answer(Calls.third) }
        try user.silence()
        #expect(bench.phone.screen.isSilenced)
    }
}
