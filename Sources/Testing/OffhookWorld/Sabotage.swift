// SPDX-License-Identifier: MIT

import OffhookCore

/// A mistake put between the rules and the world, to see that the world finds it out.
public enum Sabotage: String, Hashable, Sendable, CaseIterable {
    /// Reports are left out.
    case dropsReports
    /// Pushes are not completed.
    case dropsPushCompletions
    /// Pushes are completed twice.
    case completesPushesTwice
    /// Actions are not fulfilled.
    case dropsFulfilments
    /// Actions are fulfilled twice.
    case fulfilsTwice
    /// Incoming calls are reported twice.
    case reportsTwice
    /// A session's audio opens as soon as it starts.
    case opensAudioEarly
    /// A call may be without media for ten minutes.
    case waitsTooLong
    /// A hang-up of the other side is told as a missed call.
    case tellsWrongReason
    /// An answer is fulfilled before it is won.
    case fulfilsUnwonAnswers
    /// Declines are not sent.
    case dropsDeclines
    /// An invitation of a call that is over rings.
    case ringsAgain
    /// Results are told twice.
    case finishesTwice
    /// Operations get a minute.
    case finishesLate
    /// Media sessions are not stopped.
    case dropsStops
    /// Losers of a call get media and audio.
    case losersTalk
    /// Ends are reported twice.
    case reportsEndsTwice
    /// Ends are not reported.
    case dropsEndReports
    /// The app is told of ends twice.
    case tellsEndsTwice
    /// The server finishes calls twice.
    case serverFinishesTwice
    /// `tick` is not heard.
    case isDeafToTicks

    /// What it must be caught by.
    public var invariant: Invariant {
        switch self {
        case .dropsReports: .pushReported
        case .dropsPushCompletions, .completesPushesTwice: .pushCompletedOnce
        case .dropsFulfilments, .fulfilsTwice: .actionCompletedOnce
        case .reportsTwice: .oneCallPerID
        case .opensAudioEarly: .audioInWindow
        case .waitsTooLong: .noCallPastDeadline
        case .tellsWrongReason: .sameOutcome
        case .fulfilsUnwonAnswers: .answerKept
        case .dropsDeclines: .declineKept
        case .ringsAgain: .neverRingsAgain
        case .finishesTwice: .oneResultPerOperation
        case .finishesLate: .operationInTime
        case .dropsStops: .mediaReleased
        case .losersTalk: .onlyWinnerTalks
        case .reportsEndsTwice: .callKitObeyed
        case .dropsEndReports: .noPhantomCall
        case .tellsEndsTwice: .endToldOnce
        case .serverFinishesTwice: .serverDecidesOnce
        case .isDeafToTicks: .deadlineMoves
        }
    }

    /// Whether the rules do not hear of an event.
    func swallows(_ event: PhoneMachine.Event) -> Bool {
        self == .isDeafToTicks && event == .tick
    }

    /// The policy that the phones' rules obey.
    func broken(_ policy: CallPolicy) -> CallPolicy {
        var policy = policy
        if self == .waitsTooLong { policy.connect = .seconds(600) }
        if self == .finishesLate { policy.command = .seconds(60) }
        return policy
    }

    /// What the server does instead.
    func broken(_ effects: [BrokerEffect]) -> [BrokerEffect] {
        guard self == .serverFinishesTwice else { return effects }
        return effects.flatMap { $0 == .finished ? [$0, $0] : [$0] }
    }

    /// What the phone does instead.
    func broken(
        _ effects: [PhoneEffect], of event: PhoneMachine.Event, by machine: PhoneMachine
    ) -> [PhoneEffect] {
        switch self {
        case .fulfilsUnwonAnswers:
            guard case .answerPerformed(let action, _) = event, !effects.contains(.fulfil(action)) else {
                return effects
            }
            return effects + [.fulfil(action)]
        case .ringsAgain:
            guard case .pushArrived(_, .invitation(let invitation), _, let spare) = event else { return effects }
            return effects.map { effect in
                guard case .reportIncoming(spare, let details) = effect else { return effect }
                return .reportIncoming(invitation.call, details)
            }
        case .losersTalk:
            if case .answerPerformed(_, let call) = event { return effects + [.startMedia(call, offers: false)] }
            guard case .audioActivated = event else { return effects }
            let losers = machine.calls.filter { $0.direction == .incoming && !$0.hasMedia && !$0.snapshot.hasEnded }
            return effects + losers.map { .setAudioOpen($0.id, true) }
        case .dropsReports, .dropsPushCompletions, .completesPushesTwice, .dropsFulfilments, .fulfilsTwice,
            .reportsTwice, .opensAudioEarly, .waitsTooLong, .tellsWrongReason, .dropsDeclines, .finishesTwice,
            .finishesLate, .dropsStops, .reportsEndsTwice, .dropsEndReports, .tellsEndsTwice, .serverFinishesTwice,
            .isDeafToTicks:
            return effects.flatMap { broken($0) }
        }
    }

    private func broken(_ effect: PhoneEffect) -> [PhoneEffect] {
        switch (self, effect) {
        case (.dropsReports, .reportIncoming), (.dropsPushCompletions, .completePush), (.dropsFulfilments, .fulfil),
            (.dropsDeclines, .send(_, .decline)), (.dropsStops, .stopMedia), (.dropsEndReports, .reportEnded):
            return []
        case (.completesPushesTwice, .completePush), (.fulfilsTwice, .fulfil), (.reportsTwice, .reportIncoming),
            (.finishesTwice, .finish), (.reportsEndsTwice, .reportEnded):
            return [effect, effect]
        case (.tellsEndsTwice, .publish(let call)) where call.hasEnded:
            return [effect, effect]
        case (.opensAudioEarly, .startMedia(let call, _)):
            return [effect, .setAudioOpen(call, true)]
        case (.tellsWrongReason, .publish(var call)) where call.state == .ended(.remoteEnded):
            call.state = .ended(.unanswered)
            return [.publish(call)]
        default:
            return [effect]
        }
    }
}
