// SPDX-License-Identifier: MIT

import AVFoundation
import Foundation
import Testing
import VirtualPhone

/// A phone that keeps the session's state, so that the module's own part can be seen.
private func makeApp(refusing code: Int? = nil) -> TestApp {
    let state = Locked(
        AudioSessionValue(
            category: "AVAudioSessionCategorySoloAmbient", mode: "AVAudioSessionModeDefault", options: 0,
            isActive: false, outputPort: "Speaker", inputPort: nil))
    return TestApp { request in
        if let code, request != .readAudioSession {
            return .failure(PhoneError(domain: NSOSStatusErrorDomain, code: code))
        }
        switch request {
        case .readAudioSession: return .audioSession(state.withLock { $0 })
        case .setAudioCategory(let category, let mode, let options):
            state.withLock { state in
                state.category = category
                state.mode = mode
                state.options = options
                let isCall = category.hasSuffix("PlayAndRecord")
                state.outputPort = isCall ? "Receiver" : "Speaker"
                state.inputPort = isCall ? "MicrophoneBuiltIn" : nil
            }
        case .setAudioActive(let active, _): state.withLock { $0.isActive = active }
        case .overrideOutputPort(let port): state.withLock { $0.outputPort = port == 0 ? "Receiver" : "Speaker" }
        default: break
        }
        return .done
    }
}

@Suite struct AudioSessionTests {
    @Test func eachAppProcessHasASessionOfItsOwn() {
        let (one, two) = (makeApp(), makeApp())
        let first = one.process.run { AVAudioSession.sharedInstance() }
        #expect(one.process.run { AVAudioSession.sharedInstance() } === first)
        #expect(two.process.run { AVAudioSession.sharedInstance() } !== first)
        let application = one.process.run { AVAudioApplication.shared }
        #expect(one.process.run { AVAudioApplication.shared } === application)
        #expect(two.process.run { AVAudioApplication.shared } !== application)
    }

    @Test("V2, V5: options are not sticky, and ducking others mixes with them")
    func categories() throws {
        let session = makeApp().process.run { AVAudioSession.sharedInstance() }
        #expect(session.category == .soloAmbient && session.mode == .default && session.categoryOptions == [])
        try session.setCategory(.playAndRecord, mode: .voiceChat, options: [.duckOthers, .allowBluetoothHFP])
        #expect(session.category == .playAndRecord && session.mode == .voiceChat)
        #expect(session.categoryOptions == [.duckOthers, .mixWithOthers, .allowBluetooth])
        try session.setMode(.videoChat)
        #expect(session.mode == .videoChat && session.categoryOptions.contains(.duckOthers))
        try session.setCategory(.playback, mode: .default, policy: .longFormAudio)
        #expect(session.categoryOptions == [] && session.routeSharingPolicy == .longFormAudio)
        try session.setCategory(.playAndRecord, options: .defaultToSpeaker)
        #expect(session.mode == .default && session.routeSharingPolicy == .default)
    }

    @Test("V3, V6: the route follows the category and the override")
    func routes() throws {
        let session = makeApp().process.run { AVAudioSession.sharedInstance() }
        #expect(session.currentRoute.inputs.isEmpty && session.availableInputs?.isEmpty == true)
        #expect(session.inputNumberOfChannels == 0)
        try session.setCategory(.playAndRecord)
        #expect(session.currentRoute.outputs.map(\.portType) == [.builtInReceiver])
        #expect(session.currentRoute.inputs.map(\.portType) == [.builtInMic])
        try session.setPreferredInput(session.availableInputs?.first)
        #expect(session.preferredInput == session.currentRoute.inputs.first)
        try session.overrideOutputAudioPort(.speaker)
        #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
        try session.overrideOutputAudioPort(.none)
        #expect(session.currentRoute.outputs.first?.portName == "Receiver")
        try session.setCategory(.playback)
        #expect(throws: (any Error).self) { try session.setPreferredInput(session.preferredInput) }
    }

    @Test("V8: a changed route is announced with its reason and the route before")
    func routeChanges() async throws {
        let session = makeApp().process.run { AVAudioSession.sharedInstance() }
        let slot = Slot<String>()
        let observer = NotificationCenter.default.addObserver(
            forName: AVAudioSession.routeChangeNotification, object: session, queue: nil
        ) { note in
            let reason = (note.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt)
                .flatMap(AVAudioSession.RouteChangeReason.init(rawValue:))
            let previous =
                note.userInfo?[AVAudioSessionRouteChangePreviousRouteKey] as? AVAudioSessionRouteDescription
            slot.put("\(reason.map { "\($0)" } ?? "-") \(previous?.outputs.first?.portType.rawValue ?? "-")")
        }
        try session.setCategory(.playAndRecord)
        #expect(await slot.take() == "categoryChange Speaker")
        try session.setMode(.voiceChat)
        try session.overrideOutputAudioPort(.speaker)
        #expect(await slot.take() == "override Receiver")
        NotificationCenter.default.removeObserver(observer)
    }

    @Test("S4: a refused activation throws Apple's code")
    func refusals() async {
        let code = AVAudioSession.ErrorCode.insufficientPriority
        let session = makeApp(refusing: code.rawValue).process.run { AVAudioSession.sharedInstance() }
        for attempt in [
            { try session.setActive(true) }, { try session.setCategory(.record) },
            { try session.overrideOutputAudioPort(.speaker) },
        ] {
            do {
                try attempt()
                Issue.record("nothing was thrown")
            } catch let error as NSError {
                #expect(error.domain == NSOSStatusErrorDomain && error.code == 561_017_449)
            }
        }
        await #expect(throws: (any Error).self) { try await session.activate() }
        let slot = Slot<Bool>()
        session.deactivate { done, error in slot.put(!done && error != nil) }
        #expect(await slot.take())
    }

    @Test("V6: wishes are followed while the session is active")
    func wishes() async throws {
        let session = makeApp().process.run { AVAudioSession.sharedInstance() }
        try session.setPreferredSampleRate(16_000)
        try session.setPreferredIOBufferDuration(0.001)
        #expect(session.sampleRate == 48_000 && session.preferredSampleRate == 16_000)
        #expect(try await session.activate())
        #expect(session.sampleRate == 16_000 && session.ioBufferDuration == 0.005)
        #expect(try await session.deactivate(options: .notifyOthersOnDeactivation))
        #expect(session.sampleRate == 48_000)
        #expect(throws: (any Error).self) { try session.setPreferredSampleRate(-.infinity) }
        #expect(throws: (any Error).self) { try session.setPreferredIOBufferDuration(.nan) }
        #expect(throws: (any Error).self) { try session.setPreferredInputNumberOfChannels(9) }
        try session.setPreferredInputNumberOfChannels(1)
        try session.setPreferredOutputNumberOfChannels(2)
        #expect(session.preferredInputNumberOfChannels == 1 && session.preferredOutputNumberOfChannels == 2)
    }

    @Test("V11: muting the input tells observers once")
    func inputMute() throws {
        let application = makeApp().process.run { AVAudioApplication.shared }
        let slot = Slot<Bool>()
        let observer = NotificationCenter.default.addObserver(
            forName: AVAudioApplication.inputMuteStateChangeNotification, object: application, queue: nil
        ) { slot.put($0.userInfo?[AVAudioApplication.muteStateKey] as? Bool ?? false) }
        try application.setInputMuted(true)
        try application.setInputMuted(true)
        #expect(application.isInputMuted && slot.all == [true])
        NotificationCenter.default.removeObserver(observer)
    }

    @Test("V9: the virtual phone's user has granted the microphone")
    func permission() async {
        let app = makeApp()
        #expect(app.process.run { AVAudioApplication.shared.recordPermission } == .granted)
        #expect(await AVAudioApplication.requestRecordPermission())
        let answered = Slot<Bool>()
        app.process.run { AVAudioSession.sharedInstance().requestRecordPermission { answered.put($0) } }
        #expect(answered.all == [true])
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
}
