// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Processes: their life, their calls after it, time, and several phones side by side.
@Suite(.timeLimit(.minutes(1)))
struct ProcessTests {
    @Test("T5, E4: a call of a killed app stays; the user's hang-up launches the app to end it")
    func killedWithCall() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let old = try #require(bench.probe.app).process
        try bench.phone.user.close(PhoneBench.bundle)
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.count == 1)
        #expect(!bench.phone.snapshot.isCallAudioActive)
        #expect(old.send(.listCalls) == .processTerminated)
        let start = bench.lineCount
        bench.probe.forgetEvents()
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        #expect(
            bench.lines(from: start) == [
                "user: tapped End [E1]",
                "phone: launched the app in the background for a call action [E4]",
                "app: created a provider [P1]",
                "phone: asks provider(_:execute:) [T9]",
                "app: registered for VoIP pushes [K1]",
                "phone: handed out the push token [K1]",
                "app: launched [K1]",
                "phone: performs CXEndCallAction [E1]",
                "app: fulfilled CXEndCallAction [E1]",
                "phone: call ended [E1]",
            ])
        #expect(bench.probe.events == ["begin", "execute end", "token", "perform end", "observer ended"])
        #expect(bench.phone.screen.isHome)
    }

    @Test("E4: an app that makes no provider when launched for an end loses the call at the deadline")
    func killedWithoutProvider() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        try bench.phone.user.close(PhoneBench.bundle)
        bench.probe.behavior.hasProvider = false
        try bench.phone.user.hangUp()
        await bench.phone.advance(by: .seconds(5))
        #expect(bench.phone.snapshot.calls.isEmpty)
        #expect(bench.phone.violations.map(\.rule) == ["R15"])
    }

    @Test("T5: a new process may end the call that the old one left behind, and it counts for error 7")
    func leftOverCall() async throws {
        var behavior = RawApp.Behavior()
        behavior.configuration.maximumCallGroups = 1
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        try bench.phone.user.close(PhoneBench.bundle)
        let app = try await bench.open()
        #expect(
            app.process.send(.listCalls)
                == .calls([CallValue(uuid: Calls.first, isOutgoing: false, hasConnected: true)]))
        app.request([(Calls.second, .start(handle: Calls.alice, contactIdentifier: nil, isVideo: false))])
        await bench.phone.settle()
        #expect(bench.probe.events.contains("request error 7"))
        app.end(Calls.first, reason: 1)
        await bench.phone.settle()
        #expect(bench.phone.snapshot.calls.isEmpty)
    }

    @Test("A killed app that rings is launched when the user answers")
    func killedWhileRinging() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        try bench.phone.user.close(PhoneBench.bundle)
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.screen.inCall.first?.status == .timer)
        #expect(bench.phone.snapshot.isCallAudioActive)
    }

    @Test("R75: locking sends the app to the background; opening it unlocks")
    func lockAndOpen() async throws {
        let bench = PhoneBench(locked: true)
        defer { bench.close() }
        _ = try await bench.open()
        #expect(!bench.phone.screen.isLocked)
        #expect(bench.phone.screen.foregroundApp == PhoneBench.bundle)
        bench.phone.user.lock()
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
        try bench.phone.user.open(PhoneBench.bundle)
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .foreground)
        bench.phone.user.goHome()
        #expect(bench.phone.screen.isHome)
    }

    @Test("The root of a process lives as long as the process")
    func rootIsReleased() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        final class Weak: @unchecked Sendable { weak var app: RawApp? }
        let weak = Weak()
        let probe = bench.probe
        bench.phone.install(
            App(bundleIdentifier: "weak.app", displayName: "Weak") { _ in
                guard let app = RawApp(probe: probe) else { return NSObject() }
                weak.app = app
                probe.started(app)
                return app
            })
        bench.phone.open("weak.app")
        await bench.phone.settle()
        #expect(weak.app != nil)
        try bench.phone.user.close("weak.app")
        _ = try await bench.open()  // takes the probe's own reference away
        #expect(weak.app == nil)
    }

    @Test("Two phones side by side keep their processes apart, and do not share tokens")
    func twoPhones() async throws {
        let left = PhoneBench()
        let right = PhoneBench(clock: .real)
        defer {
            left.close()
            right.close()
        }
        try await left.talk()
        try await right.ring()
        #expect(left.phone.screen.incoming.isEmpty)
        #expect(right.phone.screen.incoming.count == 1)
        #expect(left.phone.violations.isEmpty && right.phone.violations.isEmpty)
    }

    @Test("In real time deadlines come by themselves")
    func realTime() async throws {
        var settings = PhoneSettings()
        settings.ringLimit = .after(.milliseconds(50))
        let bench = PhoneBench(settings: settings, clock: .real)
        defer { bench.close() }
        let token = try await bench.register()
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        try await bench.phone.wait(for: { $0.recents.first?.outcome == .missed }, timeout: .seconds(30))
        #expect(bench.phone.screen.isHome)
    }

    @Test("A wait that is not met ends with the timeline")
    func waitTimesOut() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        await #expect(throws: VirtualPhone.WaitTimedOut.self) {
            try await bench.phone.wait(for: { !$0.calls.isEmpty }, timeout: .milliseconds(20))
        }
        let task = Task { [phone = bench.phone] in try await phone.wait(for: { _ in false }, timeout: .seconds(600)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("The timeline can be watched and added to")
    func watchedTimeline() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let watched = RawApp.Probe()
        bench.phone.watchTimeline { watched.saw($0.description) }
        bench.phone.record(.server, "sent an invitation", rule: "K10", call: Calls.first)
        try await bench.ring()
        #expect(watched.events.first == "server: sent an invitation [K10]")
        #expect(watched.events == bench.lines(from: bench.lineCount - watched.events.count))
        #expect(bench.phone.timeline.description.contains("user: opened the app"))
    }

    @Test("The same inputs give the same phone: the machine is a value")
    func sameSeedSamePhone() {
        func run() -> (PhoneCore, [PhoneOutcome]) {
            let start = Date(timeIntervalSinceReferenceDate: 0)
            var core = PhoneCore(
                system: SystemVersion(26, 4), settings: PhoneSettings(), locked: true, seed: 7, now: start)
            let app = InstalledApp(
                bundleIdentifier: "a", displayName: "A", backgroundModes: [.voip], apsEnvironment: .production)
            return (core, [PhoneInput.installed(app), .opened("a"), .closed("a")].map { core.handle($0, at: start) })
        }
        let (_, first) = run()
        let (_, second) = run()
        #expect(first == second)
        #expect(first[1].effects.contains { if case .launch = $0 { true } else { false } })
    }
}
