// SPDX-License-Identifier: MIT

import Foundation

/// What the phone keeps about an installed app; survives its processes.
struct AppRecord: Hashable, Sendable {
    var app: InstalledApp
    var token: Data?
    /// The token for ordinary notifications.
    var notificationToken: Data?
    var reportFailures = 0
    /// The framework that the app's newest provider belongs to; the phone speaks to the app in its words (L1).
    var framework = CallFramework.callKit
    /// Pushes that a process left unhandled when it died.
    var leftPushes: [LeftPush] = []
    var process: UUID?
    /// What the user wants to continue in the app, until its application object is there (R123).
    var pendingActivity: PendingActivity?
    /// Whether the user lets the app use the microphone (V9).
    var microphone: MicrophonePermission

    init(app: InstalledApp, microphone: MicrophonePermission = .granted) {
        self.app = app
        self.microphone = microphone
    }
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
        /// The conversations as the manager was last told (L2); always empty for CallKit.
        var told: [ConversationValue] = []
    }
    struct HeldDelivery: Hashable, Sendable {
        var number: UInt64
        var event: PhoneEvent
    }
    struct HeldResponse: Hashable, Sendable {
        var notification: NotificationValue
        var action: String
    }
    struct Registry: Hashable, Sendable {
        var id: UUID
        var types: [String]
    }

    var id: UUID
    var bundle: String
    var isForeground: Bool
    /// Frozen: it gets what is delivered, and does what it asked, when it is woken (K11).
    var isSuspended = false
    /// When it is suspended, or its tasks expire; nil in the foreground, with a call, or while suspended.
    var backgroundDeadline: Date?
    /// Its time is over, and it has tasks: when it is terminated.
    var taskLimit: Date?
    var backgroundTasks: Set<Int> = []
    /// The user closed it: it ends when it has heard so.
    var isClosing = false
    /// What it asked while it was suspended.
    var frozenRequests: [AppRequest] = []
    /// The application object knows that it is on the screen.
    var isActive = false
    /// The app whose notification service extension this is.
    var extends: String?
    /// The main function has not returned: deliveries wait for that, so that their order does not depend on luck.
    var isLaunching = true
    var held: [HeldDelivery] = []
    var providers: [Provider] = []
    var registries: [Registry] = []
    var observers: [UUID] = []
    /// The frameworks whose providers the process has made (L1).
    var frameworks: Set<CallFramework> = []
    /// The UIApplication, once there is one.
    var application: UUID?
    /// The UNUserNotificationCenter, once there is one.
    var notificationCenter: UUID?
    /// Whether the center's delegate says what is shown in the foreground.
    var decidesPresentation = false
    /// What the user tapped before there was a center.
    var heldResponses: [HeldResponse] = []
    var audio = AppAudio()
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
    /// When the app said that an incoming conversation connected, before it fulfilled the join action (L2).
    var reportedConnectedAt: Date?
    var members: [MemberValue] = []
    var activeMembers: [MemberValue] = []
    var localMember: MemberValue?
    var includesInRecents = true
    /// Set when the call belongs to no installed app (C1).
    var other: OtherCallKind?
    /// What concerns its place among the phone's other calls.
    var line = CallLine()

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
        if let value = update.members { members = value }
        if let value = update.activeMembers { activeMembers = value }
        if let value = update.localMember { localMember = value }
    }
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

/// Apple's error domains and codes that the phone answers with (I2, T1).
enum PhoneErrors {
    static func incoming(_ code: Int) -> PhoneError {
        PhoneError(domain: "com.apple.CallKit.error.incomingcall", code: code)
    }
    static func request(_ code: Int) -> PhoneError {
        PhoneError(domain: "com.apple.CallKit.error.requesttransaction", code: code)
    }
    static func notificationExtension(_ code: Int) -> PhoneError {
        PhoneError(domain: "com.apple.CallKit.error.notificationserviceextension", code: code)
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
        UUID(high: next(), low: next())
    }

    mutating func data(_ count: Int) -> Data {
        Data((0..<max(0, count)).map { _ in UInt8.random(in: 0...255, using: &self) })
    }
}
