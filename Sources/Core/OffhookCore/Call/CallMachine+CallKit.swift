// SPDX-License-Identifier: MIT

extension CallMachine {
    mutating func open() -> [Effect] {
        switch state {
        case .incoming:
            guard standing == .untold else { return [] }
            standing = .telling
            return [.reportIncoming(id, details)]
        case .outgoing(var outgoing):
            guard !outgoing.invited else { return [] }
            outgoing.invited = true
            state = .outgoing(outgoing)
            return [.send(id, .invite(to: details.handle, video: details.video))]  // R42: the server first
        case .connecting, .active, .held, .ended:
            return []
        }
    }

    /// The report of an incoming call was answered; what happened meanwhile wins (R34).
    mutating func reported(_ failure: CallFailure?, at now: Instant) -> [Effect] {
        guard standing == .telling, direction == .incoming else { return [] }
        standing = failure == nil ? .told : .gone
        switch state {
        case .incoming:
            guard let failure else { return [.send(id, .ringing)] + payUpdate() }
            return end(.failed, failure: failure, telling: .hangup(.failed), at: now)  // R25: other devices ring on
        case .connecting, .active, .held:
            guard let failure else { return payUpdate() }
            return end(.failed, failure: failure, telling: .hangup(.failed), at: now)
        case .ended(let end):
            guard failure == nil else { return [] }
            standing = .gone
            return [.reportEnded(id, end.reason, at: end.at)]
        case .outgoing:
            return []
        }
    }

    mutating func performStart(_ action: ActionID, at now: Instant) -> [Effect] {
        switch state {
        case .outgoing(var outgoing):
            guard standing == .telling else { return [.fail(action)] }
            standing = .told
            let effects: [Effect] =
                [
                    .configureAudio, .reportStartedConnecting(id, at: now), .fulfil(action),  // O2, O3
                ] + payUpdate()
            guard outgoing.answered else {
                outgoing.until = now + policy.outgoingRing
                state = .outgoing(outgoing)
                return effects
            }
            return effects + connect(signals: outgoing.signals, at: now)
        case .ended:
            if standing == .telling { standing = .gone }
            return [.fail(action)]  // A4: a failed start ends the call in CallKit
        case .incoming, .connecting, .active, .held:
            return [.fail(action)]
        }
    }

    mutating func refuseStart(_ failure: CallFailure, at now: Instant) -> [Effect] {
        guard standing == .telling, direction == .outgoing else { return [] }
        standing = .gone
        switch state {
        case .outgoing(let outgoing):
            return end(.failed, failure: failure, telling: departure(outgoing), at: now)
        case .incoming, .connecting, .active, .held, .ended:
            return []
        }
    }

    mutating func performAnswer(_ action: ActionID, at now: Instant) -> [Effect] {
        switch state {
        case .incoming(let incoming):
            switch policy.answer {
            case .whenServerReady(let budget):
                state = .connecting(
                    Connecting(claim: Claim(action: action), until: now + budget, signals: incoming.signals))
                return [.configureAudio, .connectSignaling, .send(id, .answer)]
            case .immediately:
                state = .connecting(
                    Connecting(claim: Claim(action: nil), until: now + policy.connect, signals: incoming.signals))
                return [.configureAudio, .connectSignaling, .send(id, .answer), .fulfil(action)]
            }
        case .connecting(var connecting):
            // A failed answer would take the call out of CallKit (A4).
            guard direction == .incoming else { return [.fail(action)] }
            guard connecting.claim?.action != nil else { return [.fulfil(action)] }
            connecting.claim?.others.append(action)
            state = .connecting(connecting)
            return []
        case .active, .held:
            return [direction == .incoming ? .fulfil(action) : .fail(action)]
        case .ended:
            if standing != .untold { standing = .gone }  // A4: a failed answer takes the call out of CallKit
            return [.fail(action)]
        case .outgoing:
            return [.fail(action)]
        }
    }

    mutating func performEnd(_ action: ActionID, at now: Instant) -> [Effect] {
        switch state {
        case .incoming:
            return end(.declined, telling: .decline, by: action, at: now)
        case .outgoing(let outgoing):
            return end(.localHangup, telling: departure(outgoing), by: action, at: now)
        case .connecting, .active, .held:
            return end(.localHangup, telling: .hangup(.localHangup), by: action, at: now)
        case .ended:
            if standing != .untold { standing = .gone }
            return [.fulfil(action)]  // R31: hanging up always succeeds
        }
    }

    mutating func endByApp(_ failure: CallFailure?, at now: Instant) -> [Effect] {
        switch state {
        case .incoming:
            return end(.declined, failure: failure, telling: .decline, at: now)
        case .outgoing(let outgoing):
            return end(.localHangup, failure: failure, telling: departure(outgoing), at: now)
        case .connecting, .active, .held:
            return end(.localHangup, failure: failure, telling: .hangup(.localHangup), at: now)
        case .ended:
            return []
        }
    }

    mutating func timeOut(_ action: ActionID, at now: Instant) -> [Effect] {
        switch state {
        case .connecting(var connecting):
            guard let claim = connecting.claim, claim.actions.contains(action) else { return [] }
            connecting.claim = Claim(action: nil, others: claim.actions.filter { $0 != action })
            state = .connecting(connecting)
            let failure = CallFailure(
                .deadlineExceeded, "The answer was not fulfilled in time; set a budget under 60 seconds.")
            return end(.failed, failure: failure, telling: .hangup(.failed), at: now)  // R30
        case .incoming, .outgoing, .active, .held, .ended:
            return []
        }
    }

    /// CallKit dropped the call: no action is answered, nothing is reported (P2).
    mutating func reset(at now: Instant) -> [Effect] {
        standing = .gone
        let failure = CallFailure(.providerReset, "The phone's call service restarted and dropped the call.")
        switch state {
        case .incoming:
            return end(.failed, failure: failure, telling: .hangup(.failed), at: now)
        case .outgoing(let outgoing):
            return end(.failed, failure: failure, telling: departure(outgoing), at: now)
        case .connecting(var connecting):
            if connecting.claim != nil { connecting.claim = Claim(action: nil) }
            state = .connecting(connecting)
            return end(.failed, failure: failure, telling: .hangup(.failed), at: now)
        case .active, .held:
            return end(.failed, failure: failure, telling: .hangup(.failed), at: now)
        case .ended:
            return []
        }
    }

    /// What the server hears when an outgoing call ends here: nothing before it was sent, and not a caller's word when
    /// the call is the other side's.
    func departure(_ outgoing: Outgoing) -> CallSignal? {
        if joins { return .hangup(.localHangup) }
        return outgoing.invited ? .cancel : nil
    }
}
