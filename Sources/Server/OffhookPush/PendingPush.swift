// SPDX-License-Identifier: MIT

import OffhookNet

/// A push that is under way.
final class PendingPush {
    let push: VoIPPush
    let deadline: ContinuousClock.Instant
    var attempts = 0
    var reactions: [PushReaction: Int] = [:]
    var lastFailure = "no connection came up in time"
    private var completion: ((PushOutcome) -> Void)?

    init(_ push: VoIPPush, deadline: ContinuousClock.Instant, completion: @escaping (PushOutcome) -> Void) {
        self.push = push
        self.deadline = deadline
        self.completion = completion
    }

    /// Says the outcome; the second time nothing.
    func finish(_ outcome: PushOutcome) {
        let completion = completion
        self.completion = nil
        completion?(outcome)
    }

    /// Whether the sender still may send the push again after this reaction.
    func mayRetry(after reaction: PushReaction, attemptLimit: Int) -> Bool {
        guard attempts < attemptLimit else { return false }
        let times = reactions[reaction, default: 0]
        reactions[reaction] = times + 1
        switch reaction {
        case .renewProviderToken, .changeConnection, .freezeProviderToken: return times < 1
        case .retrySoon: return times < 2
        case .reconnect: return true
        case .checkToken, .quarantineToken, .deleteToken, .backOffToken, .fixConfiguration, .fixSender,
            .stopCredential, .reportUnknown:
            return false
        }
    }

    /// How long to wait before the next attempt.
    var pause: Duration {
        let attempt = min(attempts, 8)
        return attempt <= 1 ? .zero : .milliseconds(10 << attempt)
    }
}

// Protected by: made by one task and then handed to the sender's loop, whose thread alone touches it.
extension PendingPush: @unchecked Sendable {}
