// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Transactions and actions: checks, deadlines, completion.
@Suite(.timeLimit(.minutes(1)))
struct ActionTests {
    private let start = ActionValue.Kind.start(handle: Calls.alice, contactIdentifier: nil, isVideo: false)

    private func answers(_ bench: PhoneBench) -> [String] {
        bench.probe.events.filter { $0.hasPrefix("request") }
    }

    @Test("T2: an empty transaction answers 3, before anything else")
    func emptyTransaction() async throws {
        var behavior = RawApp.Behavior()
        behavior.hasProvider = false
        let bench = PhoneBench(behavior, locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.request([])
        await bench.phone.settle()
        app.request([(nil, .other)])
        await bench.phone.settle()
        #expect(answers(bench) == ["request error 3", "request error 2"])
    }

    @Test("T2: an action that is no call action answers 6; T4: an unknown call 4; P14: a known one 5 to start")
    func requestErrors() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.request([(nil, .other)])
        await bench.phone.settle()
        app.request([(Calls.first, .end)])
        await bench.phone.settle()
        app.report(Calls.first)
        await bench.phone.settle()
        app.request([(Calls.first, start)])
        await bench.phone.settle()
        #expect(answers(bench) == ["request error 6", "request error 4", "request error 5"])
    }

    @Test("T4: a call of another app is unknown")
    func callOfAnotherApp() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let other = RawApp.Probe()
        bench.phone.install(PhoneBench.app(other, bundle: "other.app"))
        try await bench.open().report(Calls.first)
        bench.phone.open("other.app")
        await bench.phone.settle()
        try #require(other.app).request([(Calls.first, .end)])
        await bench.phone.settle()
        #expect(other.events.last == "request error 4")
        // C1: its observer sees the call all the same.
        #expect(
            try #require(other.app).process.send(.listCalls)
                == .calls([CallValue(uuid: Calls.first, isOutgoing: false)]))
    }

    @Test("T5, R20, P39: ringing calls count; a call above maximumCallGroups answers 7")
    func maximumGroups() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.report(Calls.first)
        app.request([(Calls.second, start)])
        await bench.phone.settle()
        app.request([(Calls.third, start)])
        await bench.phone.settle()
        #expect(answers(bench) == ["request nil", "request error 7"])
    }

    @Test("T7: completing a requested action instead of the performed one does nothing")
    func completedByRequester() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["mute"] = .never
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        app.process.send(.actionFulfilled(action: UUID(), date: nil))
        #expect(bench.phone.timeline.entries.last?.rule == "T7")
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("T9: a delegate that handles the transaction gets no perform method and completes every action")
    func executed() async throws {
        var behavior = RawApp.Behavior()
        behavior.executes = true
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.ring()
        bench.probe.behavior.completes["answer"] = .never
        try bench.phone.user.answer()
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.first?.status == .connecting)
        let action = try #require(bench.probe.pending.first)
        try #require(bench.probe.app).process.send(.actionFulfilled(action: action.uuid, date: nil))
        #expect(bench.phone.screen.inCall.first?.status == .timer)
        #expect(!bench.probe.events.contains { $0.hasPrefix("perform") })
    }

    @Test("A4, R27: a failed answer or start ends the call as failed")
    func failedAnswerAndStart() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes = ["answer": .fails, "start": .fails]
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.ring()
        try bench.phone.user.answer()
        await bench.phone.settle()
        try #require(bench.probe.app).request([(Calls.second, start)])
        await bench.phone.settle()
        #expect(bench.phone.snapshot.calls.isEmpty)
        #expect(bench.phone.recents.map(\.outcome) == [.failed, .failed])
        #expect(!bench.probe.events.contains("perform end"))
        await bench.phone.advance(by: .seconds(1))
        #expect(!bench.phone.snapshot.isCallAudioActive)
    }

    @Test("A4: another failed action leaves the call as it was", arguments: ["hold", "mute", "end"])
    func otherFailures(_ action: String) async throws {
        var behavior = RawApp.Behavior()
        behavior.completes[action] = .fails
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        let before = bench.phone.snapshot.calls
        switch action {
        case "hold": try bench.phone.user.setHeld(true)
        case "mute": try bench.phone.user.setMuted(true)
        default: try bench.phone.user.hangUp()
        }
        await bench.phone.settle()
        #expect(bench.phone.snapshot.calls == before)
        #expect(bench.phone.snapshot.isCallAudioActive)
    }

    @Test("R29: a second completion changes nothing and is a violation")
    func completedTwice() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["answer"] = .twice
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        #expect(bench.phone.violations.map(\.rule) == ["R29"])
        #expect(bench.phone.screen.inCall.first?.status == .timer)
    }

    @Test("C18: reporting the call ended and then failing its action is one end and no violation")
    func endedThenFailed() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["answer"] = .never
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.ring()
        try bench.phone.user.answer()
        await bench.phone.settle()
        let app = try #require(bench.probe.app)
        app.end(Calls.first, reason: 1)
        app.process.send(.actionFailed(action: try #require(bench.probe.pending.first).uuid))
        await bench.phone.advance(by: .seconds(100))
        #expect(bench.phone.violations.isEmpty)
        #expect(bench.phone.recents.map(\.outcome) == [.failed])
    }

    @Test("T11, P54: an action without a perform method fails at once and is named")
    func notImplemented() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        bench.probe.behavior.implements = false
        try bench.phone.user.playTone("5")
        await bench.phone.settle()
        let violation = try #require(bench.phone.violations.first)
        #expect(violation.rule == "T11")
        #expect(violation.description.contains("does not implement provider(_:perform:)"))
        #expect(bench.phone.snapshot.calls.count == 1)
    }

    @Test("G7: the keypad sends one action a digit, each after the one before is complete")
    func keypad() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["tone 1"] = .never
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        bench.probe.forgetEvents()
        try bench.phone.user.playTone("12")
        await bench.phone.settle()
        #expect(bench.probe.events == ["execute tone 1", "perform tone 1"])
        let first = try #require(bench.probe.pending.first)
        try #require(bench.probe.app).process.send(.actionFulfilled(action: first.uuid, date: nil))
        await bench.phone.settle()
        #expect(bench.probe.events.last == "perform tone 2")
    }

    @Test("T6: a start action has 600 s, then the call ends through an end action; O3, P40")
    func startTimesOut() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["start"] = .never
        let bench = PhoneBench(behavior, locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.request([(Calls.first, start)])
        await bench.phone.settle()
        await bench.phone.advance(by: .seconds(599))
        #expect(bench.phone.screen.inCall.first?.status == .connecting)
        await bench.phone.advance(by: .seconds(1))
        #expect(
            Array(bench.probe.events.suffix(5)) == [
                "timed out", "observer outgoing", "execute end", "perform end", "observer ended",
            ])
        #expect(bench.phone.recents.first?.outcome == .cancelled)
    }

    @Test("O2: a call that never connects is cancelled in Recents; R41: its duration starts at connected")
    func recentsOfOutgoing() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.request([(Calls.first, start)])
        await bench.phone.settle()
        await bench.phone.advance(by: .seconds(5))
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        app.request([(Calls.second, start)])
        await bench.phone.settle()
        await bench.phone.advance(by: .seconds(5))
        app.process.send(.reportOutgoingCallConnected(provider: app.provider, call: Calls.second, date: nil))
        await bench.phone.advance(by: .seconds(3))
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        #expect(bench.phone.recents.map(\.outcome) == [.answered, .cancelled])
        #expect(bench.phone.recents.map(\.duration) == [.seconds(3), .zero])
        #expect(bench.phone.recents.map(\.isOutgoing) == [true, true])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("O2: reportOutgoingCall for an incoming call, or connected before the start is fulfilled, is named")
    func wrongReports() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["start"] = .never
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        app.process.send(.reportOutgoingCallConnected(provider: app.provider, call: Calls.first, date: nil))
        app.request([(Calls.second, start)])
        await bench.phone.settle()
        app.process.send(.reportOutgoingCallConnected(provider: app.provider, call: Calls.second, date: nil))
        app.process.send(.reportOutgoingCallConnected(provider: app.provider, call: Calls.third, date: nil))
        #expect(bench.phone.violations.map(\.rule) == ["O2", "O3"])
    }

    @Test("G6: mute from the app takes the same path as from the user")
    func mute() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        try bench.phone.user.setMuted(true)
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.first?.isMuted == true)
        try #require(bench.probe.app).request([(Calls.first, .setMuted(false))])
        await bench.phone.settle()
        #expect(bench.phone.screen.inCall.first?.isMuted == false)
        #expect(
            bench.probe.events.filter { $0.hasPrefix("perform") } == [
                "perform answer", "perform mute", "perform unmute",
            ])
    }
}
