// SPDX-License-Identifier: MIT

/// When an answer is fulfilled, seen from the server's word (C1).
public enum AnswerPolicy: Hashable, Sendable, Codable {
    /// The answer is claimed at the server first; without the server's word the call ends as failed after the budget.
    ///
    /// The budget stays well under the 60 s that CallKit grants an answer (T6).
    case whenServerReady(budget: Duration)
    /// The answer is fulfilled at once and claimed meanwhile; the call may still turn out to be lost.
    case immediately
}

/// The times and choices of the call rules.
public struct CallPolicy: Hashable, Sendable, Codable {
    /// When an answer is fulfilled; `whenServerReady` with 10 s unless set.
    public var answer: AnswerPolicy = .whenServerReady(budget: .seconds(10))
    /// How long an incoming call rings at most; the invitation's own end comes first (R33); 45 s unless set.
    public var ring: Duration = .seconds(45)
    /// How long the server may take to accept an outgoing call (R83); 10 s unless set.
    public var invite: Duration = .seconds(10)
    /// How long an outgoing call rings when the server does not end it; 90 s unless set.
    public var outgoingRing: Duration = .seconds(90)
    /// How long an answered call may be without remote media; 30 s unless set.
    public var connect: Duration = .seconds(30)
    /// How long an app's command to end, mute or hold may take (R83); 5 s unless set.
    public var command: Duration = .seconds(5)

    /// Makes the default policy.
    public init() {}
}
