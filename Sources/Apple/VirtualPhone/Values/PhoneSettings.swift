// SPDX-License-Identifier: MIT

/// What the phone does where Apple's documents leave a question: every rule below confidence H, with its default.
///
/// Somebody with a better fact changes the value; docs/rules.md has the evidence.
public struct PhoneSettings: Hashable, Sendable, Codable {
    // MARK: - Pushes
    /// Reporting failures after which VoIP pushes are dropped; reinstalling the app cures (K9).
    public var reportFailureLimit = 4
    /// Age from which `mustReport` is false (K8).
    public var pushMaximumAge: Duration = .seconds(30)
    /// Time from delivery to check 2 (K4).
    public var secondCheckDelay: Duration = .seconds(7)
    /// Time after delivery at which a push without completion call becomes a violation (R57).
    public var pushCompletionLimit: Duration = .seconds(30)
    /// Whether a push that a dying app left unhandled comes again at its next launch.
    public var redeliversUnhandledPushes = true
    /// Whether a report that fails counts as a report, for every error (K6; Do Not Disturb: M).
    public var failedReportCounts = true
    /// Whether a call that only rings makes a report unnecessary, as a call that goes on does (K7).
    public var ringingCountsAsOnCall = true
    /// Length of a push token in bytes.
    public var pushTokenLength = 32
    /// How many pushes of an app APNs stores while the phone cannot be reached; newer ones replace older ones (K10).
    public var pushesStoredOffline = 1
    /// How long APNs still tries a push that is past its expiration, 0 included (K10, P20).
    public var expiredPushLateness: Duration = .seconds(30)
    /// Whether apps are launched for pushes before the first unlock after a start (DTS6).
    public var launchesBeforeFirstUnlock = false
    /// How many pushes are kept until that unlock, for all apps together; the rest is dropped (DTS6).
    public var pushesKeptUntilFirstUnlock = 3

    // MARK: - The app's life
    /// Time in the background without a call until the app is suspended; a push or a call action gives it anew (K11).
    public var backgroundTime: Duration = .seconds(30)
    /// Time from the expiry of background tasks to the end of an app that has not ended them (K11).
    public var expiredTaskLimit: Duration = .seconds(5)
    /// Whether audio of an app without the `audio` background mode stops in the background (R2).
    public var backgroundAudioNeedsMode = true
    /// Whether using CallKit or PushKit in mainland China is a violation (R132, P47).
    public var forbidsCallKitInChina = true
    /// Time that a notification service extension has for a notification (K12).
    public var notificationExtensionLimit: Duration = .seconds(30)

    // MARK: - Calls
    /// How long an incoming call rings before the system ends it; by itself 60 s from iOS 16 on, no limit before (I6).
    public var ringLimit: RingLimit = .bySystem
    /// Whether a report above `maximumCallGroups` is refused, with error 0; else it is shown (I8).
    public var refusesReportAboveMaximumGroups = false
    /// What becomes of a grouping above `maximumCallsPerCallGroup` (G5).
    public var groupAboveMaximum = GroupAboveMaximum.refused
    /// Whether a call is reported and changed through its own provider alone, while that lives (P16).
    public var callsBelongToTheirProvider = true
    /// Whether the newest provider of a process gets what belongs to none of them, such as starts; else the oldest
    /// (P15).
    public var newestProviderTakesOver = true
    /// Whether calls that ring count for `maximumCallGroups` (T5).
    public var ringingCallsCount = true
    /// Whether calls that a dead process left behind count for `maximumCallGroups` (T5).
    public var leftOverCallsCount = true
    /// How long an ended call counts for `maximumCallGroups`, and keeps its UUID from being used again (P39, I3).
    public var endedCallLingers: Duration = .zero
    /// Whether outgoing calls can be held before `reportCall(with:updated:)` says so (O4).
    public var outgoingCallsCanBeHeld = false
    /// Whether an app without the `voip` background mode is refused and its provider reset (I5).
    public var requiresVoIPBackgroundMode = true
    /// Whether an answer or start action that fails ends the call as failed (A4).
    public var failedAnswerOrStartEndsCall = true
    /// Whether an answer or start action that timed out ends the call, through an end action (A3, T8).
    public var timedOutAnswerOrStartEndsCall = true
    /// Whether an action without a method in the delegate fails at once; else it waits for its deadline (T11).
    public var unimplementedActionFails = true
    /// Whether an end action that timed out ends the call; else nothing more happens (T8).
    public var timedOutEndEndsCall = false
    /// Whether requests answer error 2 after a daemon restart, until a new provider exists (P2, T3).
    public var restartForgetsProviders = false
    /// Whether a daemon restart answers what a slow or silent daemon had not, with error 0 (P2).
    public var restartAnswersKeptRequests = true
    /// The checks of a request, in order; the first that fails gives the error (T2).
    public var requestChecks: [RequestCheck] = RequestCheck.allCases
    /// Whether a start is checked for error 7 before error 5 (T2).
    public var checksGroupsBeforeIdentity = false
    /// The error of a request about a call of another app (T4).
    public var codeForCallsOfOthers = 4
    /// Whether an action waits until the one before it in its transaction is complete (T9).
    public var actionsWaitForEachOther = true
    /// Whether an app that died is launched again for an action on a call it left behind (E4).
    public var relaunchesForCallActions = true

    // MARK: - Several calls
    /// Whether a call that an app makes active has the phone hold the active one before, or end the one that cannot
    /// be held; else both are active (G2, G4).
    public var makesRoomForActiveCall = true
    /// Whether an app's grouping is refused with error 6 when a call does not support it; the system's own screen
    /// never offers it then (G5).
    public var refusesUnsupportedGroup = true
    /// Quirk: a muted outgoing call is unmuted by the system when it is reported connected (P38).
    public var unmutesOnConnect = false

    // MARK: - Callers
    /// How addresses are compared with contacts, blocked callers, and the exceptions of Do Not Disturb (I4, R24).
    public var handleMatching: HandleMatching = .normalized
    /// Which answered calls bring their app to the screen of an unlocked phone, or at the unlock after (R75, P55).
    public var answerOpensApp: AnswerOpensApp = .video
    /// How long an activity, such as a tap in Recents, waits for the app's application object before the phone
    /// complains (R123).
    public var activityLimit: Duration = .seconds(10)

    // MARK: - Action deadlines (T6)
    /// Time to complete a start action.
    public var startActionLimit: Duration = .seconds(600)
    /// Time to complete an answer action.
    public var answerActionLimit: Duration = .seconds(60)
    /// Time to complete any other action.
    public var otherActionLimit: Duration = .seconds(5)

    // MARK: - Audio
    /// Whether the session is activated when an answer or a start begins, before the app fulfills it (A2).
    public var activatesAudioBeforeFulfill = false
    /// Time from the reason to activate to `didActivate` (S1, A1).
    public var audioActivationDelay: Duration = .milliseconds(20)
    /// Whether a session that the app activated before the call keeps the phone from activating it (S1).
    public var appSessionBlocksActivation = true
    /// Time after `didDeactivate` at which running audio becomes a violation (S2, R70).
    public var audioStopLimit: Duration = .milliseconds(500)
    /// Whether the end of one of two active calls takes the session from the other one too (S2).
    public var endOfOneCallSilencesOther = false
    /// Whether an option or mode that does not fit the category is refused with `badParam` (V4, V5).
    public var refusesUnfittingAudioOptions = true
    /// Whether an answer on the phone's own screen sends the call to the phone, past a Bluetooth headset (P34).
    public var callFollowsAnsweringDevice = true
    /// Whether interrupted apps are told that they may go on when a call or its ringing is over (V7).
    public var resumesAfterCalls = true

    // MARK: - Microphone (V9)
    /// What the user has said about the microphone before an app is installed; `granted` is a user who has agreed.
    public var microphonePermissionAtFirst = MicrophonePermission.granted
    /// The user's answer to every question for the microphone; nil: a test answers with `user`.
    public var microphonePromptAnswer: Bool?

    // MARK: - Memory
    /// How many lines the timeline keeps, at most; the oldest go first, and `Timeline.dropped` counts them.
    public var timelineLimit = 200_000
    /// How many violations are kept, and how many warnings: the first ones.
    public var violationsLimit = 10_000
    /// How many calls Recents keep, at most.
    public var recentsLimit = 10_000
    /// How many deaths, opened URLs, and of each app donations and shown notifications are kept: the newest.
    public var recordsLimit = 10_000

    // MARK: - Call Directory
    /// Caller identification and blocking (D1-D11, I9).
    public var directory = DirectorySettings()

    /// Makes the defaults.
    public init() {}
}

extension PhoneSettings {
    /// A check of a requested transaction; all of them, in the default order (T2).
    public enum RequestCheck: String, Hashable, Sendable, Codable, CaseIterable {
        /// It has an action, else 3.
        case isNotEmpty
        /// The daemon knows a provider of the app, else 2 (T3).
        case providerIsKnown
        /// The app may make calls, else 1 (I5).
        case appIsEntitled
        /// Its actions are actions for calls, each once, none of them on its way already, else 6.
        case actionsAreValid
        /// Its calls are known, or for a start not known and not too many; else 4, 5 or 7 (T4, T5).
        case callsFit
    }

    /// What becomes of a grouping above `maximumCallsPerCallGroup` (G5).
    public enum GroupAboveMaximum: String, Hashable, Sendable, Codable {
        /// The request is refused with error 6.
        case refused
        /// The request is accepted, and the action fails without being performed.
        case failed
        /// It happens.
        case allowed
    }
}
