// SPDX-License-Identifier: MIT

import AVFAudio
import CallKit
import Testing
import VirtualPhone

/// P34, P35: calls that sound in the wrong place.
@Suite(.timeLimit(.minutes(1))) struct RoutePains {
    private let headset = AudioDevice.bluetoothHFP(name: "Headset")

    private func output(_ practice: Practice<some PracticeApp>) -> String? {
        practice.session?.outputPort
    }

    // MARK: - P34

    @Test("P34: with a headset connected the call goes where it was answered; the sound button moves it")
    func followsTheAnswer() async throws {
        let practice = Practice { PracticeApp($0) }
        defer { practice.phone.shutDown() }
        practice.phone.connect(headset)
        try await practice.sleep()
        try await practice.talk()
        #expect(output(practice) == "Receiver")
        try practice.phone.user.chooseRoute(.device(headset))
        await practice.phone.settle()
        #expect(output(practice) == "BluetoothHFP")
        try practice.phone.user.hangUp()
        await practice.phone.advance(by: .seconds(1))
        await practice.ring()
        try practice.phone.user.answer(on: headset)
        await practice.phone.advance(by: .seconds(1))
        #expect(output(practice) == "BluetoothHFP")
        #expect(practice.brokenRules == [])
    }

    /// Sets the category that a recorder would set: no mode, no options.
    private final class RecorderApp: PracticeApp {
        override func configureSession() {
            try? session.setCategory(.playAndRecord)
        }
    }

    @Test(
        "P34: without the mode or the option for hands-free devices the headset is not to be had, even answered on it")
    func headsetUnused() async throws {
        let practice = Practice { RecorderApp($0) }
        defer { practice.phone.shutDown() }
        practice.phone.connect(headset)
        try await practice.sleep()
        await practice.ring()
        try practice.phone.user.answer(on: headset)
        await practice.phone.advance(by: .seconds(1))
        #expect(output(practice) == "Receiver")
        #expect(practice.phone.screen.audioRoutes == [.receiver, .speaker])
        #expect(throws: PhoneUserError.self) { try practice.phone.user.chooseRoute(.device(headset)) }
    }

    // MARK: - P35

    /// Uses one configuration for video and for voice.
    private final class VideoModeApp: PracticeApp {
        override func configureSession() {
            try? session.setCategory(.playAndRecord, mode: .videoChat)
        }
    }

    /// Wants the speaker in video calls, and says so in all.
    private final class SpeakerApp: PracticeApp {
        override func configureSession() {
            try? session.setCategory(.playAndRecord, mode: .voiceChat, options: .defaultToSpeaker)
        }
    }

    @Test("P35: a voice call in the mode videoChat is on the speaker, and the earpiece cannot be chosen")
    func videoChat() async throws {
        try await onSpeaker(Practice { VideoModeApp($0) })
    }

    @Test("P35: a voice call with defaultToSpeaker is on the speaker, and the earpiece cannot be chosen")
    func defaultToSpeaker() async throws {
        try await onSpeaker(Practice { SpeakerApp($0) })
    }

    private func onSpeaker(_ practice: Practice<some PracticeApp>) async throws {
        defer { practice.phone.shutDown() }
        try await practice.sleep()
        try await practice.talk()
        #expect(output(practice) == "Speaker")
        #expect(practice.phone.screen.audioRoutes == [.speaker])
        #expect(throws: PhoneUserError.self) { try practice.phone.user.chooseRoute(.receiver) }
    }
}
