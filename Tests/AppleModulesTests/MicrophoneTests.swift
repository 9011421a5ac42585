// SPDX-License-Identifier: MIT

import AVFAudio
import Foundation
import Testing
import VirtualPhone

/// Whether an app may use the microphone, and what it gets when it may not.
@Suite(.timeLimit(.minutes(1)))
struct MicrophoneTests {
    private var undetermined: PhoneSettings {
        var settings = PhoneSettings()
        settings.microphonePermissionAtFirst = .undetermined
        return settings
    }

    /// Asks for the microphone.
    ///
    /// - Returns: The answers when the phone has settled; a question that is open gives none, and blocks no test.
    private func request(in process: AppProcess, _ bench: AudioBench) async -> [Bool] {
        let answers = Slot<Bool>()
        process.run { AVAudioApplication.requestRecordPermission { answers.put($0) } }
        await bench.phone.settle()
        return answers.all
    }

    @Test("V9: the user is asked once; every later request is answered at once", arguments: [true, false])
    func prompt(_ allows: Bool) async throws {
        let bench = AudioBench(settings: undetermined)
        defer { bench.close() }
        let process = try await bench.open()
        let application = process.run { AVAudioApplication.shared }
        #expect(application.recordPermission == .undetermined)
        let answers = Slot<Bool>()
        process.run {
            AVAudioApplication.requestRecordPermission { answers.put($0) }
            AVAudioSession.sharedInstance().requestRecordPermission { answers.put($0) }
        }
        await bench.phone.settle()
        #expect(answers.all == [])
        #expect(bench.phone.screen.microphonePrompt?.app == AudioBench.bundle)
        #expect(bench.phone.screen.microphonePrompt?.usage == "Calls need the microphone.")
        try bench.phone.user.answerMicrophonePrompt(allows)
        await bench.phone.settle()
        #expect(answers.all == [allows, allows] && bench.phone.screen.microphonePrompt == nil)
        #expect(throws: PhoneUserError.self) { try bench.phone.user.answerMicrophonePrompt(allows) }
        #expect(application.recordPermission == (allows ? .granted : .denied))
        #expect(await request(in: process, bench) == [allows])
        #expect(bench.phone.screen.microphonePrompt == nil)
        #expect(process.run { AVAudioSession.sharedInstance().recordPermission } == (allows ? .granted : .denied))
    }

    @Test("V9: the setting answers for the user")
    func automaticAnswer() async throws {
        var settings = undetermined
        settings.microphonePromptAnswer = true
        let bench = AudioBench(settings: settings)
        defer { bench.close() }
        let process = try await bench.open()
        #expect(await process.run { Task { await AVAudioApplication.requestRecordPermission() } }.value)
        #expect(bench.phone.microphonePermission(of: AudioBench.bundle) == .granted)
    }

    @Test("V9: without permission the microphone gives silence, and its use asks the user")
    func silence() async throws {
        let bench = AudioBench(settings: undetermined)
        defer { bench.close() }
        let process = try await bench.open()
        let session = process.run { AVAudioSession.sharedInstance() }
        let sound = process.run { SoundIO() }
        #expect(sound.microphone == .off)
        try session.setCategory(.playAndRecord)
        try session.setActive(true)
        try sound.start(usesInput: false)
        #expect(bench.phone.screen.microphonePrompt == nil)
        try sound.start(usesInput: true)
        #expect(sound.microphone == .silentWithoutPermission)
        #expect(bench.phone.screen.microphonePrompt != nil)
        try bench.phone.user.answerMicrophonePrompt(true)
        #expect(sound.microphone == .sound)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("V9: an app without NSMicrophoneUsageDescription is ended when it uses the microphone")
    func noUsageText() async throws {
        for asks in [true, false] {
            let bench = AudioBench { $0.microphoneUsageDescription = nil }
            defer { bench.close() }
            let process = try await bench.open()
            let session = process.run { AVAudioSession.sharedInstance() }
            let sound = process.run { SoundIO() }
            try session.setCategory(.playAndRecord)
            try session.setActive(true)
            try sound.start(usesInput: false)
            #expect(bench.phone.deaths.isEmpty)
            if asks {
                process.run { AVAudioApplication.requestRecordPermission { _ in } }
            } else {
                #expect(throws: SoundIO.Refused.self) { try sound.start() }
            }
            #expect(bench.phone.deaths.map(\.rule) == ["V9"])
            #expect(bench.phone.appState(of: AudioBench.bundle) == .notRunning)
        }
    }

    @Test("V9, R77: over the lock screen there is no question: the answer is no, and nothing is decided")
    func lockScreen() async throws {
        let bench = AudioBench(settings: undetermined)
        defer { bench.close() }
        let process = try await bench.open()
        bench.phone.user.lock()
        #expect(await request(in: process, bench) == [false])
        #expect(bench.phone.violations.map(\.rule) == ["R77"])
        #expect(process.run { AVAudioApplication.shared.recordPermission } == .undetermined)
        bench.phone.user.unlock()
        #expect(bench.phone.screen.microphonePrompt == nil)
    }

    @Test("V9: switching the microphone in Settings ends the app; an open question dies with it")
    func settings() async throws {
        let bench = AudioBench(settings: undetermined)
        defer { bench.close() }
        let process = try await bench.open()
        process.run { AVAudioApplication.requestRecordPermission { _ in } }
        #expect(bench.phone.screen.microphonePrompt != nil)
        try bench.phone.user.setMicrophone(false, for: AudioBench.bundle)
        #expect(bench.phone.screen.microphonePrompt == nil)
        #expect(bench.phone.appState(of: AudioBench.bundle) == .notRunning)
        let again = try await bench.open()
        #expect(again.run { AVAudioApplication.shared.recordPermission } == .denied)
        #expect(throws: PhoneUserError.self) { try bench.phone.user.setMicrophone(true, for: "nobody.app") }
    }

    @Test("V11: setInputMuted makes all input silent and tells observers once")
    func inputMute() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let process = try await bench.open()
        let application = process.run { AVAudioApplication.shared }
        let session = process.run { AVAudioSession.sharedInstance() }
        let sound = process.run { SoundIO() }
        let slot = Slot<Bool>()
        let observer = NotificationCenter.default.addObserver(
            forName: AVAudioApplication.inputMuteStateChangeNotification, object: application, queue: nil
        ) { slot.put($0.userInfo?[AVAudioApplication.muteStateKey] as? Bool ?? false) }
        try session.setCategory(.playAndRecord)
        try session.setActive(true)
        try application.setInputMuted(true)
        try application.setInputMuted(true)
        await bench.phone.settle()
        #expect(application.isInputMuted && slot.all == [true])
        #expect(sound.microphone == .silentMuted)
        try application.setInputMuted(false)
        #expect(sound.microphone == .sound)
        NotificationCenter.default.removeObserver(observer)
    }

    @Test("The output's mute switch is kept, and told")
    func outputMute() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let session = try await bench.session()
        let slot = Slot<Bool>()
        let observer = NotificationCenter.default.addObserver(
            forName: AVAudioSession.outputMuteStateChangeNotification, object: session, queue: nil
        ) { slot.put($0.userInfo?[AVAudioSession.muteStateKey] as? Bool ?? false) }
        try session.setOutputMuted(true)
        try session.setOutputMuted(true)
        await bench.phone.settle()
        #expect(session.isOutputMuted && slot.all == [true])
        NotificationCenter.default.removeObserver(observer)
    }
}
