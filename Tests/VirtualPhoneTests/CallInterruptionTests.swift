// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Calls and the sessions of other apps; what interrupts a call.
@Suite(.timeLimit(.minutes(1)))
struct CallInterruptionTests {
    private let priority = AppReply.failure(PhoneError(domain: "NSOSStatusErrorDomain", code: 561_017_449))
    private let began = AudioSessionEvent.interruptionBegan(reason: 0)
    private let ended = AudioSessionEvent.interruptionEnded(shouldResume: true)

    /// A phone whose calling app is registered, and another app that plays on the screen.
    private func playing() async throws -> (PhoneBench, RawSession, Data) {
        let bench = PhoneBench()
        let token = try await bench.register()
        let other = RawApp.Probe()
        bench.phone.install(PhoneBench.app(other, bundle: "other.app"))
        bench.phone.open("other.app")
        await bench.phone.settle()
        let session = RawSession(try #require(other.app).process)
        session.setCategory("Playback")
        #expect(session.setActive(true) == .done)
        return (bench, session, token)
    }

    @Test("V7, S4: ringing interrupts the other app; declined, it may go on")
    func ringing() async throws {
        let (bench, session, token) = try await playing()
        defer { bench.close() }
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.phone.settle()
        #expect(session.takeInterruptions() == [began] && !session.value.isActive)
        try bench.phone.user.decline()
        await bench.phone.settle()
        #expect(session.takeInterruptions() == [ended])
        #expect(session.setActive(true) == .done)
    }

    @Test("V7, S4: an accepted call interrupts once, to its end; meanwhile playing may start, recording may not")
    func accepted() async throws {
        let (bench, session, token) = try await playing()
        defer { bench.close() }
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.phone.settle()
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(1))
        #expect(session.takeInterruptions() == [began])
        session.setCategory("PlayAndRecord")
        #expect(session.setActive(true) == priority)
        session.setCategory("Record")
        #expect(session.setActive(true) == priority)
        session.setCategory("Playback")
        #expect(session.setActive(true) == .done)
        #expect(session.setCategory("Record") == priority)
        #expect(session.value.category.hasSuffix("Playback"))
        #expect(bench.phone.snapshot.isCallAudioActive)
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        #expect(session.takeInterruptions() == [])
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("V10: a banner does not interrupt who does not want it; accepting does; so does the full screen")
    func banner() async throws {
        let (bench, session, token) = try await playing()
        defer { bench.close() }
        session.process.send(.audioSession(.prefer(.noInterruptionsFromSystemAlerts(true))))
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.phone.settle()
        #expect(session.takeInterruptions() == [] && session.value.isActive)
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(1))
        #expect(session.takeInterruptions() == [began])
        try bench.phone.user.hangUp()
        await bench.phone.settle()
        #expect(session.takeInterruptions() == [ended])
        #expect(session.setActive(true) == .done)
        bench.phone.user.lock()
        bench.phone.receivePush(token: token, payload: Data("{}".utf8))
        await bench.phone.settle()
        #expect(bench.phone.screen.incoming.first?.isFullScreen == true)
        #expect(session.takeInterruptions() == [began])
    }

    @Test("S2, V7: what goes before a call takes its session, and gives it back; an alarm does not")
    func callIsInterrupted() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let session = RawSession(try #require(bench.probe.app).process)
        bench.probe.forgetEvents()
        try bench.phone.interruptAudio(by: .alarm)
        try bench.phone.endAudioInterruption()
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events == [] && session.takeInterruptions() == [])
        try bench.phone.interruptAudio(by: .higherPriority)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events == ["didDeactivate"] && session.takeInterruptions() == [began])
        #expect(session.process.send(.setAudioRunning(running: true)) != .done)
        try bench.phone.endAudioInterruption(shouldResume: true)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events == ["didDeactivate", "didActivate"] && session.takeInterruptions() == [ended])
        #expect(bench.phone.violations.map(\.rule) == ["R70"])
    }

    @Test(
        "S2: with two active calls the session stays until the last one ends; or by one report goes with the first",
        arguments: [false, true])
    func twoCalls(_ silencesOther: Bool) async throws {
        var settings = PhoneSettings()
        settings.endOfOneCallSilencesOther = silencesOther
        let bench = PhoneBench(locked: false, settings: settings)
        defer { bench.close() }
        let app = try await bench.open()
        let start = ActionValue.Kind.start(handle: Calls.alice, contactIdentifier: nil, isVideo: false)
        app.request([(Calls.first, start)])
        await bench.phone.advance(by: .seconds(1))
        app.request([(Calls.second, start)])
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.phone.snapshot.isCallAudioActive)
        bench.probe.forgetEvents()
        app.end(Calls.first, reason: 2)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events.contains("didDeactivate") == silencesOther)
        #expect(bench.phone.snapshot.isCallAudioActive != silencesOther)
        app.end(Calls.second, reason: 2)
        await bench.phone.advance(by: .seconds(1))
        #expect(bench.probe.events.filter { $0 == "didDeactivate" }.count == 1)
        #expect(!bench.phone.snapshot.isCallAudioActive)
    }

    @Test("S1, P31: activating the session again before a second report fails, and leaves the first call's audio")
    func activatedBeforeSecondReport() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let app = try #require(bench.probe.app)
        let session = RawSession(app.process)
        #expect(session.setActive(true) == priority)
        #expect(session.setActive(false) == .done)
        app.report(Calls.first)
        await bench.phone.settle()
        #expect(bench.probe.events.last == "report error 2")
        #expect(bench.phone.snapshot.isCallAudioActive && session.value.isRunning)
        #expect(bench.phone.violations.map(\.rule) == ["S1", "S1"])
    }

    @Test("R53, S1: after a media reset the call's audio stops; it starts again with the category set again")
    func mediaResetInCall() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        let session = RawSession(try #require(bench.probe.app).process)
        session.setCategory("PlayAndRecord", mode: "VoiceChat")
        _ = session.take()
        bench.phone.faults.resetMediaServices()
        await bench.phone.settle()
        #expect(session.take().filter { $0 == .mediaServicesWereReset }.count == 1)
        #expect(bench.phone.snapshot.isCallAudioActive && !session.value.isRunning)
        #expect(session.process.send(.setAudioRunning(running: true)) == .done)
        #expect(bench.phone.violations.map(\.rule) == ["R53"])
        session.process.send(.setAudioRunning(running: false))
        session.setCategory("PlayAndRecord", mode: "VoiceChat")
        #expect(session.process.send(.setAudioRunning(running: true)) == .done)
        #expect(bench.phone.violations.count == 1)
    }

    @Test("R77, V9: a call answered on the lock screen by an app that never asked is silent, and named")
    func neverAsked() async throws {
        var settings = PhoneSettings()
        settings.microphonePermissionAtFirst = .undetermined
        var behavior = RawApp.Behavior()
        behavior.audioOnActivation = false
        let bench = PhoneBench(behavior, settings: settings)
        defer { bench.close() }
        try await bench.talk()
        let session = RawSession(try #require(bench.probe.app).process)
        session.setCategory("PlayAndRecord", mode: "VoiceChat")
        #expect(session.process.send(.setAudioRunning(running: true)) == .done)
        #expect(session.value.microphone == .silentWithoutPermission)
        #expect(bench.phone.violations.map(\.rule) == ["R77"])
    }

    @Test("V7, S4: a call of the mobile network interrupts other apps, and at its end they may go on")
    func cellular() async throws {
        let (bench, session, _) = try await playing()
        defer { bench.close() }
        try #require(bench.phone.snapshot.calls.isEmpty)
        session.process.send(.audioSession(.prefer(.noInterruptionsFromSystemAlerts(true))))
        bench.phone.cellular.incoming(from: "+15551234567")
        await bench.phone.settle()
        #expect(session.takeInterruptions() == [])
        try bench.phone.user.answer()
        await bench.phone.settle()
        #expect(session.takeInterruptions() == [began])
        try bench.phone.cellular.endRemotely()
        await bench.phone.settle()
        #expect(session.takeInterruptions() == [ended])
    }

    @Test("S2, P33: an accepted cellular call holds the call and takes its session")
    func cellularHolds() async throws {
        let bench = PhoneBench()
        defer { bench.close() }
        try await bench.talk()
        bench.phone.cellular.incoming(from: "+15551234567")
        await bench.phone.settle()
        bench.probe.forgetEvents()
        try bench.phone.user.choose(.holdAndAccept)
        await bench.phone.advance(by: .seconds(1))
        #expect(
            bench.probe.events.filter { $0.hasPrefix("did") || $0.hasPrefix("perform") } == [
                "perform hold", "didDeactivate",
            ])
        let session = RawSession(try #require(bench.probe.app).process)
        #expect(session.setActive(true) == priority)
        #expect(bench.phone.violations.map(\.rule) == ["S1"])
    }

    @Test("S1, DTS4, P28: with a session of the app's own before the call the microphone is silent")
    func oneWayAudio() async throws {
        let bench = PhoneBench(locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        let session = RawSession(app.process)
        session.setCategory("PlayAndRecord", mode: "VoiceChat")
        #expect(session.setActive(true) == .done)
        #expect(session.process.send(.setAudioRunning(running: true)) == .done)
        #expect(session.value.microphone == .sound)
        app.report(Calls.first)
        await bench.phone.settle()
        try bench.phone.user.answer()
        await bench.phone.advance(by: .seconds(5))
        #expect(session.value.isRunning && session.value.microphone == .silentInOwnSession)
        #expect(!bench.phone.snapshot.isCallAudioActive)
    }

    @Test("V7, K11: a suspended app has lost its session, and hears of it when it goes on", arguments: [15, 26])
    func suspended(_ major: Int) async throws {
        let bench = PhoneBench(system: SystemVersion(major), locked: false)
        defer { bench.close() }
        let app = try await bench.open()
        let session = RawSession(app.process)
        session.setCategory("Playback")
        #expect(session.setActive(true) == .done)
        bench.phone.user.goHome()
        await bench.phone.advance(by: .seconds(120))
        #expect(!session.value.isActive && session.takeInterruptions() == [])
        #expect(app.process.send(.audioSession(.setRunning(io: UUID(), running: true, usesInput: false))) != .done)
        bench.phone.open(PhoneBench.bundle)
        await bench.phone.settle()
        #expect(session.takeInterruptions() == [.interruptionBegan(reason: major < 16 ? 1 : 0)])
    }
}
