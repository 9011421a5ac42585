// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// The faults of the call daemon, as whole timelines where an order matters.
@Suite(.timeLimit(.minutes(1)))
struct DaemonFaultTests {
    private let start = ActionValue.Kind.start(handle: Calls.alice, contactIdentifier: nil, isVideo: false)

    @Test("I1, O1: a slow daemon answers reports and requests later; a push is answered by the report all the same")
    func slow() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let token = try await bench.register()
        bench.phone.faults.slowDaemon(by: .seconds(2))
        let from = bench.lineCount
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.screen.incoming.isEmpty)
        await bench.phone.advance(by: .seconds(1))
        #expect(
            bench.timedLines(from: from).suffix(6) == [
                "0.000 app: reported an incoming call [I1]",
                "0.000 phone: fault: the call daemon is slow [I1]",
                "0.000 app: called the push's completion handler [K5]",
                "0.000 app: push callback returned [K3]",
                "0.000 phone: check 1 passed [K3]",
                "2.000 phone: rings [I1]",
            ])
        bench.probe.forgetEvents()
        try #require(bench.probe.app).request([(Calls.first, .end)])
        await bench.phone.advance(by: .milliseconds(1999))
        #expect(bench.probe.events == [])
        await bench.phone.advance(by: .milliseconds(1))
        #expect(bench.probe.events == ["request nil", "execute end", "perform end", "observer ended"])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("R34: what an app reports to a slow daemon keeps its order, so an end after a report ends the call")
    func slowKeepsOrder() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.faults.slowDaemon(by: .seconds(2))
        app.report(Calls.first)
        await bench.phone.advance(by: .seconds(1))
        bench.phone.faults.slowDaemon(by: .zero)
        app.end(Calls.first, reason: 2)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events == ["report nil", "observer ringing", "observer ended"])
        #expect(bench.phone.recents.map(\.outcome) == [.missed])
        #expect(bench.phone.warnings.isEmpty)
    }

    @Test("P17: a request does not wait for a report on its way: error 4, and the phone rings on")
    func endBeforeTheReport() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.faults.slowDaemon(by: .seconds(2))
        app.report(Calls.first)
        bench.phone.faults.slowDaemon(by: .zero)
        app.request([(Calls.first, .end)])
        await bench.phone.advance(by: .seconds(2))
        #expect(bench.probe.events == ["request error 4", "report nil", "observer ringing"])
        #expect(bench.phone.screen.incoming.count == 1)
    }

    @Test("I1, O1: a silent daemon never answers: no call, no completion, and nothing is performed")
    func silent() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.faults.silenceDaemon(true)
        app.report(Calls.first)
        app.request([(Calls.second, start)])
        await bench.phone.advance(by: .seconds(3600))
        #expect(bench.probe.events == [])
        #expect(bench.phone.snapshot.calls.isEmpty)
        bench.phone.faults.silenceDaemon(false)
        await bench.phone.advance(by: .seconds(3600))
        #expect(bench.probe.events == [])
        // What was lost stays lost; what comes now is answered.
        app.report(Calls.third)
        await bench.phone.settle()
        #expect(bench.probe.events == ["report nil", "observer ringing"])
    }

    @Test("K3, K4: a report to a silent daemon answers for its push: nobody is terminated")
    func silentPush() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let token = try await bench.register()
        bench.phone.faults.silenceDaemon(true)
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.phone.advance(by: .seconds(60))
        #expect(bench.phone.deaths.count == 1)  // the user closed it before
        #expect(bench.phone.screen.incoming.isEmpty)
    }

    @Test("P2: a restart of the daemon answers what it had not, with error 0", arguments: [true, false])
    func restartAnswers(_ answers: Bool) async throws {
        var settings = PhoneSettings()
        settings.restartAnswersKeptRequests = answers
        let bench = PhoneBench(locked: false, settings: settings)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.faults.silenceDaemon(true)
        app.report(Calls.first)
        app.request([(Calls.second, start)])
        bench.phone.faults.restartDaemon()
        await bench.phone.settle()
        #expect(Set(bench.probe.events) == (answers ? ["reset", "report error 0", "request error 0"] : ["reset"]))
    }

    @Test("T5: what a killed app had asked of a slow daemon dies with it")
    func slowAndKilled() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.faults.slowDaemon(by: .seconds(2))
        app.report(Calls.first)
        bench.phone.faults.crash(PhoneBench.bundle)
        await bench.phone.advance(by: .seconds(10))
        #expect(bench.phone.snapshot.calls.isEmpty)
    }

    @Test("T1: the next transaction can be refused with every code of its domain", arguments: 0...8)
    func failedTransaction(_ code: Int) async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        bench.probe.forgetEvents()
        bench.phone.faults.failNextTransaction(code: code)
        let app = try #require(bench.probe.app)
        app.request([(Calls.first, .setMuted(true))])
        await bench.phone.settle()
        #expect(bench.probe.events == ["request error \(code)"])
        app.request([(Calls.first, .setMuted(true))])
        await bench.phone.settle()
        #expect(bench.probe.events.last == "perform mute")
    }

    @Test("A1: reordered-actions: didActivate comes before the observer hears of the connection")
    func reorderedAnswer() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        bench.probe.forgetEvents()
        bench.phone.faults.reorderActions(true)
        try bench.phone.user.answer()
        await bench.phone.settle()
        #expect(Array(bench.probe.events.prefix(2)) == ["execute answer", "perform answer"])
        #expect(Array(bench.probe.events.suffix(2)) == ["didActivate", "observer connected"])
    }

    @Test("O1, O2: reordered-actions: the completion comes after perform, didActivate after connected")
    func reorderedStart() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.faults.reorderActions(true)
        app.request([(Calls.first, start)])
        await bench.phone.advance(by: .seconds(1))
        #expect(!bench.phone.snapshot.isCallAudioActive)
        app.process.send(.reportOutgoingCallConnected(provider: app.provider, call: Calls.first, date: nil))
        await bench.phone.advance(by: .seconds(1))
        #expect(
            bench.probe.events.filter { $0 != "observer outgoing" } == [
                "execute start", "perform start", "request nil", "observer connected", "didActivate",
            ])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("O1: reordered-actions with nobody to perform: the completion comes all the same")
    func reorderedWithoutDelegate() async throws {
        var behavior = RawApp.Behavior()
        behavior.setsDelegate = false
        let bench = PhoneBench(behavior, locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.faults.reorderActions(true)
        app.request([(Calls.first, start)])
        await bench.phone.settle()
        #expect(bench.probe.events.filter { $0.hasPrefix("request") } == ["request nil"])
    }

    @Test("G2: reordered-actions: the answer comes before the hold or the end", arguments: [true, false])
    func reorderedAccept(_ holds: Bool) async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        try #require(bench.probe.app).report(Calls.second)
        await bench.phone.settle()
        bench.probe.forgetEvents()
        bench.phone.faults.reorderActions(true)
        try bench.phone.user.choose(holds ? .holdAndAccept : .endAndAccept)
        await bench.phone.advance(by: .seconds(1))
        let other = holds ? "hold" : "end"
        #expect(
            bench.probe.events == [
                "execute answer+\(other)", "perform answer", "observer connected", "perform \(other)",
                holds ? "observer held" : "observer ended",
            ])
        // The session never paused: one of the two calls had it at every moment.
        #expect(bench.phone.snapshot.isCallAudioActive)
        #expect(bench.phone.violations.isEmpty)
    }
}
