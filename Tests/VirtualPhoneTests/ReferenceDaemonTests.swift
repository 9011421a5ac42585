// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Reference orders 5, 8 and 9 of docs/rules.md, as whole timelines.
@Suite(.timeLimit(.minutes(1)))
struct ReferenceDaemonTests {
    private let start = ActionValue.Kind.start(handle: Calls.alice, contactIdentifier: nil, isVideo: false)

    @Test("G2: order 5, Hold & Accept: hold the active call, then answer the new one")
    func holdAndAccept() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let start = try await secondRings(bench)
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.advance(by: .seconds(1))
        #expect(
            bench.timedLines(from: start) == [
                "0.000 user: tapped Hold & Accept on the lock screen [G2]",
                "0.000 phone: asks provider(_:execute:) [T9]",
                "0.000 phone: performs CXSetHeldCallAction [G2]",
                "0.000 app: fulfilled CXSetHeldCallAction [G2]",
                "0.000 phone: deactivated the audio session [S2]",
                "0.000 phone: performs CXAnswerCallAction [A1]",
                "0.000 app: stopped audio [S2]",
                "0.000 app: fulfilled CXAnswerCallAction [A1]",
                "0.000 phone: call connected [A1]",
                "0.020 phone: activated the audio session [S1]",
                "0.020 app: started audio [S1]",
            ])
        #expect(
            bench.probe.events == [
                "execute hold+answer", "perform hold", "observer held", "didDeactivate", "perform answer",
                "observer connected", "didActivate",
            ])
        #expect(bench.phone.screen.inCall.map(\.status) == [.onHold, .timer])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("G2: order 5, End & Accept: end the active call, then answer the new one")
    func endAndAccept() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let start = try await secondRings(bench)
        try bench.phone.user.choose(.endAndAccept)
        await bench.phone.advance(by: .seconds(1))
        #expect(
            bench.timedLines(from: start) == [
                "0.000 user: tapped End & Accept on the lock screen [G2]",
                "0.000 phone: asks provider(_:execute:) [T9]",
                "0.000 phone: performs CXEndCallAction [E1]",
                "0.000 app: fulfilled CXEndCallAction [E1]",
                "0.000 phone: call ended [E1]",
                "0.000 phone: deactivated the audio session [S2]",
                "0.000 phone: performs CXAnswerCallAction [A1]",
                "0.000 app: stopped audio [S2]",
                "0.000 app: fulfilled CXAnswerCallAction [A1]",
                "0.000 phone: call connected [A1]",
                "0.020 phone: activated the audio session [S1]",
                "0.020 app: started audio [S1]",
            ])
        #expect(
            bench.probe.events == [
                "execute end+answer", "perform end", "observer ended", "didDeactivate", "perform answer",
                "observer connected", "didActivate",
            ])
        #expect(bench.phone.screen.inCall.map(\.status) == [.timer])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("P2, T3: order 8: the daemon restarts; as a setting, error 2 until a new provider exists")
    func daemonRestarts() async throws {
        var settings = PhoneSettings()
        settings.restartForgetsProviders = true
        let bench = PhoneBench(settings: settings)
        defer { bench.close() }
        try await bench.talk()
        await bench.phone.advance(by: .seconds(10))
        bench.probe.forgetEvents()
        let from = bench.lineCount
        bench.phone.faults.restartDaemon()
        let app = try #require(bench.probe.app)
        app.process.send(.setAudioRunning(running: false))
        await bench.phone.settle()
        app.request([(Calls.second, start)])
        await bench.phone.settle()
        let provider = UUID()
        app.process.attach(provider, queue: app.queue) { [probe = bench.probe] in probe.saw(RawApp.describe($0)) }
        app.process.send(.createProvider(provider: provider, configuration: ProviderConfigurationValue()))
        app.process.send(.setProviderDelegate(provider: provider, present: true))
        app.request([(Calls.second, start)])
        await bench.phone.settle()
        #expect(
            bench.timedLines(from: from) == [
                "0.000 phone: the call daemon restarted [P2]",
                "0.000 phone: told the provider that it was reset [P2]",
                "0.000 phone: call ended [C2]",
                "0.000 app: stopped audio [S2]",
                "0.000 app: requested CXStartCallAction [O1]",
                "0.000 phone: refused the request: error 2 [T1]",
                "0.000 app: created a provider [P1]",
                "0.000 app: requested CXStartCallAction [O1]",
                "0.000 phone: accepted the request [O1]",
                "0.000 phone: outgoing call appeared [C2]",
                "0.000 phone: asks provider(_:execute:) [T9]",
            ])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("S2, P2: audio that goes on after providerDidReset is stopped and named")
    func audioAfterReset() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        bench.phone.faults.restartDaemon()
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.screen.inCall.isEmpty)
        #expect(bench.phone.violations.map(\.rule) == ["S2"])
    }

    @Test("P2: order 8, as the default: the provider lives on, and the next report rings")
    func daemonRestartsAndGoesOn() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        let from = bench.lineCount
        bench.probe.forgetEvents()
        bench.phone.faults.restartDaemon()
        await bench.phone.settle()
        try #require(bench.probe.app).report(Calls.second)
        await bench.phone.settle()
        #expect(
            bench.timedLines(from: from) == [
                "0.000 phone: the call daemon restarted [P2]",
                "0.000 phone: told the provider that it was reset [P2]",
                "0.000 phone: call ended [C2]",
                "0.000 app: reported an incoming call [I1]",
                "0.000 phone: rings [I1]",
            ])
        #expect(bench.probe.events == ["reset", "observer ended", "report nil", "observer ringing"])
    }

    @Test(
        "P3, T3: order 9: invalidate ends the calls as failed; after it the delegate hears nothing, requests answer 2")
    func invalidate() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        bench.probe.behavior.completes["mute"] = .never
        try bench.phone.user.setMuted(true)
        await bench.phone.advance(by: .seconds(1))
        let from = bench.lineCount
        bench.probe.forgetEvents()
        let app = try #require(bench.probe.app)
        app.process.send(.setAudioRunning(running: false))
        app.process.send(.invalidateProvider(provider: app.provider))
        app.request([(Calls.first, .end)])
        await bench.phone.advance(by: .seconds(20))
        #expect(
            bench.timedLines(from: from) == [
                "0.000 app: stopped audio [S2]",
                "0.000 app: invalidated the provider [P3]",
                "0.000 phone: call ended [P3]",
                "0.000 app: requested CXEndCallAction [O1]",
                "0.000 phone: refused the request: error 2 [T1]",
                "5.900 phone: check 2 passed [K4]",
            ])
        #expect(Set(bench.probe.events) == ["observer ended", "request error 2"])
        #expect(bench.phone.recents.map(\.outcome) == [.failed])
        #expect(bench.phone.violations.isEmpty)
    }

    /// A call goes on for a while, and a second one rings.
    private func secondRings(_ bench: PhoneBench) async throws -> Int {
        try await bench.talk()
        try #require(bench.probe.app).report(Calls.second)
        await bench.phone.advance(by: .seconds(10))
        bench.probe.forgetEvents()
        return bench.lineCount
    }
}
