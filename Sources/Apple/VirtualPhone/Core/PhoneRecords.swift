// SPDX-License-Identifier: MIT

import Foundation

/// What the phone keeps about an installed app; survives its processes.
struct AppRecord: Hashable, Sendable {
    var app: InstalledApp
    var token: Data?
    var reportFailures = 0
    /// Pushes that a process left unhandled when it died.
    var leftPushes: [LeftPush] = []
    var process: UUID?
}

/// A push that waits for the next process of its app.
struct LeftPush: Hashable, Sendable {
    var id: UUID
    var payload: Data
    var sentAt: Date
}

/// What the phone keeps about a running process.
struct ProcessRecord: Hashable, Sendable {
    struct Provider: Hashable, Sendable {
        var id: UUID
        var configuration: ProviderConfigurationValue
        var hasDelegate = false
        var hasBegun = false
        /// The configuration was set again since the last activation: the workaround for S3.
        var isFreshlyConfigured = false
        /// Forgotten by the daemon: requests answer error 2 (T3).
        var isForgotten = false
    }
    struct HeldDelivery: Hashable, Sendable {
        var number: UInt64
        var event: PhoneEvent
    }
    struct Registry: Hashable, Sendable {
        var id: UUID
        var types: [String]
    }

    var id: UUID
    var bundle: String
    var isForeground: Bool
    /// The main function has not returned: deliveries wait for that, so that their order does not depend on luck.
    var isLaunching = true
    var held: [HeldDelivery] = []
    var providers: [Provider] = []
    var registries: [Registry] = []
    var observers: [UUID] = []
    var audio = AppAudio()
}

/// The process's side of the audio session.
struct AppAudio: Hashable, Sendable {
    var category = AudioNames.soloAmbient
    var mode = AudioNames.defaultMode
    var options: UInt = 0
    var portOverride: UInt = 0
    /// The app itself activated its session.
    var isActiveByApp = false
    /// The app's audio input or output runs.
    var isRunning = false
}

/// What the phone keeps about a live call.
struct CallRecord: Hashable, Sendable {
    var uuid: UUID
    var bundle: String
    var provider: UUID
    var isOutgoing: Bool
    var phase: PhoneCall.Phase
    var handle: HandleValue?
    var name: String?
    var hasVideo = false
    var supportsHolding = false
    var supportsGrouping = false
    var supportsUngrouping = false
    var supportsDTMF = false
    var isEnding = false
    var isOnHold = false
    var isMuted = false
    var isSilenced = false
    var wasDeclined = false
    var hasStartedConnecting = false
    var group: UUID
    var createdAt: Date
    var ringDeadline: Date?
    var connectedAt: Date?
    var includesInRecents = true

    /// Whether the call wants the call session active: the app has accepted it, and it is not held (S2).
    var wantsAudio: Bool {
        guard !isOnHold else { return false }
        switch phase {
        case .started, .connected: return true
        case .ringing, .answering, .dialing: return false
        }
    }

    var value: CallValue {
        CallValue(
            uuid: uuid, isOutgoing: isOutgoing, isOnHold: isOnHold, hasConnected: connectedAt != nil, hasEnded: false)
    }

    mutating func merge(_ update: CallUpdateValue) {
        // I7: a field that is not set changes nothing.
        if let value = update.remoteHandle { handle = value }
        if let value = update.localizedCallerName { name = value }
        if let value = update.hasVideo { hasVideo = value }
        if let value = update.supportsHolding { supportsHolding = value }
        if let value = update.supportsGrouping { supportsGrouping = value }
        if let value = update.supportsUngrouping { supportsUngrouping = value }
        if let value = update.supportsDTMF { supportsDTMF = value }
    }
}

/// A transaction that is not complete yet.
struct TransactionRecord: Hashable, Sendable {
    enum Stage: Hashable, Sendable {
        /// Not yet offered: the request's completion has not returned, or no provider with a delegate is there.
        case waiting
        /// Offered to provider(_:execute:) (T9).
        case offered
        /// The delegate completes every action itself (T9).
        case handledByDelegate
        /// The perform methods are called one after the other (T9).
        case performing
    }
    struct Action: Hashable, Sendable {
        enum State: Hashable, Sendable {
            case waiting, performing, complete
        }
        var value: ActionValue
        var state: State = .waiting
    }

    var uuid: UUID
    var bundle: String
    var origin: Timeline.Actor
    var actions: [Action]
    var stage: Stage = .waiting
    /// The request's completion is being delivered: nothing is performed before it has returned (O1).
    var awaitsCompletion = false
    /// Who performs it, once offered.
    var provider: UUID?

    var isComplete: Bool { actions.allSatisfy { $0.state == .complete } }
}

/// A VoIP push on its way through the app.
struct PushRecord: Hashable, Sendable {
    var id: UUID
    var bundle: String
    var payload: Data
    var sentAt: Date
    var mustReport: Bool
    var process: UUID
    var registry: UUID?
    var wasReported = false
    var hasReturned = false
    var isCompleted = false
    /// nil once check 2 is done.
    var secondCheck: Date?
    /// nil once completed or complained about.
    var completionLimit: Date?
    var wasHandled = true
}

/// The call session, owned by the phone (S1).
struct CallAudio: Hashable, Sendable {
    struct Owner: Hashable, Sendable {
        var process: UUID
        var provider: UUID
    }
    /// The provider between didActivate and didDeactivate.
    var active: Owner?
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
    static let soloAmbient = "AVAudioSessionCategorySoloAmbient"
    static let playAndRecord = "AVAudioSessionCategoryPlayAndRecord"
    static let record = "AVAudioSessionCategoryRecord"
    static let defaultMode = "AVAudioSessionModeDefault"
    static let videoChat = "AVAudioSessionModeVideoChat"
    static let errorDomain = "NSOSStatusErrorDomain"
    static let insufficientPriority = 561_017_449
    static let cannotStart = 561_145_187
    static let speakerOverride: UInt = 0x7370_6b72
    static let defaultToSpeaker: UInt = 0x8
}

/// Apple's error domains and codes that the phone answers with (I2, T1).
enum PhoneErrors {
    static func incoming(_ code: Int) -> PhoneError {
        PhoneError(domain: "com.apple.CallKit.error.incomingcall", code: code)
    }
    static func request(_ code: Int) -> PhoneError {
        PhoneError(domain: "com.apple.CallKit.error.requesttransaction", code: code)
    }
    /// CXErrorCode.missingVoIPBackgroundMode (R1).
    static let missingVoIPMode = PhoneError(domain: "com.apple.CallKit.error", code: 3)
}

/// SplitMix64: the phone's only source of identities and tokens, so that a seed gives the same phone again.
struct SeededGenerator: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func uuid() -> UUID {
        let bytes = (0..<16).map { _ in UInt8.random(in: 0...255, using: &self) }
        return UUID(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], (bytes[6] & 0x0F) | 0x40, bytes[7],
                (bytes[8] & 0x3F) | 0x80, bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            ))
    }

    mutating func data(_ count: Int) -> Data {
        Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &self) })
    }
}
