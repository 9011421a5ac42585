// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// The call session: who activates it, and when audio may run.
@Suite(.timeLimit(.minutes(1)))
struct AudioTests {
    private let playAndRecord = AppRequest.setAudioCategory(
        category: "AVAudioSessionCategoryPlayAndRecord", mode: "AVAudioSessionModeVoiceChat", options: 0)
    private let priority = AppReply.failure(PhoneError(domain: "NSOSStatusErrorDomain", code: 561_017_449))

    @Test("A2, R72, P28: nothing is activated before the answer is fulfilled")
    func notBeforeFulfill() async throws {
        var behavior = RawApp.Behavior()
        behavior.completes["answer"] = .never
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.ring()
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(30))
        #expect(!bench.probe.events.contains("didActivate"))
        let action = try #require(bench.probe.pending.first)
        try #require(bench.probe.app).process.send(.actionFulfilled(action: action.uuid, date: nil))
        await bench.phone.advance(by: .milliseconds(19))
        #expect(!bench.phone.snapshot.isCallAudioActive)
        await bench.phone.advance(by: .milliseconds(1))
        #expect(bench.probe.events.last == "didActivate")
    }

    @Test("R70, P29: audio outside of the window is refused and named")
    func outsideTheWindow() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        let process = try #require(bench.probe.app).process
        let refusal = process.send(.setAudioRunning(running: true))
        #expect(refusal == .failure(PhoneError(domain: "NSOSStatusErrorDomain", code: 561_145_187)))
        try bench.phone.user.answer()
        await bench.phone.settle()
        #expect(process.send(.setAudioRunning(running: true)) == refusal)
        await bench.phone.advance(by: .milliseconds(20))
        #expect(process.send(.setAudioRunning(running: true)) == .done)
        #expect(bench.phone.violations.map(\.rule) == ["R70", "R70"])
    }

    @Test("S2: audio that runs on after didDeactivate is stopped and named")
    func runsOn() async throws {
        var behavior = RawApp.Behavior()
        behavior.stopsAudio = false
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        #expect(bench.phone.violations.isEmpty)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.violations.map(\.rule) == ["S2"])
    }

    @Test("S1, DTS4: setActive(true) by the app during its call is refused with 561017449")
    func setActiveDuringCall() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        let process = try #require(bench.probe.app).process
        process.send(playAndRecord)
        #expect(process.send(.setAudioActive(active: true, options: 0)) == priority)
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.snapshot.isCallAudioActive)
        #expect(process.send(.setAudioActive(active: true, options: 0)) == priority)
        #expect(bench.phone.violations.map(\.rule) == ["S1", "S1"])
    }

    @Test("S1, P28: a session that the app activated before the call keeps didActivate from coming")
    func activatedBefore() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        app.process.send(playAndRecord)
        #expect(app.process.send(.setAudioActive(active: true, options: 0)) == .done)
        #expect(app.process.send(.setAudioRunning(running: true)) == .done)
        app.report(Calls.first)
        await bench.phone.settle()
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(10))
        #expect(!bench.probe.events.contains("didActivate"))
        #expect(bench.phone.violations.map(\.rule) == ["S1"])
    }

    @Test("S4: during a call another app may play, but not record")
    func otherApp() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        let other = RawApp.Probe()
        bench.phone.install(PhoneBench.app(other, bundle: "other.app"))
        try await bench.talk()
        bench.phone.open("other.app")
        await bench.phone.settle()
        let process = try #require(other.app).process
        process.send(playAndRecord)
        #expect(process.send(.setAudioActive(active: true, options: 0)) == priority)
        process.send(
            .setAudioCategory(category: "AVAudioSessionCategoryPlayback", mode: "AVAudioSessionModeDefault", options: 0)
        )
        #expect(process.send(.setAudioActive(active: true, options: 0)) == .done)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("S2, P32: hold closes the window, unhold opens it again; so does a second call after the first")
    func holdAndAgain() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        bench.probe.forgetEvents()
        try bench.phone.user.setHeld(true)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events == ["execute hold", "perform hold", "observer held", "didDeactivate"])
        #expect(bench.phone.screen.inCall.first?.status == .onHold)
        bench.probe.forgetEvents()
        try #require(bench.probe.app).request([(Calls.first, .setHeld(false))])
        await bench.phone.settle()
        await bench.phone.advance(by: .seconds(1))
        #expect(
            bench.probe.events == [
                "request nil", "execute unhold", "perform unhold", "observer connected", "didActivate",
            ])
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        try #require(bench.probe.app).report(Calls.second)
        await bench.phone.settle()
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events.last == "didActivate")
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("S2, P30: declining a second call leaves the first one's audio alone")
    func declineSecond() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        try #require(bench.probe.app).report(Calls.second)
        await bench.phone.settle()
        bench.probe.forgetEvents()
        try bench.phone.user.decline()
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events == ["execute end", "perform end", "observer ended"])
        #expect(bench.phone.snapshot.isCallAudioActive)
    }

    @Test("S3: the fault that didActivate does not come")
    func droppedActivation() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.ring()
        bench.phone.faults.dropAudioActivation(true)
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(10))
        #expect(!bench.probe.events.contains("didActivate"))
        #expect(bench.phone.timeline.entries.contains { $0.rule == "S3" })
    }

    @Test("S3: setting the configuration again before the report brings didActivate back")
    func workaround() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        bench.phone.faults.dropAudioActivation(true)
        app.process.send(
            .configureProvider(provider: app.provider, configuration: ProviderConfigurationValue()))
        app.report(Calls.first)
        await bench.phone.settle()
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events.last == "didActivate")
    }

    @Test("O4: a call without supportsHolding cannot be held by the user")
    func cannotHold() async throws {
        var behavior = RawApp.Behavior()
        behavior.update.supportsHolding = false
        let bench = PhoneBench(behavior)
        defer { bench.close() }
        try await bench.talk()
        #expect(throws: PhoneUserError.notOffered("hold")) { try bench.phone.user.setHeld(true) }
        #expect(bench.phone.screen.inCall.first?.canHold == false)
    }

    @Test("V2, V3, V6: category, mode and override decide the ports")
    func ports() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let process = try await bench.open().process
        func session() throws -> AudioSessionValue {
            guard case .audioSession(let value) = process.send(.readAudioSession) else { throw CancellationError() }
            return value
        }
        #expect(try session().inputPort == nil)
        process.send(playAndRecord)
        #expect(try session().outputPort == "Receiver")
        #expect(try session().inputPort == "MicrophoneBuiltIn")
        #expect(process.send(.overrideOutputPort(port: 0x7370_6b72)) == .done)
        #expect(try session().outputPort == "Speaker")
        process.send(playAndRecord)
        #expect(try session().outputPort == "Receiver")
        process.send(
            .setAudioCategory(category: "AVAudioSessionCategoryPlayback", mode: "AVAudioSessionModeDefault", options: 0)
        )
        #expect(process.send(.overrideOutputPort(port: 0x7370_6b72)) != .done)
    }
}
