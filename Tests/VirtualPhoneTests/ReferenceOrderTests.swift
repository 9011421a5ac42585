// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// The reference orders of docs/rules.md, as whole timelines.
@Suite(.timeLimit(.minutes(1)))
struct ReferenceOrderTests {
    @Test("Order 1: push, app killed (K1, K3, K4, I1, C2)")
    func pushLaunchesAndRings() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let token = try await bench.register()
        let start = bench.lineCount
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.phone.settle()
        await bench.phone.advance(by: .seconds(7))
        #expect(
            bench.lines(from: start) == [
                "apns: VoIP push arrived [K1]",
                "phone: launched the app in the background for a push [K1]",
                "app: created a provider [P1]",
                "app: registered for VoIP pushes [K1]",
                "phone: handed out the push token [K1]",
                "app: launched [K1]",
                "phone: delivered the push [K3]",
                "app: reported an incoming call [I1]",
                "phone: rings [I1]",
                "app: called the push's completion handler [K5]",
                "app: push callback returned [K3]",
                "phone: check 1 passed [K3]",
                "phone: check 2 passed [K4]",
            ])
        #expect(bench.probe.events == ["begin", "token", "push mustReport", "report nil", "observer ringing"])
        #expect(bench.phone.violations.isEmpty)
        #expect(bench.phone.deaths.count == 1)  // the user closed it before
    }

    @Test("Order 2: answer on the lock screen (A1, A2, S1, R75)")
    func answerOnTheLockScreen() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        #expect(bench.phone.screen.incoming.first?.isFullScreen == true)
        let start = bench.lineCount
        bench.probe.forgetEvents()
        try bench.phone.user.answer()
        await bench.phone.settle()
        await bench.phone.advance(by: .milliseconds(100))
        #expect(
            bench.lines(from: start) == [
                "user: tapped Answer on the lock screen [A1]",
                "phone: asks provider(_:execute:) [T9]",
                "phone: performs CXAnswerCallAction [A1]",
                "app: fulfilled CXAnswerCallAction [A1]",
                "phone: call connected [A1]",
                "phone: activated the audio session [S1]",
                "app: started audio [S1]",
            ])
        #expect(bench.probe.events == ["execute answer", "perform answer", "observer connected", "didActivate"])
        #expect(bench.phone.screen.inCall.first?.status == .timer)
        #expect(bench.phone.screen.isLocked)
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("Order 3: outgoing call (O1, O2)")
    func outgoing() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        let start = bench.lineCount
        app.request([(Calls.first, .start(handle: Calls.alice, contactIdentifier: nil, isVideo: false))])
        await bench.phone.settle()
        await bench.phone.advance(by: .milliseconds(100))
        #expect(bench.phone.screen.inCall.first?.status == .connecting)
        app.process.send(.reportOutgoingCallConnected(provider: app.provider, call: Calls.first, date: nil))
        await bench.phone.settle()
        #expect(
            bench.lines(from: start) == [
                "app: requested CXStartCallAction [O1]",
                "phone: accepted the request [O1]",
                "phone: outgoing call appeared [C2]",
                "phone: asks provider(_:execute:) [T9]",
                "phone: performs CXStartCallAction [O2]",
                "app: reported the call connecting [O2]",
                "app: fulfilled CXStartCallAction [O2]",
                "phone: activated the audio session [S1]",
                "app: started audio [S1]",
                "app: reported the call connected [O2]",
                "phone: call connected [C2]",
            ])
        #expect(
            bench.probe.events.filter { $0 != "observer outgoing" } == [
                "request nil", "execute start", "perform start", "didActivate", "observer connected",
            ])
        #expect(bench.phone.screen.inCall.first?.status == .timer)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("Order 4: end by the user (E1, S2)")
    func endByUser() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        await bench.phone.advance(by: .seconds(9))
        let start = bench.lineCount
        bench.probe.forgetEvents()
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        #expect(
            bench.lines(from: start) == [
                "user: tapped End [E1]",
                "phone: asks provider(_:execute:) [T9]",
                "phone: performs CXEndCallAction [E1]",
                "app: fulfilled CXEndCallAction [E1]",
                "phone: call ended [E1]",
                "phone: deactivated the audio session [S2]",
                "app: stopped audio [S2]",
            ])
        #expect(bench.probe.events == ["execute end", "perform end", "observer ended", "didDeactivate"])
        #expect(bench.phone.recents.first?.outcome == .answered)
        #expect(bench.phone.recents.first?.duration == .milliseconds(9100))
        #expect(bench.phone.screen.isHome)
        await bench.phone.advance(by: .seconds(60))
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("Order 4: end by the app through a transaction (E1)")
    func endByApp() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let start = bench.lineCount
        bench.probe.forgetEvents()
        try #require(bench.probe.app).request([(Calls.first, .end)])
        await bench.phone.settle()
        #expect(
            bench.lines(from: start) == [
                "app: requested CXEndCallAction [O1]",
                "phone: accepted the request [O1]",
                "phone: asks provider(_:execute:) [T9]",
                "phone: performs CXEndCallAction [E1]",
                "app: fulfilled CXEndCallAction [E1]",
                "phone: call ended [E1]",
                "phone: deactivated the audio session [S2]",
                "app: stopped audio [S2]",
            ])
        #expect(
            bench.probe.events == ["request nil", "execute end", "perform end", "observer ended", "didDeactivate"])
    }

    @Test("Order 4: remote end comes without an action (E2, S2)")
    func remoteEnd() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let start = bench.lineCount
        bench.probe.forgetEvents()
        try #require(bench.probe.app).end(Calls.first, reason: 2)
        await bench.phone.settle()
        #expect(
            bench.lines(from: start) == [
                "app: reported the call ended: remoteEnded [E2]",
                "phone: call ended [C2]",
                "phone: deactivated the audio session [S2]",
                "app: stopped audio [S2]",
            ])
        #expect(bench.probe.events == ["observer ended", "didDeactivate"])
    }

    @Test("Order 7: an answer that is never completed ends the call (A3, T6, T8, R30)")
    func answerTimesOut() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["answer"] = .never
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.ring()
        let start = bench.lineCount
        bench.probe.forgetEvents()
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(59))
        #expect(bench.phone.screen.inCall.first?.status == .connecting)
        await bench.phone.advance(by: .seconds(1))
        #expect(
            bench.lines(from: start) == [
                "user: tapped Answer on the lock screen [A1]",
                "phone: asks provider(_:execute:) [T9]",
                "phone: performs CXAnswerCallAction [A1]",
                "phone: check 2 passed [K4]",
                "phone: CXAnswerCallAction timed out [T8]",
                "phone: violation: CXAnswerCallAction was neither fulfilled nor failed by its deadline [R29]",
                "phone: asks provider(_:execute:) [T9]",
                "phone: performs CXEndCallAction [E1]",
                "app: fulfilled CXEndCallAction [E1]",
                "phone: call ended [E1]",
            ])
        #expect(
            bench.probe.events == [
                "execute answer", "perform answer", "timed out", "observer ringing", "execute end", "perform end",
                "observer ended",
            ])
        #expect(bench.phone.violations.map(\.rule) == ["R29"])
    }

    @Test("Order 7: other actions that time out change nothing (T8)")
    func muteTimesOut() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["mute"] = .never
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        bench.probe.forgetEvents()
        try bench.phone.user.setMuted(true)
        await bench.phone.advance(by: .seconds(5))
        #expect(bench.probe.events == ["execute mute", "perform mute", "timed out"])
        #expect(bench.phone.snapshot.calls.map(\.isMuted) == [false])
        // T8: the delegate must not complete it afterwards.
        let late = try #require(bench.probe.pending.first)
        try #require(bench.probe.app).process.send(.actionFulfilled(action: late.uuid, date: nil))
        #expect(bench.phone.violations.map(\.rule) == ["R29", "T8"])
        #expect(bench.phone.snapshot.calls.map(\.isMuted) == [false])
    }

    @Test("Order 8: daemon restart (P2, T3)")
    func daemonRestarts() async throws {
        var settings = PhoneSettings()
        settings.restartForgetsProviders = true
        let bench = PhoneBench(settings: settings)
        defer { bench.close() }
        try await bench.talk()
        let start = bench.lineCount
        bench.probe.forgetEvents()
        bench.phone.faults.restartDaemon()
        await bench.phone.settle()
        #expect(
            bench.lines(from: start) == [
                "phone: the call daemon restarted [P2]",
                "phone: told the provider that it was reset [P2]",
                "phone: call ended [C2]",
            ])
        #expect(bench.probe.events == ["reset", "observer ended"])
        #expect(bench.phone.screen.inCall.isEmpty)
        let app = try #require(bench.probe.app)
        app.request([(Calls.second, .start(handle: Calls.alice, contactIdentifier: nil, isVideo: false))])
        await bench.phone.settle()
        #expect(bench.probe.events.last == "request error 2")
        // The audio of the call was not stopped in providerDidReset.
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.violations.map(\.rule) == ["S2"])
    }

    @Test("Order 9: invalidate ends the calls as failed, and the delegate hears nothing more (P3)")
    func invalidate() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let start = bench.lineCount
        bench.probe.forgetEvents()
        let app = try #require(bench.probe.app)
        app.process.send(.setAudioRunning(running: false))
        app.process.send(.invalidateProvider(provider: app.provider))
        await bench.phone.settle()
        #expect(
            bench.lines(from: start) == [
                "app: stopped audio [S2]",
                "app: invalidated the provider [P3]",
                "phone: call ended [P3]",
            ])
        #expect(bench.probe.events == ["observer ended"])
        app.request([(Calls.second, .end)])
        await bench.phone.settle()
        #expect(bench.probe.events == ["observer ended", "request error 2"])
    }
}
