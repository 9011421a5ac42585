// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// What Apple leaves open about requests, providers and groups: each answer is a setting.
@Suite(.timeLimit(.minutes(1)))
struct RequestSettingTests {
    private let start = ActionValue.Kind.start(handle: Calls.alice, contactIdentifier: nil, isVideo: false)

    private func bench(_ change: (inout PhoneSettings, inout RawApp.Behavior) -> Void) -> PhoneBench {
        var settings = PhoneSettings()
        var behavior = RawApp.Behavior()
        change(&settings, &behavior)
        return PhoneBench(behavior, locked: false, settings: settings)
    }

    private func answers(_ bench: PhoneBench) -> [String] {
        bench.probe.events.filter { $0.hasPrefix("request") }
    }

    @Test("T2: the order of the checks is a setting")
    func checkOrder() async throws {
        let bench = bench { settings, behavior in
            behavior.hasProvider = false
            settings.requestChecks = [.actionsAreValid, .callsFit, .providerIsKnown, .isNotEmpty]
        }
        defer { bench.close() }
        let app = try await bench.open()
        app.request([(nil, .other)])
        await bench.phone.settle()
        app.request([(Calls.first, .end)])
        await bench.phone.settle()
        app.request([])
        await bench.phone.settle()
        #expect(answers(bench) == ["request error 6", "request error 4", "request error 2"])
    }

    @Test("T2: a start that is known and too much answers 5, or 7 as a setting", arguments: [false, true])
    func groupsBeforeIdentity(_ groupsFirst: Bool) async throws {
        let bench = bench { settings, behavior in
            behavior.configuration.maximumCallGroups = 1
            settings.checksGroupsBeforeIdentity = groupsFirst
        }
        defer { bench.close() }
        let app = try await bench.open()
        app.report(Calls.first)
        app.request([(Calls.first, start)])
        await bench.phone.settle()
        #expect(answers(bench) == [groupsFirst ? "request error 7" : "request error 5"])
    }

    @Test("T2: in one transaction a start may be followed by actions on its call; two starts of one call answer 5")
    func startAndHold() async throws {
        let bench = bench { _, _ in }
        defer { bench.close() }
        let app = try await bench.open()
        app.request([(Calls.first, start), (Calls.first, .setMuted(true))])
        await bench.phone.settle()
        app.request([(Calls.second, start), (Calls.second, start)])
        await bench.phone.settle()
        #expect(answers(bench) == ["request nil", "request error 5"])
        #expect(bench.phone.snapshot.calls.map(\.isMuted) == [true])
    }

    @Test("T4: the code for calls of others is a setting", arguments: [4, 8])
    func callsOfOthers(_ code: Int) async throws {
        let bench = bench { settings, _ in settings.codeForCallsOfOthers = code }
        defer { bench.close() }
        let other = RawApp.Probe()
        bench.phone.install(PhoneBench.app(other, bundle: "other.app"))
        try await bench.open().report(Calls.first)
        bench.phone.open("other.app")
        await bench.phone.settle()
        try #require(other.app).request([(Calls.first, .end)])
        await bench.phone.settle()
        #expect(other.events.last == "request error \(code)")
    }

    @Test("T5: calls that ring count for error 7, or not as a setting", arguments: [true, false])
    func ringing(_ count: Bool) async throws {
        let bench = bench { settings, behavior in
            behavior.configuration.maximumCallGroups = 1
            settings.ringingCallsCount = count
        }
        defer { bench.close() }
        let app = try await bench.open()
        app.report(Calls.first)
        app.request([(Calls.second, start)])
        await bench.phone.settle()
        #expect(answers(bench) == [count ? "request error 7" : "request nil"])
    }

    @Test("T5: calls that a killed app left behind count for error 7, or not as a setting", arguments: [true, false])
    func leftOverCalls(_ count: Bool) async throws {
        let bench = bench { settings, behavior in
            behavior.configuration.maximumCallGroups = 1
            settings.leftOverCallsCount = count
        }
        defer { bench.close() }
        try await bench.open().report(Calls.first)
        await bench.phone.settle()
        bench.phone.faults.crash(PhoneBench.bundle)
        let app = try await bench.open()
        app.request([(Calls.second, start)])
        await bench.phone.settle()
        #expect(answers(bench) == [count ? "request error 7" : "request nil"])
    }

    @Test("P39: calls that are closing count for error 7, as long as a setting says")
    func closingCallsCount() async throws {
        let bench = bench { settings, behavior in
            behavior.configuration.maximumCallGroups = 1
            settings.endedCallLingers = .milliseconds(500)
        }
        defer { bench.close() }
        let app = try await bench.open()
        app.report(Calls.first)
        app.end(Calls.first, reason: 2)
        app.request([(Calls.second, start)])
        await bench.phone.advance(by: .milliseconds(500))
        app.request([(Calls.second, start)])
        await bench.phone.settle()
        #expect(answers(bench) == ["request error 7", "request nil"])
    }

    @Test("I3: a UUID that is used again while its call is closing is refused; afterwards it is free")
    func reusedIdentity() async throws {
        let bench = bench { settings, _ in settings.endedCallLingers = .milliseconds(500) }
        defer { bench.close() }
        let app = try await bench.open()
        app.report(Calls.first)
        app.end(Calls.first, reason: 2)
        app.report(Calls.first)
        app.request([(Calls.first, start)])
        await bench.phone.advance(by: .milliseconds(500))
        app.report(Calls.first)
        await bench.phone.settle()
        let answers = bench.probe.events.filter { $0.hasPrefix("re") }
        // Reports and requests are answered on queues of their own.
        #expect(answers.filter { $0.hasPrefix("report") } == ["report nil", "report error 2", "report nil"])
        #expect(answers.filter { $0.hasPrefix("request") } == ["request error 5"])
    }

    @Test("P39: ten calls placed and hung up one after the other are all accepted, with one group")
    func rapidCalls() async throws {
        let bench = bench { _, behavior in behavior.configuration.maximumCallGroups = 1 }
        defer { bench.close() }
        let app = try await bench.open()
        for _ in 0..<10 {
            let call = UUID()
            app.request([(call, start)])
            await bench.phone.settle()
            app.request([(call, .end)])
            await bench.phone.settle()
        }
        #expect(answers(bench) == Array(repeating: "request nil", count: 20))
        // Without waiting for the end to be performed, the call still counts.
        bench.probe.behavior.completes["end"] = .never
        app.request([(Calls.first, start)])
        await bench.phone.settle()
        app.request([(Calls.first, .end)])
        await bench.phone.settle()
        app.request([(Calls.second, start)])
        await bench.phone.settle()
        #expect(answers(bench).last == "request error 7")
    }

    @Test(
        "G5: grouping above the maximum is refused, fails, or happens",
        arguments: [
            PhoneSettings.GroupAboveMaximum.refused, .failed, .allowed,
        ])
    func groupAboveMaximum(_ answer: PhoneSettings.GroupAboveMaximum) async throws {
        let bench = bench { settings, behavior in
            behavior.configuration.maximumCallsPerCallGroup = 1
            settings.groupAboveMaximum = answer
        }
        defer { bench.close() }
        let app = try await bench.open()
        for call in [Calls.first, Calls.second] {
            app.request([(call, start)])
            await bench.phone.settle()
            var update = Calls.update
            update.supportsGrouping = true
            app.process.send(.reportCallUpdated(provider: app.provider, call: call, update: update))
        }
        bench.probe.forgetEvents()
        app.request([(Calls.second, .setGroup(with: Calls.first))])
        await bench.phone.settle()
        switch answer {
        case .refused: #expect(bench.probe.events == ["request error 6"])
        case .failed: #expect(bench.probe.events == ["request nil", "execute group"])
        case .allowed: #expect(bench.probe.events == ["request nil", "execute group", "perform group"])
        }
    }

    @Test("O4: an outgoing call can be held only after reportCall(with:updated:), or at once as a setting")
    func outgoingCapabilities() async throws {
        for canBeHeld in [false, true] {
            let bench = bench { settings, _ in settings.outgoingCallsCanBeHeld = canBeHeld }
            defer { bench.close() }
            let app = try await bench.open()
            app.request([(Calls.first, start)])
            await bench.phone.settle()
            #expect(bench.phone.screen.inCall.map(\.canHold) == [canBeHeld])
            app.process.send(
                .reportCallUpdated(provider: app.provider, call: Calls.first, update: Calls.update))
            #expect(bench.phone.screen.inCall.map(\.canHold) == [true])
        }
    }

    @Test("A2: as a setting, the session is activated before the app fulfills the answer")
    func activatesBeforeFulfill() async throws {
        let bench = bench { settings, behavior in
            settings.activatesAudioBeforeFulfill = true
            behavior.completes["answer"] = .never
        }
        defer { bench.close() }
        try await bench.ring()
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.snapshot.isCallAudioActive)
        #expect(bench.probe.events.last == "didActivate")
        #expect(bench.phone.snapshot.calls.map(\.phase) == [.answering])
    }

    @Test("T11: an action without a method fails at once, or waits for its deadline as a setting")
    func unimplementedWaits() async throws {
        let bench = bench { settings, behavior in
            settings.unimplementedActionFails = false
            behavior.implements = false
        }
        defer { bench.close() }
        let app = try await bench.open()
        app.request([(Calls.first, start)])
        await bench.phone.settle()
        #expect(bench.phone.violations.map(\.rule) == ["T11"])
        #expect(bench.phone.snapshot.calls.count == 1)
        await bench.phone.advance(by: .seconds(600))
        #expect(bench.phone.violations.map(\.rule).contains("R29"))
    }
}
