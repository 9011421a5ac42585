// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// The reference orders 1 to 4 and 7 of docs/rules.md, as whole timelines.
@Suite(.timeLimit(.minutes(1)))
struct ReferenceOrderTests {
    @Test("K1, K3, K4, I1, C2: order 1: a push, the app not running")
    func pushLaunchesAndRings() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let token = try await bench.register()
        let start = bench.lineCount
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.phone.settle()
        await bench.phone.advance(by: .seconds(7))
        #expect(
            bench.timedLines(from: start) == [
                "0.000 apns: VoIP push arrived [K1]",
                "0.000 phone: launched the app in the background for a push [K1]",
                "0.000 app: created a provider [P1]",
                "0.000 app: registered for VoIP pushes [K1]",
                "0.000 phone: handed out the push token [K1]",
                "0.000 app: launched [K1]",
                "0.000 phone: delivered the push [K3]",
                "0.000 app: reported an incoming call [I1]",
                "0.000 phone: rings [I1]",
                "0.000 app: called the push's completion handler [K5]",
                "0.000 app: push callback returned [K3]",
                "0.000 phone: check 1 passed [K3]",
                "7.000 phone: check 2 passed [K4]",
            ])
        #expect(bench.probe.events == ["begin", "token", "push mustReport", "report nil", "observer ringing"])
        #expect(bench.phone.violations.isEmpty)
        #expect(bench.phone.deaths.count == 1)  // the user closed it before
    }

    @Test("A1, A2, S1, R75: order 2: answer on the lock screen")
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
            bench.timedLines(from: start) == [
                "0.000 user: tapped Answer on the lock screen [A1]",
                "0.000 phone: asks provider(_:execute:) [T9]",
                "0.000 phone: performs CXAnswerCallAction [A1]",
                "0.000 app: fulfilled CXAnswerCallAction [A1]",
                "0.000 phone: call connected [A1]",
                "0.020 phone: activated the audio session [S1]",
                "0.020 app: started audio [S1]",
            ])
        #expect(bench.probe.events == ["execute answer", "perform answer", "observer connected", "didActivate"])
        #expect(bench.phone.screen.inCall.first?.status == .timer)
        #expect(bench.phone.screen.isLocked)
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("O1, O2: order 3: a call out")
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
            bench.timedLines(from: start) == [
                "0.000 app: requested CXStartCallAction [O1]",
                "0.000 phone: accepted the request [O1]",
                "0.000 phone: outgoing call appeared [C2]",
                "0.000 phone: asks provider(_:execute:) [T9]",
                "0.000 phone: performs CXStartCallAction [O2]",
                "0.000 app: reported the call connecting [O2]",
                "0.000 app: fulfilled CXStartCallAction [O2]",
                "0.020 phone: activated the audio session [S1]",
                "0.020 app: started audio [S1]",
                "0.100 app: reported the call connected [O2]",
                "0.100 phone: call connected [C2]",
            ])
        #expect(
            bench.probe.events.filter { $0 != "observer outgoing" } == [
                "request nil", "execute start", "perform start", "didActivate", "observer connected",
            ])
        #expect(bench.phone.screen.inCall.first?.status == .timer)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("E1, S2: order 4: end by the user")
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
            bench.timedLines(from: start) == [
                "0.000 user: tapped End [E1]",
                "0.000 phone: asks provider(_:execute:) [T9]",
                "0.000 phone: performs CXEndCallAction [E1]",
                "0.000 app: fulfilled CXEndCallAction [E1]",
                "0.000 phone: call ended [E1]",
                "0.000 phone: deactivated the audio session [S2]",
                "0.000 app: stopped audio [S2]",
            ])
        #expect(bench.probe.events == ["execute end", "perform end", "observer ended", "didDeactivate"])
        #expect(bench.phone.recents.first?.outcome == .answered)
        #expect(bench.phone.recents.first?.duration == .milliseconds(9100))
        #expect(bench.phone.screen.isHome)
        await bench.phone.advance(by: .seconds(60))
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("E1: order 4: end by the app through a transaction")
    func endByApp() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let start = bench.lineCount
        bench.probe.forgetEvents()
        try #require(bench.probe.app).request([(Calls.first, .end)])
        await bench.phone.settle()
        #expect(
            bench.timedLines(from: start) == [
                "0.000 app: requested CXEndCallAction [O1]",
                "0.000 phone: accepted the request [O1]",
                "0.000 phone: asks provider(_:execute:) [T9]",
                "0.000 phone: performs CXEndCallAction [E1]",
                "0.000 app: fulfilled CXEndCallAction [E1]",
                "0.000 phone: call ended [E1]",
                "0.000 phone: deactivated the audio session [S2]",
                "0.000 app: stopped audio [S2]",
            ])
        #expect(
            bench.probe.events == ["request nil", "execute end", "perform end", "observer ended", "didDeactivate"])
    }

    @Test("E2, S2: order 4: the other side's end comes without an action")
    func remoteEnd() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let start = bench.lineCount
        bench.probe.forgetEvents()
        try #require(bench.probe.app).end(Calls.first, reason: 2)
        await bench.phone.settle()
        #expect(
            bench.timedLines(from: start) == [
                "0.000 app: reported the call ended: remoteEnded [E2]",
                "0.000 phone: call ended [C2]",
                "0.000 phone: deactivated the audio session [S2]",
                "0.000 app: stopped audio [S2]",
            ])
        #expect(bench.probe.events == ["observer ended", "didDeactivate"])
    }

    @Test("A3, T6, T8, R30: order 7: an answer that is never completed ends the call")
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
            bench.timedLines(from: start) == [
                "0.000 user: tapped Answer on the lock screen [A1]",
                "0.000 phone: asks provider(_:execute:) [T9]",
                "0.000 phone: performs CXAnswerCallAction [A1]",
                "7.000 phone: check 2 passed [K4]",
                "60.000 phone: CXAnswerCallAction timed out [T8]",
                "60.000 phone: violation: CXAnswerCallAction was neither fulfilled nor failed by its deadline [R29]",
                "60.000 phone: asks provider(_:execute:) [T9]",
                "60.000 phone: performs CXEndCallAction [E1]",
                "60.000 app: fulfilled CXEndCallAction [E1]",
                "60.000 phone: call ended [E1]",
            ])
        #expect(
            bench.probe.events == [
                "execute answer", "perform answer", "timed out", "observer ringing", "execute end", "perform end",
                "observer ended",
            ])
        #expect(bench.phone.violations.map(\.rule) == ["R29"])
    }

    @Test("T8: order 7: a mute that times out changes nothing, completed late either")
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
}
