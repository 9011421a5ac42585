// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Of all the phone's calls one is active; who does not make room is made to.
@Suite(.timeLimit(.minutes(1)))
struct ActiveCallTests {
    private let start = ActionValue.Kind.start(handle: Calls.alice, contactIdentifier: nil, isVideo: false)

    private func twoApps(
        _ behavior: RawApp.Behavior = RawApp.Behavior()
    ) async throws -> (bench: PhoneBench, other: RawApp.Probe) {
        let bench = PhoneBench(behavior)
        let other = RawApp.Probe()
        bench.phone.install(PhoneBench.app(other, bundle: "other.app"))
        try await bench.talk()
        bench.phone.open("other.app")
        await bench.phone.settle()
        try #require(other.app).report(Calls.second)
        await bench.phone.settle()
        bench.probe.forgetEvents()
        other.forgetEvents()
        return (bench, other)
    }

    @Test("G4: a hold that is too slow ends the call, and only then the other one is answered")
    func slowHold() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["hold"] = .never
        let (bench, other) = try await twoApps(behavior)
        defer { bench.close() }
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.advance(by: .milliseconds(4_900))
        #expect(!other.events.contains("perform answer"))
        await bench.phone.advance(by: .milliseconds(200))
        #expect(bench.probe.events.filter { $0.hasPrefix("perform") } == ["perform hold", "perform end"])
        #expect(other.events.contains("perform answer"))
        #expect(bench.phone.snapshot.calls.map(\.uuid) == [Calls.second])
        #expect(bench.phone.violations.map(\.rule) == ["R29"])
    }

    @Test("G4: an app that neither holds nor ends its call loses it after 10 s, with a violation")
    func stubborn() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["hold"] = .never
        behavior.completes["end"] = .fails
        let (bench, _) = try await twoApps(behavior)
        defer { bench.close() }
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.advance(by: .seconds(11))
        #expect(bench.phone.snapshot.calls.map(\.uuid) == [Calls.second])
        #expect(bench.phone.violations.map(\.rule).contains("G4"))
        #expect(bench.phone.snapshot.isCallAudioActive)
    }

    @Test("G2: an app that starts a call holds the active one first, be it its own or another app's")
    func startMakesRoom() async throws {
        let (bench, other) = try await twoApps()
        defer { bench.close() }
        try bench.phone.user.decline()
        await bench.phone.settle()
        let app = try #require(other.app)
        app.request([(Calls.third, start)])
        await bench.phone.advance(by: .seconds(1))
        app.connected(Calls.third)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events.filter { $0.hasPrefix("perform") } == ["perform hold"])
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [true, false])
        let own = try #require(bench.probe.app)
        own.request([(Calls.first, .setHeld(false))])
        await bench.phone.advance(by: .seconds(1))
        // O4: an outgoing call that never said it can be held is ended.
        #expect(other.events.contains("perform end"))
        #expect(bench.phone.snapshot.calls.map(\.uuid) == [Calls.first])
        #expect(bench.phone.snapshot.isCallAudioActive)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("G2: as a setting, an app's second call leaves the first one active")
    func noRoom() async throws {
        var settings = PhoneSettings()
        settings.makesRoomForActiveCall = false
        let bench = PhoneBench(settings: settings)
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        app.request([(Calls.second, start)])
        await bench.phone.settle()
        app.connected(Calls.second)
        await bench.phone.settle()
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [false, false])
    }

    @Test("G3: a call of another app that its remote side ended leaves the held call held")
    func otherAppEnds() async throws {
        let (bench, other) = try await twoApps()
        defer { bench.close() }
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.advance(by: .seconds(1))
        try #require(other.app).end(Calls.second, reason: 2)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.snapshot.calls.map(\.isOnHold) == [true])
        try bench.phone.user.setHeld(false)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.snapshot.isCallAudioActive)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("I8: while two calls ring, declining the first shows the second")
    func secondShows() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        try #require(bench.probe.app).report(Calls.second)
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.map(\.call) == [Calls.first, Calls.second])
        try bench.phone.user.decline()
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.map(\.call) == [Calls.second])
        #expect(bench.phone.screen.incoming.first?.choices == [.answer, .decline])
    }

    @Test("R47, S2: hold from the app and from the user, both ways, and audio follows")
    func holdBothWays() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        for byUser in [true, false] {
            for isOnHold in [true, false] {
                bench.probe.forgetEvents()
                if byUser {
                    try bench.phone.user.setHeld(isOnHold)
                } else {
                    app.request([(Calls.first, .setHeld(isOnHold))])
                }
                await bench.phone.advance(by: .milliseconds(100))
                #expect(bench.probe.events.contains(isOnHold ? "perform hold" : "perform unhold"))
                #expect(bench.probe.events.contains(isOnHold ? "didDeactivate" : "didActivate"))
                #expect(bench.phone.screen.inCall.map(\.isOnHold) == [isOnHold])
            }
        }
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("G6, R48: mute from the user and from the app; an app's refusal leaves the screen as it was")
    func mute() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        try bench.phone.user.setMuted(true)
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.map(\.isMuted) == [true])
        app.request([(Calls.first, .setMuted(false))])
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.map(\.isMuted) == [false])
        bench.probe.behavior.completes["mute"] = .fails
        try bench.phone.user.setMuted(true)
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.map(\.isMuted) == [false])
        #expect(bench.phone.snapshot.isCallAudioActive)
    }

    @Test(
        "G6, P38: as a quirk, an outgoing call is unmuted by the system when it is connected", arguments: [true, false])
    func unmuteQuirk(_ isOn: Bool) async throws {
        var settings = PhoneSettings()
        settings.unmutesOnConnect = isOn
        let bench = PhoneBench(locked: false, settings: settings)
        defer { bench.close() }
        let app = try await bench.open()
        app.request([(Calls.first, start)])
        await bench.phone.settle()
        try bench.phone.user.setMuted(true)
        await bench.phone.settle()
        app.connected(Calls.first)
        await bench.phone.settle()
        #expect(bench.probe.events.contains("perform unmute") == isOn)
        #expect(bench.phone.snapshot.calls.map(\.isMuted) == [!isOn])
    }

    @Test("R40, R41, O4: an outgoing call: connecting, then the timer; what it can do comes with an update")
    func outgoing() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.request([(Calls.first, .start(handle: Calls.alice, contactIdentifier: nil, isVideo: true))])
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.first?.status == .connecting)
        #expect(bench.phone.screen.inCall.first?.hasVideo == true)
        #expect(bench.phone.screen.inCall.first?.enabledControls == [.mute, .speaker, .end])
        await bench.phone.advance(by: .seconds(7))
        app.connected(Calls.first)
        app.update(Calls.first) {
            $0.supportsHolding = true
            $0.supportsDTMF = true
        }
        await bench.phone.advance(by: .seconds(3))
        #expect(bench.phone.screen.inCall.first?.timer == .seconds(3))
        #expect(
            bench.phone.screen.inCall.first?.enabledControls == [.mute, .keypad, .speaker, .hold, .addCall, .end])
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        #expect(bench.phone.recents.first?.duration == .seconds(3))
        #expect(bench.phone.recents.first?.isOutgoing == true)
    }

    @Test("P18, E2: a call that the app never reports ended stays on the screen; the audit names it")
    func zombie() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        await bench.phone.advance(by: .seconds(3600))
        #expect(bench.phone.screen.inCall.count == 1)
        #expect(bench.phone.audit().map(\.call) == [Calls.first])
        #expect(bench.phone.violations.isEmpty)
        try #require(bench.probe.app).end(Calls.first, reason: 2)
        #expect(bench.phone.audit().isEmpty)
    }

    @Test("P17, T1: an end that is asked for twice, or after the call is over, answers 4")
    func doubleEnd() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        bench.probe.forgetEvents()
        app.request([(Calls.first, .end)])
        await bench.phone.settle()
        app.request([(Calls.first, .end)])
        await bench.phone.settle()
        #expect(bench.probe.events.filter { $0.hasPrefix("request") } == ["request nil", "request error 4"])
        #expect(bench.phone.recents.count == 1)
    }

    @Test("P11, P13: one call reported under two ids is two calls on the screen")
    func twoIdentities() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        let app = try #require(bench.probe.app)
        app.report(Calls.second)
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.map(\.call) == [Calls.first, Calls.second])
        app.report(Calls.first)
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.count == 2)
        #expect(bench.probe.events.last == "report error 2")
    }

    @Test("A5, P14, T1: a server that cannot be reached is reported failed; a start under a live UUID answers 5")
    func failed() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["answer"] = .never
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.ring()
        let app = try #require(bench.probe.app)
        app.request([(Calls.first, start)])
        await bench.phone.settle()
        #expect(bench.probe.events.last == "request error 5")
        try bench.phone.user.answer()
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.first?.status == .connecting)
        app.end(Calls.first, reason: 1)
        await bench.phone.settle()
        #expect(bench.phone.recents.map(\.outcome) == [.failed])
        #expect(bench.phone.screen.isHome && bench.phone.violations.isEmpty)
    }
}
