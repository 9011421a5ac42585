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
        wishes.withLock { $0.allowsHaptics = inValue }
    }
    /// Whether the phone may vibrate and sound while the app records.
    public var allowHapticsAndSystemSoundsDuringRecording: Bool { wishes.withLock { $0.allowsHaptics } }

    /// Asks not to be interrupted by a call that rings in a banner (V10).
    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        wishes.withLock { $0.noSystemAlerts = inValue }
    }
    /// Whether the app asks not to be interrupted by a call that rings in a banner (V10).
    public var prefersNoInterruptionsFromSystemAlerts: Bool { wishes.withLock { $0.noSystemAlerts } }

    /// Asks to be interrupted when the device in use is disconnected.
    public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
        wishes.withLock { $0.interruptionOnDisconnect = inValue }
    }
    /// Whether the app asks to be interrupted when the device in use is disconnected.
    public var prefersInterruptionOnRouteDisconnect: Bool { wishes.withLock { $0.interruptionOnDisconnect } }

    /// Asks for one clock for input and output.
    public func setAggregatedIOPreference(_ inIOType: AVAudioSession.IOType) throws {
        wishes.withLock { $0.ioType = inIOType }
    }

    /// Tells that the app plays sound of several channels.
    public func setSupportsMultichannelContent(_ inValue: Bool) throws {
        wishes.withLock { $0.multichannel = inValue }
    }
    /// Whether the app plays sound of several channels.
    public var supportsMultichannelContent: Bool { wishes.withLock { $0.multichannel } }

    /// How sound is rendered.
    public var renderingMode: AVAudioSession.RenderingMode { .monoStereo }
    /// How spoken prompts should be given.
    public var promptStyle: AVAudioSession.PromptStyle { .normal }

    /// Asks for input without echo outside of calls.
    public func setPrefersEchoCancelledInput(_ value: Bool) throws {
        wishes.withLock { $0.echoCancelled = value }
    }
    /// Whether the app asks for input without echo.
    public var prefersEchoCancelledInput: Bool { wishes.withLock { $0.echoCancelled } }
    /// Whether input is without echo: the virtual phone has no such input.
    public var isEchoCancelledInputEnabled: Bool { false }
    /// Whether input can be without echo: the virtual phone has no such input.
    public var isEchoCancelledInputAvailable: Bool { false }

    /// Mutes the app's output, or ends that; observers are told.
    public func setOutputMuted(_ muted: Bool) throws {
        let changed = wishes.withLock { wishes in
            defer { wishes.outputMuted = muted }
            return wishes.outputMuted != muted
        }
        guard changed else { return }
        NotificationCenter.default.post(
            name: AVAudioSession.outputMuteStateChangeNotification, object: self,
            userInfo: [AVAudioSession.muteStateKey: muted])
    }
    /// Whether the app's output is muted.
    public var isOutputMuted: Bool { wishes.withLock { $0.outputMuted } }

    /// Asks to add speech to the microphone of another app.
    public func setPreferredMicrophoneInjectionMode(_ inValue: AVAudioSession.MicrophoneInjectionMode) throws {
        wishes.withLock { $0.injection = inValue }
    }
    /// What the app asks to add to the microphone of another app.
    public var preferredMicrophoneInjectionMode: AVAudioSession.MicrophoneInjectionMode {
        wishes.withLock { $0.injection }
    }
    /// Whether speech can be added to a microphone: the virtual phone cannot.
    public var isMicrophoneInjectionAvailable: Bool { false }

    /// Whether the app may use the microphone: the virtual phone's user has agreed (V9).
    public var recordPermission: AVAudioSession.RecordPermission { .granted }

    /// Asks the user for the microphone; the virtual phone's user has agreed, so the answer comes at once (V9).
    public func requestRecordPermission(_ response: @escaping (Bool) -> Void) {
        response(true)
    }
}
