// SPDX-License-Identifier: MIT

extension CallMachine {
    /// Ends the call, once; every way to the end comes through here.
    ///
    /// Media stops, the server is told, CallKit is told in the one way that fits, and an answer that still waits fails.
    /// `signal` is nil when the server knows or need not; `action` when CallKit does not know of the end yet.
    mutating func end(
        _ reason: EndReason, failure: CallFailure? = nil, telling signal: CallSignal? = nil,
        by action: ActionID? = nil, continuing successor: CallID? = nil, at now: Instant
    ) -> [Effect] {
        var effects: [Effect] = []
        var waiting: [ActionID] = []
        switch state {
        case .incoming, .outgoing:
            break
        case .connecting(let connecting):
            if let claim = connecting.claim { waiting = claim.actions } else { effects.append(.stopMedia(id)) }
        case .active, .held:
            effects.append(.stopMedia(id))
        case .ended:
            return action.map { [.fulfil($0)] } ?? []
        }
        state = .ended(End(reason: reason, at: now, failure: failure, continuesAs: successor))
        if let signal { effects.append(.send(id, signal)) }
        if let action {
            standing = .gone
            effects.append(.fulfil(action))
        } else if standing == .told {
            standing = .gone
            effects.append(.reportEnded(id, reason, at: now))
        }
        effects += waiting.map { .fail($0) }
        return effects
    }

    mutating func tick(at now: Instant) -> [Effect] {
        guard let deadline, now >= deadline else { return [] }
        switch state {
        case .incoming:
            return end(.unanswered, at: now)  // the server's own clock tells the caller (race 10)
        case .outgoing(let outgoing):
            guard !outgoing.accepted else { return end(.unanswered, telling: departure(outgoing), at: now) }
            let failure = CallFailure(
                .serverUnreachable, "The server did not take the call in time; check the network and the server URL.")
            return end(.unreachable, failure: failure, telling: .cancel, at: now)
        case .connecting(let connecting):
            let failure =
                connecting.claim == nil
                ? CallFailure(.mediaFailed, "No voice of the other side arrived in time; check the network path.")
                : CallFailure(.serverUnreachable, "The server did not confirm the answer in time.")
            return end(.failed, failure: failure, telling: .hangup(.failed), at: now)
        case .held(let talk):
            return resumeLate(talk, at: now)
        case .active, .ended:
            return []
        }
    }
}
