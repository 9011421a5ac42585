// SPDX-License-Identifier: MIT

import AVFAudio
import CallKit
import Foundation
import Testing
import VirtualPhone

/// P28-P33: calls that are silent, or heard on one side alone.
@Suite(.timeLimit(.minutes(1))) struct AudioPains {
    // MARK: - P28

    /// Gets its sound ready as soon as a push comes, so that it is quick.
    private final class EagerApp: PracticeApp {
        override func received(_ push: [AnyHashable: Any]) {
            configureSession()
            activateSession(true)
            startVoice()
            super.received(push)
        }
    }

    @Test("P28, DTS4: an app that activates its session before the call: no didActivate, and nobody hears it")
    func activatedBeforeTheCall() async throws {
        let practice = Practice { EagerApp($0) }
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        try await practice.talk()
        #expect(practice.inCall?.status == .timer)
        #expect(practice.diary.all == ["voice runs", "answer"])
        #expect(practice.session?.isRunning == true && practice.session?.microphone == .silentInOwnSession)
        #expect(practice.brokenRules == ["S1"])
    }

    /// Activates its session when the user answers.
    private final class ActivatingApp: PracticeApp {
        override func answer(_ action: CXAnswerCallAction) {
            configureSession()
            activateSession(true)
            startVoice()
            action.fulfill()
        }

        override func sessionActivated() {}
    }

    @Test("P28, DTS4: an app that activates its session with the answer is refused, and the call is silent")
    func activatedWithTheAnswer() async throws {
        let practice = Practice { ActivatingApp($0) }
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        try await practice.talk()
        #expect(practice.inCall?.status == .timer)
        #expect(
            practice.diary.all == [
                "answer", "setActive refused: 561017449", "voice refused: 561145187", "didActivate",
            ])
        #expect(practice.session?.isRunning == false)
        #expect(practice.brokenRules == ["S1", "R70"])
    }

    // MARK: - P29

    /// Its media library starts its engine with the media session, and believes from then on that it runs.
    private final class SelfStartingApp: PracticeApp {
        private var hasStarted = false

        override func answer(_ action: CXAnswerCallAction) {
            super.answer(action)
            hasStarted = true
            startVoice()
        }

        override func sessionActivated() {
            if !hasStarted { startVoice() }
        }
    }

    @Test("P29: a media library that starts its engine itself: answered on the lock screen, the call is silent")
    func engineStartsItself() async throws {
        let practice = Practice { SelfStartingApp($0) }
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        try await practice.talk()
        #expect(practice.phone.screen.isLocked && practice.inCall?.status == .timer)
        #expect(practice.diary.all == ["answer", "voice refused: 561145187", "didActivate"])
        #expect(practice.session?.isRunning == false)
        #expect(practice.brokenRules == ["R70"])
    }

    // MARK: - P30

    /// Ends its sound with every end action, whichever call it is about.
    private final class TidyApp: PracticeApp {
        override func end(_ action: CXEndCallAction) {
            voice.stop()
            activateSession(false)
            action.fulfill()
        }
    }

    @Test("P30: an app that closes its sound in the end action: the second call is declined, the first one is silent")
    func declinedSecondCall() async throws {
        let practice = Practice { TidyApp($0) }
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        try await practice.talk()
        #expect(practice.session?.isRunning == true)
        await practice.ring()
        try practice.phone.user.decline()
        await practice.phone.advance(by: .seconds(5))
        #expect(practice.inCall?.status == .timer && practice.phone.snapshot.isCallAudioActive)
        #expect(practice.session?.isRunning == false)
        #expect(practice.diary.only("did") == ["didActivate"])
        #expect(practice.brokenRules == ["S1"])
    }

    // MARK: - P31

    /// Sets its sound up anew before it reports a call.
    private final class RestartingApp: PracticeApp {
        override func received(_ push: [AnyHashable: Any]) {
            voice.stop()
            configureSession()
            activateSession(true)
            super.received(push)
        }
    }

    @Test("P31, DTS3: an app that sets its sound up before a second report, which fails: the first call is silent")
    func refusedSecondReport() async throws {
        var settings = PhoneSettings()
        settings.refusesReportAboveMaximumGroups = true
        let practice = Practice(settings: settings) { diary in
            let app = RestartingApp(diary)
            let configuration = app.provider.configuration
            configuration.maximumCallGroups = 1
            app.provider.configuration = configuration
            return app
        }
        defer { practice.phone.shutDown() }
        await practice.open()
        await practice.inApp { $0.report(UUID()) }
        try practice.phone.user.answer()
        await practice.phone.advance(by: .seconds(1))
        #expect(practice.session?.isRunning == true)
        practice.diary.forget()
        await practice.ring()
        await practice.phone.advance(by: .seconds(5))
        #expect(practice.diary.all == ["setActive refused: 561017449", "report refused: 0"])
        #expect(practice.inCall?.status == .timer && practice.session?.isRunning == false)
        #expect(practice.brokenRules == ["S1"])
    }

    // MARK: - P32

    /// Plays a tone when a call is over, in a session that it activates and forgets.
    private final class ToneApp: PracticeApp {
        override func sessionDeactivated() {
            super.sessionDeactivated()
            activateSession(true)
        }
    }

    @Test("P32: an app that leaves its session active after a call: the next call is silent")
    func secondCallIsSilent() async throws {
        let practice = Practice { ToneApp($0) }
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        try await practice.talk()
        #expect(practice.session?.microphone == .sound)
        try practice.phone.user.hangUp()
        await practice.phone.advance(by: .seconds(1))
        practice.diary.forget()
        try await practice.talk()
        #expect(practice.inCall?.status == .timer)
        #expect(practice.diary.all == ["answer"])
        #expect(practice.session?.isRunning == false && !practice.phone.snapshot.isCallAudioActive)
        #expect(practice.brokenRules == ["S1"])
    }

    @Test("P32: an app that leaves the session to the phone: activated and deactivated once a call")
    func callAfterCall() async throws {
        let practice = Practice { PracticeApp($0) }
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        for _ in 1...3 {
            practice.diary.forget()
            try await practice.talk()
            #expect(practice.session?.microphone == .sound)
            try practice.phone.user.hangUp()
            await practice.phone.advance(by: .seconds(1))
            #expect(practice.diary.only("did") == ["didActivate", "didDeactivate"])
        }
        #expect(practice.brokenRules == [])
    }

    // MARK: - P33

    /// Has a button of its own to go on with a held call, and helps itself to the sound.
    private final class ResumingApp: PracticeApp {
        func resume(_ call: UUID) {
            request(CXSetHeldCallAction(call: call, onHold: false))
        }
    }

    @Test("P33, DTS5: a cellular call between is ended by its remote side: the app takes its call off hold, in silence")
    func endedFromAfar() async throws {
        let practice = Practice { ResumingApp($0) }
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        try await practice.talk()
        let call = try #require(practice.inCall).call
        practice.phone.cellular.incoming(from: "+14155550100")
        try practice.phone.user.choose(.holdAndAccept)
        await practice.phone.advance(by: .seconds(5))
        practice.diary.forget()
        try practice.phone.cellular.endRemotely()
        await practice.phone.advance(by: .seconds(5))
        #expect(practice.diary.all == [] && practice.inCall?.status == .onHold)
        await practice.inApp { $0.resume(call) }
        await practice.phone.advance(by: .seconds(5))
        #expect(practice.diary.all == ["unhold"] && practice.inCall?.status == .timer)
        await practice.inApp { app in
            app.activateSession(true)
            app.startVoice()
        }
        #expect(practice.diary.all.suffix(2) == ["setActive refused: 561017449", "voice refused: 561145187"])
        #expect(practice.session?.isRunning == false)
        #expect(practice.brokenRules == ["S1", "R70"])
    }

    @Test("P33, DTS5: ended by the user, the cellular call gives the held call and its sound back")
    func endedByTheUser() async throws {
        let practice = Practice { ResumingApp($0) }
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        try await practice.talk()
        practice.phone.cellular.incoming(from: "+14155550100")
        try practice.phone.user.choose(.holdAndAccept)
        await practice.phone.advance(by: .seconds(5))
        practice.diary.forget()
        try practice.phone.user.hangUp()
        await practice.phone.advance(by: .seconds(5))
        #expect(practice.diary.all == ["unhold", "didActivate", "voice runs"])
        #expect(practice.session?.microphone == .sound && practice.brokenRules == [])
    }
}
