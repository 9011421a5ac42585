// SPDX-License-Identifier: MIT

/// What the person who holds the phone does with every call, without being told again.
public enum UserIntention: Hashable, Sendable, Codable {
    /// Answers what rings after this time; during another call as ``User/answer(_:)`` does.
    case answers(after: Duration)
    /// Declines what rings after this time.
    case declines(after: Duration)
    /// Hangs up every call this long after it connected.
    case hangsUp(after: Duration)
    /// Answers what rings after a time, and hangs up a time after it connected.
    case answersAndHangsUp(answerAfter: Duration, hangUpAfter: Duration)
    /// Lets everything ring, and ends nothing.
    case ignores

    /// How long it rings before the person acts on it; nil when the person does not.
    var ringTime: Duration? {
        switch self {
        case .answers(let after), .declines(let after): return after
        case .answersAndHangsUp(let after, _): return after
        case .hangsUp, .ignores: return nil
        }
    }

    /// How long the person talks; nil when the other side has to end the call.
    var talkTime: Duration? {
        switch self {
        case .hangsUp(let after): return after
        case .answersAndHangsUp(_, let after): return after
        case .answers, .declines, .ignores: return nil
        }
    }

    var choice: AnswerChoice {
        if case .declines = self { return .decline }
        return .answer
    }
}
