// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Conferences, keypad and translation.
@Suite(.timeLimit(.minutes(1)))
struct ConferenceTests {
    private func twoCalls(
        _ configure: (inout ProviderConfigurationValue) -> Void = { _ in }, groups: Bool = true
    ) async throws -> (bench: PhoneBench, app: RawApp) {
        var behavior = RawApp.Behavior()
        configure(&behavior.configuration)
        let bench = PhoneBench(behavior)
        try await bench.talk()
        let app = try #require(bench.probe.app)
        app.report(Calls.second)
        await bench.phone.settle()
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.advance(by: .milliseconds(100))
        if groups { for call in [Calls.first, Calls.second] { app.supportsGroups(call) } }
        bench.probe.forgetEvents()
        return (bench, app)
    }

    private func performed(_ bench: PhoneBench) -> [String] {
        bench.probe.events.filter { $0.hasPrefix("perform") }
    }

    private func requests(_ bench: PhoneBench) -> [String] {
        bench.probe.events.filter { $0.hasPrefix("request") }
    }

    @Test("G5, P41, R49: merging on the screen unholds, then groups; private ungroups and holds the others")
    func merge() async throws {
        let (bench, _) = try await twoCalls()
        defer { bench.close() }
        #expect(bench.phone.screen.inCall.last?.enabledControls.contains(.merge) == true)
        try bench.phone.user.merge()
        await bench.phone.advance(by: .milliseconds(100))
        #expect(performed(bench) == ["perform unhold", "perform group"])
        let entry = try #require(bench.phone.screen.inCall.first)
        #expect(bench.phone.screen.inCall.count == 1 && entry.isConference)
        #expect(entry.members.map(\.call) == [Calls.first, Calls.second])
        #expect(entry.members.map(\.isOnHold) == [false, false])
        #expect(entry.callerName == "Alice, Alice" && entry.status == .timer)
        #expect(bench.phone.snapshot.isCallAudioActive)
        bench.probe.forgetEvents()
        try bench.phone.user.separate(Calls.first)
        await bench.phone.advance(by: .milliseconds(100))
        #expect(performed(bench) == ["perform group", "perform hold"])
        #expect(bench.phone.screen.inCall.map(\.isOnHold) == [false, true])
        #expect(bench.phone.snapshot.isCallAudioActive)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("G5: a conference holds together, is muted together, and ends together or one by one")
    func together() async throws {
        let (bench, app) = try await twoCalls()
        defer { bench.close() }
        try bench.phone.user.merge()
        await bench.phone.settle()
        bench.probe.forgetEvents()
        try bench.phone.user.setHeld(true)
        await bench.phone.settle()
        #expect(performed(bench) == ["perform hold", "perform hold"])
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [true, true])
        app.request([(Calls.first, .setHeld(false))])
        await bench.phone.settle()
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [false, false])
        try bench.phone.user.setMuted(true)
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.map(\.isMuted) == [true])
        app.end(Calls.first, reason: 2)
        await bench.phone.advance(by: .milliseconds(100))
        #expect(bench.phone.screen.inCall.map(\.isConference) == [false])
        #expect(bench.phone.snapshot.isCallAudioActive)
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        #expect(bench.phone.screen.isHome && bench.phone.violations.isEmpty)
    }

    @Test("G5, P41: a merge by the app alone leaves the held call held")
    func mergeByApp() async throws {
        let (bench, app) = try await twoCalls()
        defer { bench.close() }
        app.request([(Calls.first, .setGroup(with: Calls.second))])
        await bench.phone.advance(by: .seconds(1))
        #expect(performed(bench) == ["perform group"])
        #expect(bench.phone.screen.inCall.first?.members.map(\.isOnHold) == [true, false])
        #expect(bench.phone.screen.inCall.first?.status == .timer)
    }

    @Test(
        "G5: without supportsGrouping there is no merge, on the screen and for the app; without ungrouping no private")
    func capabilities() async throws {
        let (bench, app) = try await twoCalls(groups: false)
        defer { bench.close() }
        #expect(bench.phone.screen.inCall.last?.enabledControls.contains(.merge) == false)
        #expect(throws: PhoneUserError.notOffered("merge")) { try bench.phone.user.merge() }
        app.request([(Calls.first, .setGroup(with: Calls.second))])
        await bench.phone.settle()
        #expect(requests(bench).last == "request error 6")
        for call in [Calls.first, Calls.second] { app.update(call) { $0.supportsGrouping = true } }
        try bench.phone.user.merge()
        await bench.phone.settle()
        #expect(throws: PhoneUserError.notOffered("private")) { try bench.phone.user.separate(Calls.first) }
        app.request([(Calls.first, .setGroup(with: nil))])
        await bench.phone.settle()
        #expect(requests(bench).last == "request error 6")
        bench.phone.change { $0.refusesUnsupportedGroup = false }
        app.request([(Calls.first, .setGroup(with: nil))])
        await bench.phone.settle()
        #expect(performed(bench).suffix(2) == ["perform group", "perform hold"])
    }

    @Test("G1, G5: a conference takes no more calls than maximumCallsPerCallGroup")
    func tooLarge() async throws {
        let (bench, app) = try await twoCalls({ $0.maximumCallsPerCallGroup = 1 })
        defer { bench.close() }
        #expect(throws: PhoneUserError.notOffered("merge")) { try bench.phone.user.merge() }
        app.request([(Calls.first, .setGroup(with: Calls.second))])
        await bench.phone.settle()
        #expect(requests(bench).last == "request error 6")
    }

    @Test("G5, T4: a call of another app, or one that is not there, cannot be joined")
    func others() async throws {
        let (bench, app) = try await twoCalls()
        defer { bench.close() }
        let cellular = bench.phone.cellular.incoming(from: "1")
        for other in [cellular, Calls.third] {
            app.request([(Calls.first, .setGroup(with: other))])
            await bench.phone.settle()
            #expect(requests(bench).last == "request error 4")
        }
        app.request([(Calls.first, .setGroup(with: Calls.first))])
        await bench.phone.settle()
        #expect(requests(bench).last == "request error 6")
    }

    @Test("G2: calls of the network are merged by the system alone")
    func cellular() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        for number in ["1", "2"] {
            bench.phone.cellular.incoming(from: number)
            try bench.phone.user.answer()
        }
        #expect(bench.phone.screen.inCall.map(\.isOnHold) == [true, false])
        try bench.phone.user.merge()
        #expect(bench.phone.screen.inCall.map(\.callerName) == ["1, 2"])
        try bench.phone.user.hangUp()
        #expect(bench.phone.screen.isHome && bench.phone.recents.count == 2)
    }

    // MARK: - Keypad

    @Test("G7, R50: digits one by one; what follows a soft or hard pause comes as one, after the one before")
    func pauses() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        bench.probe.forgetEvents()
        try bench.phone.user.playTone("1#,23;4*5")
        await bench.phone.settle()
        #expect(
            bench.probe.events == [
                "execute tone 1", "perform tone 1", "execute tone #", "perform tone #", "execute tone 23 (2)",
                "perform tone 23 (2)", "execute tone 4*5 (3)", "perform tone 4*5 (3)",
            ])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("G7, P54: after a tone that failed the rest is dropped; what is no tone is refused; without DTMF no keypad")
    func badTones() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["tone 1"] = .fails
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        bench.probe.forgetEvents()
        try bench.phone.user.playTone("12")
        await bench.phone.settle()
        #expect(performed(bench) == ["perform tone 1"])
        for typed in ["", "a", "1 2", ",", "٣", String(repeating: "9", count: 10_000) + "x"] {
            #expect(throws: PhoneUserError.self) { try bench.phone.user.playTone(typed) }
        }
        try #require(bench.probe.app).update(Calls.first) { $0.supportsDTMF = false }
        #expect(throws: PhoneUserError.notOffered("keypad")) { try bench.phone.user.playTone("1") }
    }

    // MARK: - Translation

    @Test("G8, R118: translation starts only after the call is connected, and only when the provider supports it")
    func translation() async throws {
        var behavior = RawApp.Behavior()
        behavior.configuration.supportsAudioTranslation = true
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.ring()
        let app = try #require(bench.probe.app)
        let translate = ActionValue.Kind.setTranslating(true, localLanguage: "en", remoteLanguage: "de")
        app.request([(Calls.first, translate)])
        await bench.phone.settle()
        #expect(requests(bench).last == "request error 6")
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(1))
        try bench.phone.user.setTranslating(true, from: "en", to: "de")
        await bench.phone.settle()
        #expect(performed(bench).last == "perform translate")
        #expect(bench.phone.screen.inCall.map(\.isTranslating) == [true])
        app.request([(Calls.first, .setTranslating(false, localLanguage: "en", remoteLanguage: "de"))])
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.map(\.isTranslating) == [false])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("G8: no translation before iOS 26, and none for a provider that does not support it", arguments: [25, 26])
    func noTranslation(_ version: Int) async throws {
        var behavior = RawApp.Behavior()
        behavior.configuration.supportsAudioTranslation = version < 26
        let bench = PhoneBench(behavior, system: SystemVersion(version))
        defer { bench.close() }
        try await bench.talk()
        #expect(throws: PhoneUserError.notOffered("translation")) {
            try bench.phone.user.setTranslating(true, from: "en", to: "de")
        }
        try #require(bench.probe.app).request([
            (Calls.first, .setTranslating(true, localLanguage: "en", remoteLanguage: "de"))
        ])
        await bench.phone.settle()
        #expect(requests(bench).last == "request error 6")
    }

    @Test(
        "R119: stopping the audio of a muted call that is translated is a violation, stopping one of two devices is not",
        arguments: [false, true])
    func mutedTranslation(_ usesSoundIO: Bool) async throws {
        var behavior = RawApp.Behavior()
        behavior.configuration.supportsAudioTranslation = true
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        try bench.phone.user.setTranslating(true, from: "en", to: "de")
        try bench.phone.user.setMuted(true)
        await bench.phone.settle()
        let process = try #require(bench.probe.app).process
        if usesSoundIO {
            let io = UUID()
            process.send(.audioSession(.setRunning(io: io, running: true, usesInput: true)))
            process.send(.setAudioRunning(running: false))
            #expect(bench.phone.violations.isEmpty)
            process.send(.audioSession(.setRunning(io: io, running: false, usesInput: true)))
        } else {
            process.send(.setAudioRunning(running: false))
        }
        #expect(bench.phone.violations.map(\.rule) == ["R119"])
    }
}
