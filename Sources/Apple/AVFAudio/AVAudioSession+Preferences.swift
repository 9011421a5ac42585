// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

extension AVAudioSession {
    /// The categories that the phone has.
    public var availableCategories: [AVAudioSession.Category] {
        [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]
    }
    /// The modes that the category can have.
    public var availableModes: [AVAudioSession.Mode] {
        let always: [Mode] = [.default, .measurement, .moviePlayback, .spokenAudio]
        return category == .playAndRecord
            ? always + [.voiceChat, .gameChat, .videoRecording, .videoChat, .voicePrompt] : always
    }

    /// Allows the phone to vibrate and sound while the app records.
    public func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
        try prefer(.hapticsDuringRecording(inValue))
    }
    /// Whether the phone may vibrate and sound while the app records.
    public var allowHapticsAndSystemSoundsDuringRecording: Bool { phoneState.preferences.hapticsDuringRecording }

    /// Asks not to be interrupted by a call that rings in a banner (V10).
    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        try prefer(.noInterruptionsFromSystemAlerts(inValue))
    }
    /// Whether the app asks not to be interrupted by a call that rings in a banner (V10).
    public var prefersNoInterruptionsFromSystemAlerts: Bool { phoneState.preferences.noInterruptionsFromSystemAlerts }

    /// Asks to be interrupted when the device in use is disconnected.
    public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
        try prefer(.interruptionOnRouteDisconnect(inValue))
    }
    /// Whether the app asks to be interrupted when the device in use is disconnected.
    public var prefersInterruptionOnRouteDisconnect: Bool { phoneState.preferences.interruptionOnRouteDisconnect }

    /// Asks for one clock for input and output.
    public func setAggregatedIOPreference(_ inIOType: AVAudioSession.IOType) throws {
        try prefer(.ioType(inIOType.rawValue))
    }

    /// Tells that the app plays sound of several channels.
    public func setSupportsMultichannelContent(_ inValue: Bool) throws {
        try prefer(.multichannelContent(inValue))
    }
    /// Whether the app plays sound of several channels.
    public var supportsMultichannelContent: Bool { phoneState.preferences.multichannelContent }

    /// How sound is rendered.
    public var renderingMode: AVAudioSession.RenderingMode { .monoStereo }
    /// How spoken prompts should be given.
    public var promptStyle: AVAudioSession.PromptStyle { .normal }

    /// Asks for input without echo outside of calls.
    public func setPrefersEchoCancelledInput(_ value: Bool) throws {
        try prefer(.echoCancelledInput(value))
    }
    /// Whether the app asks for input without echo.
    public var prefersEchoCancelledInput: Bool { phoneState.preferences.echoCancelledInput }
    /// Whether input is without echo: the virtual phone has no such input.
    public var isEchoCancelledInputEnabled: Bool { false }
    /// Whether input can be without echo: the virtual phone has no such input.
    public var isEchoCancelledInputAvailable: Bool { false }

    /// Mutes the app's output, or ends that; observers are told.
    public func setOutputMuted(_ muted: Bool) throws {
        try prefer(.outputMuted(muted))
    }
    /// Whether the app's output is muted.
    public var isOutputMuted: Bool { phoneState.preferences.outputMuted }

    /// Asks to add speech to the microphone of another app.
    public func setPreferredMicrophoneInjectionMode(_ inValue: AVAudioSession.MicrophoneInjectionMode) throws {
        try prefer(.microphoneInjection(inValue.rawValue))
    }
    /// What the app asks to add to the microphone of another app.
    public var preferredMicrophoneInjectionMode: AVAudioSession.MicrophoneInjectionMode {
        .init(rawValue: phoneState.preferences.microphoneInjection) ?? .none
    }
    /// Whether speech can be added to a microphone: the virtual phone cannot.
    public var isMicrophoneInjectionAvailable: Bool { false }

    /// Whether the app may use the microphone (V9).
    public var recordPermission: AVAudioSession.RecordPermission {
        switch phoneState.permission {
        case .undetermined: return .undetermined
        case .denied: return .denied
        case .granted: return .granted
        }
    }

    /// Asks the user for the microphone; the answer comes at once when it was given before (V9).
    public func requestRecordPermission(_ response: @escaping (Bool) -> Void) {
        let response = Response(response)
        requestPermission { response.answer($0) }
    }

    /// How sound can be laid out on the output's channels: mono or stereo.
    public var supportedOutputChannelLayouts: [AVAudioChannelLayout] {
        (1...maximumOutputNumberOfChannels).compactMap { channels in
            AVAudioChannelLayout(layoutTag: AVAudioChannelLayout.discrete(channels))
        }
    }
}

/// A closure of the app's that is called once.
private final class Response {
    private let closure: (Bool) -> Void

    init(_ closure: @escaping (Bool) -> Void) {
        self.closure = closure
    }

    func answer(_ granted: Bool) { closure(granted) }
}

// Apple's deprecated declaration has no @Sendable; the closure is called once, on the session's serial queue.
extension Response: @unchecked Sendable {}
