// SPDX-License-Identifier: MIT

import Foundation

/// The process's side of the audio session.
struct AppAudio: Hashable, Sendable {
    /// Who takes events, once the app uses its session.
    var session: UUID?
    /// Who takes events on the main queue.
    var main: UUID?
    var category = AudioNames.soloAmbient
    var mode = AudioNames.defaultMode
    /// The options that the app gave, with those that they imply (V5), without those of the mode (V2).
    var options: UInt = 0
    var policy: UInt = 0
    var portOverride: UInt = 0
    var preferences = AudioPreferencesValue()
    /// The app itself activated its session.
    var isActiveByApp = false
    /// What interrupts the session now (V7).
    var interruption: SoundState.Interruption?
    /// The app's audio that runs; true: with the microphone.
    var running: [UUID: Bool] = [:]
    var isInputMuted = false
    /// The media daemon restarted, and the app has not set its category since (R53).
    var wasReset = false
    /// The route that the app knows.
    var knownRoute: AudioRouteValue?
    /// The inputs that the app knows.
    var knownInputs: [AudioPortValue] = []

    /// The app's audio input or output runs.
    var isRunning: Bool { !running.isEmpty }

    /// V2: the options in force.
    var effectiveOptions: UInt {
        switch mode {
        case AudioNames.voiceChat: return options | AudioNames.allowHFP
        case AudioNames.videoChat: return options | AudioNames.allowHFP | AudioNames.defaultToSpeaker
        default: return options
        }
    }

    func has(_ option: UInt) -> Bool { effectiveOptions & option != 0 }

    var hasInput: Bool { AudioNames.inputCategories.contains(category) }

    /// V5: whether the session sounds together with others.
    var isMixable: Bool { category == AudioNames.ambient || has(AudioNames.mixWithOthers) }
}

/// The phone's sound, apart from the call session: devices, interruptions, questions.
struct SoundState: Hashable, Sendable {
    /// Who interrupts sessions (V7).
    enum Interruption: Hashable, Sendable {
        case external(AudioInterrupter)
        /// A call of the device rings (V10).
        case ringing(UUID)
        /// A call of the device was accepted.
        case call(UUID)
        /// Another app activated a session that does not mix.
        case app(String)
        /// The device in use was disconnected.
        case disconnected
        /// The app was suspended.
        case suspended
    }
    struct PermissionRequest: Hashable, Sendable {
        var process: UUID
        var bundle: String
        /// nil: the phone asks because the microphone was used.
        var request: UUID?
    }

    /// The connected devices; the last one came last.
    var devices: [AudioDevice] = []
    /// What the user chose for the calls that go on (R51, P34).
    var choice: AudioRouteChoice?
    /// The device whose button the user is answering with.
    var answering: AudioDevice?
    /// Something outside of apps and calls that has the sound.
    var external: AudioInterrupter?
    /// The calls that interrupt others.
    var interruptingCalls: Set<Interruption> = []
    /// Questions for the microphone; the first one is on the screen.
    var permissionRequests: [PermissionRequest] = []
}

/// The call session, owned by the phone (S1).
struct CallAudio: Hashable, Sendable {
    struct Owner: Hashable, Sendable {
        var process: UUID
        var provider: UUID
    }
    /// The provider between didActivate and didDeactivate.
    var active: Owner?
    /// How many calls of the active provider use the session.
    var activeCalls = 0
    /// The provider to be activated next, and when.
    var pending: Owner?
    var activationDate: Date?
    /// The provider whose activation was kept from it, so that it is not tried again and again.
    var blocked: Owner?
    /// Processes whose audio must have stopped, and when.
    var stopLimits: [UUID: Date] = [:]
}

/// Names of Apple's audio values that the phone needs.
enum AudioNames {
    static let ambient = "AVAudioSessionCategoryAmbient"
    static let soloAmbient = "AVAudioSessionCategorySoloAmbient"
    static let playback = "AVAudioSessionCategoryPlayback"
    static let record = "AVAudioSessionCategoryRecord"
    static let playAndRecord = "AVAudioSessionCategoryPlayAndRecord"
    static let multiRoute = "AVAudioSessionCategoryMultiRoute"
    static let audioProcessing = "AVAudioSessionCategoryAudioProcessing"
    static let categories: Set<String> = [
        ambient, soloAmbient, playback, record, playAndRecord, multiRoute, audioProcessing,
    ]
    static let inputCategories: Set<String> = [record, playAndRecord, multiRoute]

    static let defaultMode = "AVAudioSessionModeDefault"
    static let voiceChat = "AVAudioSessionModeVoiceChat"
    static let videoChat = "AVAudioSessionModeVideoChat"
    static let gameChat = "AVAudioSessionModeGameChat"
    static let moviePlayback = "AVAudioSessionModeMoviePlayback"
    static let modes: Set<String> = [
        defaultMode, voiceChat, videoChat, gameChat, moviePlayback, "AVAudioSessionModeVideoRecording",
        "AVAudioSessionModeMeasurement", "AVAudioSessionModeSpokenAudio", "AVAudioSessionModeVoicePrompt",
        "AVAudioSessionModeShortFormVideo", "AVAudioSessionModeDualRoute",
    ]

    static let mixWithOthers: UInt = 0x1
    static let duckOthers: UInt = 0x2
    static let allowHFP: UInt = 0x4
    static let defaultToSpeaker: UInt = 0x8
    static let interruptSpokenAudio: UInt = 0x10
    static let allowA2DP: UInt = 0x20
    static let allowAirPlay: UInt = 0x40
    static let overrideMutedMicrophone: UInt = 0x80
    static let farFieldInput: UInt = 1 << 18
    static let highQualityRecording: UInt = 1 << 19
    static let allOptions: UInt = 0xFF | farFieldInput | highQualityRecording
    static let speakerOverride: UInt = 0x7370_6b72
    static let notifyOthers: UInt = 1

    static let receiver = AudioPortValue(type: "Receiver", name: "Receiver", uid: "Built-In Receiver")
    static let speaker = AudioPortValue(type: "Speaker", name: "Speaker", uid: "Speaker")
    static let microphone = AudioPortValue(
        type: "MicrophoneBuiltIn", name: "iPhone Microphone", uid: "Built-In Microphone")

    static let errorDomain = "NSOSStatusErrorDomain"
    static let badParam = -50
    static let isBusy = 560_030_580
    static let cannotInterruptOthers = 560_557_684
    static let siriIsRecording = 1_936_290_409
    static let insufficientPriority = 561_017_449
    static let cannotStart = 561_145_187

    static func failure(_ code: Int) -> AppReply { .failure(PhoneError(domain: errorDomain, code: code)) }
}

/// Raw values of AVAudioSession.RouteChangeReason (V8).
enum RouteReason: UInt {
    case unknown = 0
    case newDevice = 1
    case oldDevice = 2
    case category = 3
    case override = 4
    case configuration = 8
}

/// Raw values of AVAudioSession.InterruptionReason (V7).
enum InterruptionReason: UInt {
    case `default` = 0
    case appWasSuspended = 1
    case microphoneMuted = 2
    case routeDisconnected = 4
}
