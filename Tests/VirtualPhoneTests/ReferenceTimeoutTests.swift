// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Reference order 7 of docs/rules.md for every kind of action, as whole timelines.
@Suite(.timeLimit(.minutes(1)))
struct ReferenceTimeoutTests {
    /// An action that the app asks for and never completes.
    struct Case: Sendable, CustomTestStringConvertible {
        var name: String
        var className: String
        var rule: String
        var kind: ActionValue.Kind
        var testDescription: String { className }
    }

    static let others = [
        Case(name: "hold", className: "CXSetHeldCallAction", rule: "G2", kind: .setHeld(true)),
        Case(name: "mute", className: "CXSetMutedCallAction", rule: "G6", kind: .setMuted(true)),
        Case(
            name: "group", className: "CXSetGroupCallAction to leave its group", rule: "G5", kind: .setGroup(with: nil)),
        Case(name: "tone 1", className: "CXPlayDTMFCallAction", rule: "G7", kind: .playDTMF(digits: "1", type: 1)),
        Case(
            name: "translate", className: "CXSetTranslatingCallAction", rule: "G8",
            kind: .setTranslating(true, localLanguage: "en", remoteLanguage: "fr")),
        Case(name: "end", className: "CXEndCallAction", rule: "E1", kind: .end),
    ]

    @Test("T8, T6: an action that times out is failed, the delegate is told, and the call stays", arguments: others)
    func timesOut(_ action: Case) async throws {
        var behavior = RawApp.Behavior()
        behavior.update.supportsUngrouping = true
        behavior.configuration.supportsAudioTranslation = true
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        bench.probe.behavior.completes[action.name] = .never
        await bench.phone.advance(by: .seconds(10))
        let before = bench.phone.snapshot.calls
        let start = bench.lineCount
        bench.probe.forgetEvents()
        try #require(bench.probe.app).request([(Calls.first, action.kind)])
        await bench.phone.advance(by: .milliseconds(4999))
        #expect(bench.probe.events.last == "perform \(action.name)")
        await bench.phone.advance(by: .seconds(60))
        #expect(
            bench.timedLines(from: start) == [
                "0.000 app: requested \(action.className) [O1]",
                "0.000 phone: accepted the request [O1]",
                "0.000 phone: asks provider(_:execute:) [T9]",
                "0.000 phone: performs \(action.className) [\(action.rule)]",
                "5.000 phone: \(action.className) timed out [T8]",
                "5.000 phone: violation: \(action.className) was neither fulfilled nor failed by its deadline [R29]",
            ])
        #expect(
            bench.probe.events == ["request nil", "execute \(action.name)", "perform \(action.name)", "timed out"])
        #expect(bench.phone.snapshot.calls == before)
        #expect(bench.phone.violations.map(\.rule) == ["R29"])
    }

    @Test("T8: as a setting, an end action that times out ends the call")
    func timedOutEndEnds() async throws {
        var settings = PhoneSettings()
        settings.timedOutEndEndsCall = true
        let bench = PhoneBench(settings: settings)
        defer { bench.close() }
        try await bench.talk()
        bench.probe.behavior.completes["end"] = .never
        try bench.phone.user.hangUp()
        await bench.phone.advance(by: .seconds(5))
        #expect(bench.phone.snapshot.calls.isEmpty)
        #expect(bench.phone.screen.isHome)
    }

    @Test("A3: as a setting, an answer that times out leaves the call")
    func timedOutAnswerStays() async throws {
        var settings = PhoneSettings()
        settings.timedOutAnswerOrStartEndsCall = false
        var behavior = RawApp.Behavior()
        behavior.completes["answer"] = .never
        let bench = PhoneBench(behavior, settings: settings)
        defer { bench.close() }
        try await bench.ring()
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(61))
        #expect(bench.probe.events.last == "timed out")
        #expect(bench.phone.snapshot.calls.map(\.phase) == [.answering])
    }

    @Test("T6, O3, P40: order 7 of a start: after 600 s the call ends through an end action")
    func startTimesOut() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["start"] = .never
        let bench = PhoneBench(behavior, locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        let start = bench.lineCount
        app.request([(Calls.first, .start(handle: Calls.alice, contactIdentifier: nil, isVideo: false))])
        await bench.phone.advance(by: .seconds(700))
        #expect(
            bench.timedLines(from: start) == [
                "0.000 app: requested CXStartCallAction [O1]",
                "0.000 phone: accepted the request [O1]",
                "0.000 phone: outgoing call appeared [C2]",
                "0.000 phone: asks provider(_:execute:) [T9]",
                "0.000 phone: performs CXStartCallAction [O2]",
                "0.000 app: reported the call connecting [O2]",
                "600.000 phone: CXStartCallAction timed out [T8]",
                "600.000 phone: violation: CXStartCallAction was neither fulfilled nor failed by its deadline [R29]",
                "600.000 phone: asks provider(_:execute:) [T9]",
                "600.000 phone: performs CXEndCallAction [E1]",
                "600.000 app: fulfilled CXEndCallAction [E1]",
                "600.000 phone: call ended [E1]",
            ])
    }

    @Test("T8: an action that waited behind one that timed out is told to the delegate too")
    func waitingTimesOut() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        bench.probe.behavior.completes["tone 1"] = .never
        bench.probe.forgetEvents()
        try #require(bench.probe.app).request([
            (Calls.first, .playDTMF(digits: "1", type: 1)), (Calls.first, .playDTMF(digits: "2", type: 1)),
        ])
        await bench.phone.advance(by: .seconds(5))
        #expect(
            bench.probe.events == [
                "request nil", "execute tone 1+tone 2", "perform tone 1", "timed out", "timed out",
            ])
        #expect(bench.phone.violations.map(\.rule) == ["R29"])
    }
}
