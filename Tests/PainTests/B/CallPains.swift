// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import OffhookTesting
import Testing
import VirtualPhone

/// P39-P41, P54, P55: limits, starts, conferences, the keypad, the lock screen.
@Suite(.timeLimit(.minutes(1))) struct CallPains {
    // MARK: - P39

    /// Takes one call at a time.
    private final class OneCallApp: PracticeApp {
        override init(_ diary: Diary) {
            super.init(diary)
            let configuration = provider.configuration
            configuration.maximumCallGroups = 1
            provider.configuration = configuration
        }
    }

    @Test("P39: call and hang up, ten times in a row: a system that still closes the last call refuses the next with 7")
    func callAndHangUp() async throws {
        var settings = PhoneSettings()
        settings.endedCallLingers = .milliseconds(1500)
        let practice = Practice(settings: settings) { OneCallApp($0) }
        defer { practice.phone.shutDown() }
        await practice.open()
        for _ in 1...10 {
            let call = UUID()
            await practice.inApp { $0.call(call, "bob") }
            await practice.inApp { $0.request(CXEndCallAction(call: call)) }
            await practice.phone.advance(by: .seconds(1))
        }
        // Every other call falls into the time in which the one before is closed; its end is for a call unknown.
        #expect(practice.diary.only("start").count == 5)
        #expect(practice.diary.all.count { $0 == "request refused: 7" } == 5)
        #expect(practice.diary.all.count { $0 == "request refused: 4" } == 5)
    }

    // MARK: - P40

    /// Completes its start when the other side answers.
    private final class PatientApp: PracticeApp {
        private var pending: CXStartCallAction?

        override func start(_ action: CXStartCallAction) {
            configureSession()
            pending = action
        }

        override func remoteAnswered(_ call: UUID) {
            pending?.fulfill()
            super.remoteAnswered(call)
        }
    }

    @Test("P40: a start that is completed with the answer: no sound while it rings, and in the end the call fails")
    func startAwaitsTheAnswer() async throws {
        let practice = Practice { PatientApp($0) }
        defer { practice.phone.shutDown() }
        await practice.open()
        let call = UUID()
        await practice.inApp { $0.call(call, "bob") }
        await practice.phone.advance(by: .seconds(599))
        #expect(practice.inCall?.status == .calling && !practice.phone.snapshot.isCallAudioActive)
        await practice.phone.advance(by: .seconds(2))
        #expect(practice.diary.all == ["start", "timed out", "end"])
        #expect(practice.phone.screen.inCall.isEmpty)
        #expect(practice.brokenRules == ["R29"])
        await practice.inApp { $0.remoteAnswered(call) }
        #expect(practice.phone.screen.inCall.isEmpty && !practice.phone.snapshot.isCallAudioActive)
    }

    // MARK: - P41

    /// Merges with the one action that is named after it.
    private final class MergingApp: PracticeApp {
        func merge(_ call: UUID, with other: UUID) {
            request(CXSetGroupCallAction(call: call, callUUIDToGroupWith: other))
        }
    }

    /// Two calls of the app: the first is held, the second goes on.
    private func twoCalls() async throws -> (Practice<MergingApp>, held: UUID, active: UUID) {
        let practice = Practice { MergingApp($0) }
        await practice.open()
        let (held, active) = (UUID(), UUID())
        for call in [held, active] {
            await practice.inApp { $0.report(call) }
            try practice.phone.user.answer(call)
            await practice.phone.advance(by: .seconds(1))
        }
        practice.diary.forget()
        return (practice, held, active)
    }

    @Test("P41: an app that merges by the group action alone: the held side stays held, and hears nobody")
    func mergedAndHeld() async throws {
        let (practice, held, active) = try await twoCalls()
        defer { practice.phone.shutDown() }
        await practice.inApp { $0.merge(held, with: active) }
        #expect(practice.diary.all == ["join"])
        let members = try #require(practice.inCall).members
        #expect(practice.phone.screen.inCall.count == 1 && members.map(\.call) == [held, active])
        #expect(members.map(\.isOnHold) == [true, false])
    }

    @Test("P41: the phone's own Merge takes the call off hold first")
    func mergedOnTheScreen() async throws {
        let (practice, _, _) = try await twoCalls()
        defer { practice.phone.shutDown() }
        try practice.phone.user.merge()
        await practice.phone.settle()
        #expect(practice.diary.all == ["unhold", "join"])
        #expect(practice.inCall?.members.map(\.isOnHold) == [false, false])
    }

    // MARK: - P54

    @Test("P54: the keypad in an app without the method: every tone fails, and the phone names what is missing")
    func keypadDoesNothing() async throws {
        let practice = Practice { PracticeApp($0) }
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        try await practice.talk()
        try practice.phone.user.playTone("5")
        await practice.phone.settle()
        #expect(practice.brokenRules == ["T11"])
        #expect(practice.phone.violations.first?.what.contains("CXPlayDTMFCallAction") == true)
        #expect(practice.inCall?.status == .timer)
    }

    // MARK: - P55

    @Test("P55: a video call answered on the lock screen: the phone's own screen stays until it is unlocked")
    func videoWhileLocked() async throws {
        let practice = Practice { PracticeApp($0) }
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        await practice.ring(["video": true])
        try practice.phone.user.answer()
        await practice.phone.advance(by: .seconds(60))
        #expect(practice.phone.screen.isLocked && practice.phone.screen.foregroundApp == nil)
        #expect(practice.inCall?.hasVideo == true && practice.inCall?.showsVideo == false)
        #expect(practice.session?.microphone == .sound)
        practice.phone.user.unlock()
        await practice.phone.settle()
        #expect(practice.phone.screen.foregroundApp == practice.bundle && practice.inCall?.showsVideo == true)
        #expect(practice.brokenRules == [])
    }

    @Test("P55: a video call answered on the unlocked phone brings its app to the screen; a voice call does not")
    func videoWhileUnlocked() async throws {
        for hasVideo in [true, false] {
            let practice = Practice { PracticeApp($0) }
            defer { practice.phone.shutDown() }
            await practice.open()
            practice.phone.user.goHome()
            await practice.ring(["video": .bool(hasVideo)])
            try practice.phone.user.answer()
            await practice.phone.advance(by: .seconds(1))
            #expect((practice.phone.screen.foregroundApp == practice.bundle) == hasVideo)
            #expect(practice.inCall?.showsVideo == hasVideo)
        }
    }
}
