// SPDX-License-Identifier: MIT

import AVFoundation
import Testing
import VirtualPhone

/// The microphone's permission by its name in AVFoundation.
@Suite(.timeLimit(.minutes(1)))
struct CaptureDeviceTests {
    @Test(
        "V9: AVCaptureDevice asks the same question as AVAudioApplication, and has its answer",
        arguments: [true, false])
    func microphone(_ allows: Bool) async throws {
        var settings = PhoneSettings()
        settings.microphonePermissionAtFirst = .undetermined
        let bench = AudioBench(settings: settings)
        defer { bench.close() }
        let process = try await bench.open()
        #expect(process.run { AVCaptureDevice.authorizationStatus(for: .audio) } == .notDetermined)
        let answers = Slot<Bool>()
        process.run { AVCaptureDevice.requestAccess(for: .audio) { answers.put($0) } }
        await bench.phone.settle()
        #expect(answers.all == [] && bench.phone.screen.microphonePrompt != nil)
        try bench.phone.user.answerMicrophonePrompt(allows)
        await bench.phone.settle()
        #expect(answers.all == [allows])
        #expect(
            process.run { AVCaptureDevice.authorizationStatus(for: .audio) } == (allows ? .authorized : .denied))
        #expect(process.run { AVAudioApplication.shared.recordPermission } == (allows ? .granted : .denied))
    }

    @Test("There is no camera: it is refused without a question")
    func camera() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let process = try await bench.open()
        #expect(process.run { AVCaptureDevice.authorizationStatus(for: .video) } == .denied)
        let answers = Slot<Bool>()
        process.run { AVCaptureDevice.requestAccess(for: .video) { answers.put($0) } }
        #expect(answers.all == [false])
    }
}
