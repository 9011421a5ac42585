// SPDX-License-Identifier: MIT

/// When an answer is fulfilled, seen from the server's word (C1).
public enum AnswerPolicy: Hashable, Sendable, Codable {
    /// The answer is claimed at the server first; without the server's word the call ends as failed after the budget.
    ///
    /// The budget stays well under the 60 s that CallKit grants an answer (T6).
    case whenServerReady(budget: TimeSpan)
    /// The answer is fulfilled at once and claimed meanwhile; the call may still turn out to be lost.
    case immediately
}

/// The times and choices of the call rules.
public struct CallPolicy: Hashable, Sendable, Codable {
    /// When an answer is fulfilled; `whenServerReady` with 10 s unless set.
    public var answer: AnswerPolicy = .whenServerReady(budget: .seconds(10))
    /// How long an incoming call rings at most; the invitation's own end comes first (R33); 45 s unless set.
    public var ring: TimeSpan = .seconds(45)
    /// How long the server may take to accept an outgoing call, and the command to start one (R83); 10 s unless set.
    public var invite: TimeSpan = .seconds(10)
    /// How long an outgoing call rings when the server does not end it; 90 s unless set.
    public var outgoingRing: TimeSpan = .seconds(90)
    /// How long an answered call may be without remote media; 30 s unless set.
    public var connect: TimeSpan = .seconds(30)
    /// How long any other command of the app may take (R83); 4 s unless set.
    public var command: TimeSpan = .seconds(4)

    /// How long a call that was taken off hold may wait for the audio session, before it is asked for once more, and
    /// again before the call goes back on hold (P33); 2 s unless set.
    public var resume: TimeSpan = .seconds(2)
    /// How long after an outgoing call was reported connected an unmute is the system's and not the user's (P38);
    /// 1 s unless set.
    public var unmuteGrace: TimeSpan = .seconds(1)

    /// How many calls and groups of calls may live at once (CXProviderConfiguration.maximumCallGroups); with 1 a second
    /// call is busy (R19, C9); 1 unless set.
    public var maximumCallGroups = 1
    /// How many calls one group may have (CXProviderConfiguration.maximumCallsPerCallGroup); 1 unless set, which
    /// offers no merging.
    public var maximumCallsPerCallGroup = 1
    /// Whether the media engine sends DTMF (R50); set by the shell from the engine's capabilities.
    public var canPlayTones = false
    /// Whether the media engine carries video; set by the shell from the engine's capabilities.
    public var canShowVideo = false
    /// Whether the provider offers translation (CXProviderConfiguration.supportsAudioTranslation, R118).
    public var canTranslate = false
    /// Whether answered calls are donated to the system for its suggestions (R125); true unless set.
    public var donatesCalls = true

    /// Makes the default policy.
    public init() {}
}
