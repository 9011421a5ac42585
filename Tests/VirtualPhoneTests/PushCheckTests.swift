// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// What the phone checks of every VoIP push.
@Suite(.timeLimit(.minutes(1)))
struct PushCheckTests {
    private func push(_ bench: PhoneBench, sentAt: Date? = nil) async throws -> PushReceipt {
        let token = try #require(bench.phone.pushToken(for: PhoneBench.bundle))
        let receipt = bench.phone.receivePush(token: token, payload: Data("{}".utf8), sentAt: sentAt)
        await bench.phone.settle()
        return receipt
    }

    @Test(
        "K3: without a report before the callback returns the app is terminated",
        arguments: [RawApp.Behavior.Reporting.never, .afterCallback])
    func lateReport(_ reporting: RawApp.Behavior.Reporting) async throws {
        var behavior = RawApp.Behavior()
        behavior.reporting = reporting
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        _ = try await bench.register()
        _ = try await push(bench)
        let death = try #require(bench.phone.deaths.last)
        #expect(death.rule == "K3")
        #expect(death.code == "NSInternalInconsistencyException")
        #expect(
            death.message.hasPrefix(
                "Killing app because it never posted an incoming call to the system after receiving a PushKit VoIP "
                    + "push."))
        #expect(death.message.contains("inside the push callback"))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .notRunning)
        #expect(bench.phone.violations.map(\.rule) == ["K3"])
        #expect(bench.phone.snapshot.calls.isEmpty)
        await bench.phone.advance(by: .seconds(60))
        #expect(bench.phone.deaths.filter { $0.rule != nil }.count == 1)
    }

    @Test("K4: without a registry the app is terminated 7 s after delivery")
    func noRegistry() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        _ = try await bench.register()
        bench.probe.behavior.hasRegistry = false
        #expect(try await push(bench).push != nil)
        await bench.phone.advance(by: .milliseconds(6999))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
        await bench.phone.advance(by: .milliseconds(1))
        let death = try #require(bench.phone.deaths.last)
        #expect(death.rule == "K4")
        #expect(death.code == "0xbaadca11")
        #expect(death.message.contains("no push registry with a delegate took the push"))
    }

    @Test("K4: a callback that does not return in time is terminated too")
    func blockedCallback() async throws {
        var behavior = RawApp.Behavior()
        behavior.blocksPush = true
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        _ = try await bench.register()
        _ = try await push(bench)
        await bench.phone.advance(by: .seconds(7))
        #expect(bench.phone.deaths.last?.rule == "K4")
        #expect(bench.phone.deaths.last?.message.contains("Do not block the registry's queue") == true)
    }

    @Test("K4: a report with a quick end is enough")
    func reportAndEnd() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        _ = try await bench.register()
        _ = try await push(bench)
        try #require(bench.probe.app).end(Calls.first, reason: 1)
        await bench.phone.advance(by: .seconds(29))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
        await bench.phone.advance(by: .seconds(31))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .suspended)
        #expect(bench.phone.violations.isEmpty)
        #expect(bench.phone.recents.map(\.outcome) == [.failed])
    }

    @Test("K5, R57: a missing completion call kills nobody and is a violation", arguments: [0, 2])
    func completionCalls(_ count: Int) async throws {
        var behavior = RawApp.Behavior()
        behavior.pushCompletions = count
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        _ = try await bench.register()
        _ = try await push(bench)
        await bench.phone.advance(by: .seconds(30))
        #expect(bench.phone.violations.map(\.rule) == ["R57"])
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
    }

    @Test("K6, P05: a report that Do Not Disturb refuses counts")
    func failedReport() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        _ = try await bench.register()
        bench.phone.user.setDoNotDisturb(true)
        _ = try await push(bench)
        await bench.phone.advance(by: .seconds(8))
        #expect(bench.probe.events.contains("report error 3"))
        #expect(bench.phone.screen.incoming.isEmpty)
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .background)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("K7, K8: in the foreground no report is needed")
    func foreground() async throws {
        var behavior = RawApp.Behavior()
        behavior.reporting = .never
        let bench = PhoneBench(behavior, locked: false)
        defer { bench.close() }
        _ = try await bench.open()
        _ = try await push(bench)
        await bench.phone.advance(by: .seconds(8))
        #expect(bench.probe.events == ["push mayReport"])
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .foreground)
    }

    @Test("K7, K8, P23: on a call no report is needed")
    func onCall() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        bench.probe.behavior.reporting = .never
        bench.probe.forgetEvents()
        _ = try await push(bench)
        await bench.phone.advance(by: .seconds(8))
        #expect(bench.probe.events == ["push mayReport"])
        #expect(bench.phone.snapshot.calls.count == 1)
    }

    @Test("K8, P10: metadata comes from iOS 26.4 on", arguments: [(26, 3, "push"), (26, 4, "push mustReport")])
    func metadata(_ major: Int, _ minor: Int, _ expected: String) async throws {
        let bench = PhoneBench(system: SystemVersion(major, minor))
        defer { bench.close() }
        _ = try await bench.register()
        _ = try await push(bench)
        #expect(bench.probe.events.contains(expected))
    }

    @Test("K8: a push past the age limit need not be reported, from 26.4 on", arguments: [3, 4])
    func oldPush(_ minor: Int) async throws {
        var behavior = RawApp.Behavior()
        behavior.reporting = .never
        let bench = PhoneBench(behavior, system: SystemVersion(26, minor))
        defer { bench.close() }
        _ = try await bench.register()
        _ = try await push(bench, sentAt: bench.phone.now.addingTimeInterval(-31))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == (minor == 4 ? .background : .notRunning))
    }

    @Test("K9, P03: after 4 failures pushes are dropped, until the app is installed again")
    func pushesStop() async throws {
        var behavior = RawApp.Behavior()
        behavior.reporting = .never
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        let old = try await bench.register()
        for _ in 0..<4 { #expect(try await push(bench).push != nil) }
        #expect(try await push(bench) == .dropped)
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .notRunning)
        #expect(bench.phone.timeline.entries.last?.rule == "K9")

        bench.phone.install(PhoneBench.app(bench.probe))
        bench.probe.behavior.reporting = .insideCallback
        let new = try await bench.register()
        #expect(new != old)
        #expect(bench.phone.receivePush(token: old, payload: Data()) == .unknownToken)
        #expect(try await push(bench).push != nil)
        #expect(bench.phone.screen.incoming.count == 1)
    }

    @Test("K1: the token stays over launches; K2: a dead token is told and replaced")
    func tokens() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let token = try await bench.register()
        _ = try await bench.open()
        #expect(bench.phone.pushToken(for: PhoneBench.bundle) == token)
        bench.phone.invalidateToken(of: PhoneBench.bundle)
        await bench.phone.settle()
        #expect(bench.probe.events == ["token dead"])
        #expect(bench.phone.receivePush(token: token, payload: Data()) == .unknownToken)
        let app = try #require(bench.probe.app)
        app.process.send(.setDesiredPushTypes(registry: app.registry, types: ["PKPushTypeVoIP"]))
        await bench.phone.settle()
        #expect(
            app.process.send(.pushToken(registry: app.registry, type: "PKPushTypeVoIP"))
                == .token(bench.phone.pushToken(for: PhoneBench.bundle)))
        #expect(bench.phone.pushToken(for: PhoneBench.bundle) != token)
    }

    @Test("K4, R54: a registry that was released takes no push")
    func releasedRegistry() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.user.goHome()
        app.process.send(.releasePushRegistry(registry: app.registry))
        guard case .waiting = try await push(bench) else { throw CancellationError() }
        await bench.phone.advance(by: .seconds(7))
        #expect(bench.phone.deaths.map(\.rule) == ["K4"])
    }

    @Test("R3: without the aps-environment entitlement there is no token")
    func noEntitlement() async throws {
        let bench = PhoneBench(aps: nil)
        defer { bench.close() }
        _ = try await bench.open()
        #expect(bench.phone.pushToken(for: PhoneBench.bundle) == nil)
        #expect(bench.phone.violations.map(\.rule) == ["R3"])
    }

    @Test("R56: a delegate without a push method is named, then terminated by K4")
    func noPushMethod() async throws {
        var behavior = RawApp.Behavior()
        behavior.blocksPush = true
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        _ = try await bench.register()
        let push = try #require(try await push(bench).push)
        try #require(bench.probe.app).process.send(.pushNotHandled(push: push))
        await bench.phone.advance(by: .seconds(7))
        #expect(bench.phone.violations.map(\.rule) == ["R56", "K4"])
    }

    @Test("P07: a push that a crashing app left unhandled comes again at its next launch")
    func redelivery() async throws {
        var behavior = RawApp.Behavior()
        behavior.blocksPush = true
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        _ = try await bench.register()
        let push = try await push(bench)
        bench.phone.faults.crash(PhoneBench.bundle)
        await bench.phone.advance(by: .seconds(120))
        #expect(bench.phone.deaths.last?.code == "crashed")
        bench.probe.behavior.blocksPush = false
        bench.probe.behavior.reporting = .never
        bench.probe.forgetEvents()
        bench.phone.open(PhoneBench.bundle)
        await bench.phone.advance(by: .seconds(10))
        #expect(bench.probe.events.contains("push mayReport"))
        #expect(bench.phone.appState(of: PhoneBench.bundle) == .foreground)  // K7: no report needed there
        #expect(push.push != nil)
    }

    @Test("A push for a token that nobody has, or of a removed app, is unknown")
    func unknownTokens() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        #expect(bench.phone.receivePush(token: Data([1]), payload: Data()) == .unknownToken)
        let token = try await bench.register()
        bench.phone.uninstall(PhoneBench.bundle)
        #expect(bench.phone.receivePush(token: token, payload: Data()) == .unknownToken)
    }
}
