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

    // MARK: - Calls
    /// How long an incoming call rings before the system ends it; nil before iOS 16 (I6).
    public var ringLimit: Duration? = .seconds(60)
    /// Whether a report above `maximumCallGroups` is refused, with error 0; else it is shown (I8).
    public var refusesReportAboveMaximumGroups = false
    /// Whether grouping above `maximumCallsPerCallGroup` is refused with error 6; else it happens (G5).
    public var refusesGroupAboveMaximum = true
    /// Whether an app without the `voip` background mode is refused and its provider reset (I5).
    public var requiresVoIPBackgroundMode = true
    /// Whether an answer or start action that fails ends the call as failed (A4).
    public var failedAnswerOrStartEndsCall = true
    /// Whether an end action that timed out ends the call; else nothing more happens (T8).
    public var timedOutEndEndsCall = false
    /// Whether requests answer error 2 after a daemon restart, until a new provider exists (P2, T3).
    public var restartForgetsProviders = false
    /// Whether an action waits until the one before it in its transaction is complete (T9).
    public var actionsWaitForEachOther = true
    /// Whether an app that died is launched again for an action on a call it left behind (E4).
    public var relaunchesForCallActions = true

    // MARK: - Action deadlines (T6)
    /// Time to complete a start action.
    public var startActionLimit: Duration = .seconds(600)
    /// Time to complete an answer action.
    public var answerActionLimit: Duration = .seconds(60)
    /// Time to complete any other action.
    public var otherActionLimit: Duration = .seconds(5)

    // MARK: - Audio
    /// Time from the reason to activate to `didActivate` (S1, A1).
    public var audioActivationDelay: Duration = .milliseconds(20)
    /// Whether a session that the app activated before the call keeps the phone from activating it (S1).
    public var appSessionBlocksActivation = true
    /// Time after `didDeactivate` at which running audio becomes a violation (S2, R70).
    public var audioStopLimit: Duration = .milliseconds(500)
    /// Fault: `didActivate` does not come, unless the app set its configuration again before the call (S3).
    public var dropsAudioActivation = false

    /// Makes the defaults.
    public init() {}
}
