// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Violations and warnings as values, and as a compiler would print them.
@Suite(.timeLimit(.minutes(1)))
struct ViolationReportTests {
    @Test("R29: a violation is printed with the timeline around it, the moment marked, and the advice")
    func rendered() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["mute"] = .twice
        let bench = PhoneBench(behavior, locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.report(Calls.first)
        await bench.phone.settle()
        try bench.phone.user.answer()
        await bench.phone.advance(by: .milliseconds(100))
        try bench.phone.user.setMuted(true)
        await bench.phone.advance(by: .seconds(1))
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        let violation = try #require(bench.phone.violations.first)
        #expect(violation.severity == .error)
        #expect(
            bench.phone.report(of: violation) == """
                test.app: error: an action was completed twice [R29]
                        0.100   phone: asks provider(_:execute:) [T9]
                        0.100   phone: performs CXSetMutedCallAction [G6]
                        0.100   app: fulfilled CXSetMutedCallAction [G6]
                  >     0.100   phone: violation: an action was completed twice [R29]
                        1.100   user: tapped End [E1]
                        1.100   phone: asks provider(_:execute:) [T9]
                        1.100   phone: performs CXEndCallAction [E1]
                test.app: note: Call fulfill() or fail() exactly once; the first call counts.
                """)
        #expect(bench.phone.report(of: violation, context: 0).split(separator: "\n").count == 3)
        #expect(bench.phone.report(of: violation, context: .max).split(separator: "\n").count == bench.lineCount + 2)
        #expect(bench.phone.report(of: violation, context: -1).split(separator: "\n").count == 3)
        #expect(bench.phone.report() == bench.phone.report(of: violation))
    }

    @Test("R29: colour comes only when it is asked for, and changes nothing else")
    func colour() throws {
        let violation = Violation(
            rule: "K3", what: "late", advice: "Be early.", time: Date(timeIntervalSinceReferenceDate: 0), app: "a")
        let plain = violation.rendered(in: Timeline())
        #expect(plain == "a: error: late [K3]\na: note: the timeline does not have this moment\na: note: Be early.")
        let coloured = violation.rendered(in: Timeline(), color: true)
        #expect(coloured.contains("\u{1B}[1;31merror:\u{1B}[0m"))
        #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    }

    @Test("T11: a missing optional method is a warning beside the violations, once a provider")
    func warning() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        for method in ["provider(_:didActivate:)", "provider(_:didActivate:)", "provider(_:didDeactivate:)"] {
            app.process.send(
                .delegateMethodMissing(provider: app.provider, method: method, consequence: "the call is silent"))
        }
        #expect(bench.phone.violations.isEmpty)
        #expect(bench.phone.warnings.map(\.rule) == ["T11", "T11"])
        #expect(bench.phone.snapshot.warnings == bench.phone.warnings)
        let warning = try #require(bench.phone.warnings.first)
        #expect(warning.severity == .warning)
        #expect(warning.description.hasPrefix("test.app: warning: the provider's delegate does not implement"))
        #expect(bench.phone.report(of: warning).contains("  > "))
        #expect(bench.phone.report(of: warning).contains("phone: warning: the provider's delegate"))
    }

    @Test("E2: reports about calls that the phone does not have change nothing and are warned of")
    func reportsInVain() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.end(Calls.first, reason: 2)
        app.process.send(.reportCallUpdated(provider: app.provider, call: Calls.first, update: Calls.update))
        app.process.send(.reportOutgoingCallConnected(provider: app.provider, call: Calls.first, date: nil))
        #expect(bench.phone.warnings.map(\.rule) == ["E2", "E2", "E2"])
        #expect(bench.phone.violations.isEmpty)
        #expect(bench.phone.snapshot.calls.isEmpty)
    }

    @Test("R12: what is printed has no names, numbers or tokens")
    func quiet() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["answer"] = .twice
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        let text = bench.phone.report(context: .max) + bench.phone.timeline.description
        #expect(!text.contains("Alice") && !text.contains("alice"))
    }

    @Test("The phone keeps what its settings allow: lines, violations, warnings, Recents")
    func limits() async throws {
        var settings = PhoneSettings()
        settings.timelineLimit = 80
        settings.violationsLimit = 3
        settings.recentsLimit = 8
        let bench = PhoneBench(locked: false, settings: settings)
        defer { bench.close() }
        let app = try await bench.open()
        for reason in 0..<20 {
            let call = UUID()
            app.report(call)
            app.end(call, reason: 100 + reason)
            app.end(call, reason: 1)
        }
        await bench.phone.settle()
        #expect(bench.phone.timeline.entries.count <= 80)
        #expect(bench.phone.timeline.entries.count >= 40)
        #expect(bench.phone.timeline.dropped > 0)
        #expect(bench.phone.violations.map { $0.what.contains("reason 100") } == [true, false, false])
        #expect(bench.phone.warnings.count == 3)
        #expect((7...8).contains(bench.phone.recents.count))
        let last = try #require(bench.phone.timeline.entries.last(where: { $0.text == "call ended" })?.call)
        #expect(bench.phone.recents.first?.call == last)
        let violation = try #require(bench.phone.violations.first)
        #expect(bench.phone.report(of: violation).contains("the timeline does not have this moment"))
    }
}
