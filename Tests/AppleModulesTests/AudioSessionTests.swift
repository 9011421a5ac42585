// SPDX-License-Identifier: MIT

import AVFoundation
import Foundation
import Testing
import VirtualPhone

/// Category, mode, options and activation through Apple's interface, on a whole phone.
@Suite(.timeLimit(.minutes(1)))
struct AudioSessionTests {
    @Test func eachAppProcessHasASessionOfItsOwn() {
        let (one, two) = (TestApp(), TestApp())
        let first = one.process.run { AVAudioSession.sharedInstance() }
        #expect(one.process.run { AVAudioSession.sharedInstance() } === first)
        #expect(two.process.run { AVAudioSession.sharedInstance() } !== first)
        let application = one.process.run { AVAudioApplication.shared }
        #expect(one.process.run { AVAudioApplication.shared } === application)
        #expect(two.process.run { AVAudioApplication.shared } !== application)
        let attachments = one.phone.requests.filter {
            if case .audioSession(.attach) = $0 { true } else { false }
        }
        #expect(attachments.count == 1)
    }

    @Test("V2: options are not sticky; voiceChat implies hands-free, videoChat the speaker too")
    func categories() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let session = try await bench.session()
        #expect(session.category == .soloAmbient && session.mode == .default && session.categoryOptions == [])
        try session.setCategory(.playAndRecord, mode: .default, options: [.duckOthers, .allowBluetoothHFP])
        #expect(session.categoryOptions == [.duckOthers, .mixWithOthers, .allowBluetooth])
        try session.setCategory(.playAndRecord)
        #expect(session.categoryOptions == [])
        try session.setMode(.voiceChat)
        #expect(session.mode == .voiceChat && session.categoryOptions == .allowBluetoothHFP)
        try session.setMode(.videoChat)
        #expect(session.categoryOptions == [.allowBluetoothHFP, .defaultToSpeaker])
        try session.setMode(.default)
        #expect(session.categoryOptions == [])
        #expect(audioError { try session.setCategory(.playback, mode: .voiceChat) } == -50)
        try session.setCategory(.playback, mode: .default, policy: .longFormAudio)
        #expect(session.categoryOptions == [] && session.routeSharingPolicy == .longFormAudio)
        #expect(audioError { try session.setMode(.videoChat) } == -50)
        try session.setCategory(.playAndRecord, options: .defaultToSpeaker)
        #expect(session.mode == .default && session.routeSharingPolicy == .default)
    }

    @Test("V5: ducking and interrupting speech imply mixing, which four categories can")
    func mixing() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let session = try await bench.session()
        for option in [AVAudioSession.CategoryOptions.duckOthers, .interruptSpokenAudioAndMixWithOthers] {
            for category in [AVAudioSession.Category.playAndRecord, .playback, .multiRoute, .ambient] {
                try session.setCategory(category, options: option)
                #expect(session.categoryOptions.isSuperset(of: [option, .mixWithOthers]))
            }
            for category in [AVAudioSession.Category.record, .soloAmbient] {
                #expect(audioError { try session.setCategory(category, options: option) } == -50)
                #expect(audioError { try session.setCategory(category, options: .mixWithOthers) } == -50)
            }
        }
    }

    @Test("V1: with running audio setActive(false) deactivates; before iOS 26 it throws isBusy", arguments: [18, 26])
    func busy(_ major: Int) async throws {
        let bench = AudioBench(system: SystemVersion(major))
        defer { bench.close() }
        let process = try await bench.open()
        let session = process.run { AVAudioSession.sharedInstance() }
        let sound = process.run { SoundIO() }
        try session.setCategory(.playback)
        try session.setActive(true)
        try sound.start(usesInput: false)
        #expect(audioError { try session.setActive(false) } == (major < 26 ? 560_030_580 : nil))
        let state = try #require(bench.phone.audioSession(of: AudioBench.bundle))
        #expect(!state.isActive && !state.isRunning)
        #expect(bench.phone.timeline.entries.contains { $0.rule == "V1" })
        try session.setActive(true)
        #expect(audioError { try session.setActive(false) } == nil)
        #expect(bench.phone.violations.isEmpty)
    }

    @Test("V4: where the Bluetooth options may be used, and from which system on")
    func bluetoothOptions() async throws {
        #expect(AVAudioSession.CategoryOptions.allowBluetooth == .allowBluetoothHFP)
        typealias Options = AVAudioSession.CategoryOptions
        func code(
            _ system: SystemVersion, _ category: AVAudioSession.Category, _ mode: AVAudioSession.Mode,
            _ options: Options
        ) async throws -> Int? {
            let bench = AudioBench(system: system)
            defer { bench.close() }
            let session = try await bench.session()
            return audioError { try session.setCategory(category, mode: mode, options: options) }
        }
        let (old, new) = (SystemVersion(18, 5), SystemVersion(26, 2))
        #expect(try await code(new, .playAndRecord, .default, .bluetoothHighQualityRecording) == nil)
        #expect(try await code(new, .record, .default, [.bluetoothHighQualityRecording, .allowBluetoothHFP]) == nil)
        #expect(try await code(new, .playAndRecord, .voiceChat, .bluetoothHighQualityRecording) == -50)
        #expect(try await code(new, .playback, .default, .bluetoothHighQualityRecording) == -50)
        #expect(try await code(old, .playAndRecord, .default, .bluetoothHighQualityRecording) == -50)
        #expect(try await code(new, .playAndRecord, .default, [.farFieldInput, .allowBluetoothHFP]) == nil)
        #expect(try await code(new, .playAndRecord, .voiceChat, .farFieldInput) == nil)
        #expect(try await code(new, .playAndRecord, .default, .farFieldInput) == -50)
        #expect(try await code(SystemVersion(26, 1), .record, .default, [.farFieldInput, .allowBluetoothHFP]) == -50)
        #expect(try await code(new, .playback, .default, .allowBluetoothHFP) == -50)
        #expect(try await code(new, .playback, .default, .defaultToSpeaker) == -50)
    }

    @Test("V4: an earbud that records in high quality does it from iOS 26 on, at 48 kHz")
    func highQuality() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        bench.phone.connect(.bluetoothHFP(name: "Earbuds", recordsInHighQuality: true, hearsFarField: true))
        let session = try await bench.session()
        try session.setCategory(.playAndRecord, options: .allowBluetoothHFP)
        #expect(session.sampleRate == 16_000)
        var microphone = try #require(session.currentRoute.inputs.first?.bluetoothMicrophoneExtension)
        #expect(microphone.highQualityRecording.isSupported && !microphone.highQualityRecording.isEnabled)
        try session.setCategory(.playAndRecord, options: .bluetoothHighQualityRecording)
        #expect(session.currentRoute.inputs.map(\.portName) == ["Earbuds"] && session.sampleRate == 48_000)
        try session.setCategory(
            .playAndRecord, options: [.bluetoothHighQualityRecording, .allowBluetoothHFP, .farFieldInput])
        microphone = try #require(session.currentRoute.inputs.first?.bluetoothMicrophoneExtension)
        #expect(microphone.highQualityRecording.isEnabled && microphone.farFieldCapture.isEnabled)
        #expect(session.availableInputs?.first?.bluetoothMicrophoneExtension == nil)
    }

    @Test("S4: a refused activation throws Apple's code, in each of the ways to activate")
    func refusals() async {
        let app = TestApp { request in
            request == .readAudioSession
                ? .done : .failure(PhoneError(domain: NSOSStatusErrorDomain, code: 561_017_449))
        }
        let session = app.process.run { AVAudioSession.sharedInstance() }
        #expect(audioError { try session.setActive(true) } == 561_017_449)
        #expect(audioError { try session.setCategory(.record) } == 561_017_449)
        #expect(audioError { try session.overrideOutputAudioPort(.speaker) } == 561_017_449)
        await #expect(throws: (any Error).self) { try await session.activate() }
        let slot = Slot<Bool>()
        session.deactivate { done, error in slot.put(!done && error != nil) }
        #expect(await slot.take())
    }

    @Test("V6: wishes are followed while the session is active, and what cannot be wished is refused")
    func wishes() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let session = try await bench.session()
        try session.setPreferredSampleRate(16_000)
        try session.setPreferredIOBufferDuration(0.001)
        #expect(session.sampleRate == 48_000 && session.preferredSampleRate == 16_000)
        #expect(try await session.activate())
        #expect(session.sampleRate == 16_000 && session.ioBufferDuration == 0.005)
        #expect(try await session.deactivate(options: .notifyOthersOnDeactivation))
        #expect(session.sampleRate == 48_000)
        for rate in [-1, -Double.infinity, .infinity, .nan] {
            #expect(audioError { try session.setPreferredSampleRate(rate) } == -50)
            #expect(audioError { try session.setPreferredIOBufferDuration(rate) } == -50)
        }
        for count in [-1, 9, Int.max, Int.min] {
            #expect(audioError { try session.setPreferredInputNumberOfChannels(count) } == -50)
            #expect(audioError { try session.setPreferredOutputNumberOfChannels(count) } == -50)
        }
        #expect(session.preferredSampleRate == 16_000)
        try session.setPreferredInputNumberOfChannels(1)
        try session.setPreferredOutputNumberOfChannels(2)
        #expect(session.preferredInputNumberOfChannels == 1 && session.preferredOutputNumberOfChannels == 2)
        #expect(session.supportedOutputChannelLayouts.map(\.channelCount) == [1, 2])
    }

    @Test("V7, V8: raw values are Apple's")
    func rawValues() {
        #expect(AVAudioSession.InterruptionType.began.rawValue == 1)
        #expect(AVAudioSession.RouteChangeReason(rawValue: 5) == nil)
        #expect(AVAudioSession.PortOverride.speaker.rawValue == 0x7370_6b72)
        #expect(AVAudioSession.Mode.voiceChat.rawValue == "AVAudioSessionModeVoiceChat")
        #expect(AVAudioSession.CategoryOptions.bluetoothHighQualityRecording.rawValue == 0x80000)
        #expect(AVAudioSession.interruptionNotification.rawValue == "AVAudioSessionInterruptionNotification")
    }

    @Test("Unknown categories, modes and options are refused, and change nothing")
    func unknownNames() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let session = try await bench.session()
        try session.setCategory(.playback)
        for name in ["", "AVAudioSessionCategory", "\u{0}", String(repeating: "x", count: 100_000)] {
            #expect(audioError { try session.setCategory(.init(rawValue: name)) } == -50)
            #expect(audioError { try session.setMode(.init(rawValue: name)) } == -50)
        }
        #expect(audioError { try session.setCategory(.playAndRecord, options: .init(rawValue: .max)) } == -50)
        #expect(audioError { try session.setCategory(.playAndRecord, options: .init(rawValue: 1 << 12)) } == -50)
        #expect(session.category == .playback && session.mode == .default)
        #expect(bench.phone.violations.isEmpty && bench.phone.deaths.isEmpty)
    }

    @Test("Many threads activate and deactivate: the phone stays whole, and the last word counts")
    func manyThreads() async throws {
        let bench = AudioBench()
        defer { bench.close() }
        let session = try await bench.session()
        DispatchQueue.concurrentPerform(iterations: 200) { number in
            _ = audioError { try session.setCategory(number % 3 == 0 ? .playback : .playAndRecord) }
            _ = audioError { try session.setActive(number % 2 == 0) }
            _ = audioError { try session.overrideOutputAudioPort(number % 2 == 0 ? .speaker : .none) }
            _ = session.currentRoute.outputs
        }
        try session.setActive(false)
        await bench.phone.settle()
        #expect(bench.phone.audioSession(of: AudioBench.bundle)?.isActive == false)
        #expect(bench.phone.violations.isEmpty && bench.phone.deaths.isEmpty)
    }
}
