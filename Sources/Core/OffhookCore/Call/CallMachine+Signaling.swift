// SPDX-License-Identifier: MIT

extension CallMachine {
    /// How many early signals of one call are kept (race 18).
    static let earlySignals = 64

    mutating func acceptInvite(at now: Instant) -> [Effect] {
        switch state {
        case .outgoing(var outgoing):
            guard outgoing.invited, !outgoing.accepted else { return [] }
            outgoing.accepted = true
            state = .outgoing(outgoing)
            guard standing == .untold else { return [] }
            standing = .telling
            return [.request(.start(id, details))]
        case .incoming, .connecting, .active, .held, .ended:
            return []
        }
    }

    mutating func refuseInvite(_ failure: CallFailure, _ reason: EndReason, at now: Instant) -> [Effect] {
        switch state {
        case .outgoing:
            return end(reason, failure: failure, at: now)
        case .incoming, .connecting, .active, .held, .ended:
            return []
        }
    }

    mutating func ring() -> [Effect] {
        switch state {
        case .outgoing(var outgoing):
            outgoing.rings = true
            state = .outgoing(outgoing)
            return []
        case .incoming, .connecting, .active, .held, .ended:
            return []
        }
    }

    mutating func takeAnswer(at now: Instant) -> [Effect] {
        switch state {
        case .outgoing(var outgoing):
            // What the server says of the call proves that it took the invitation.
            var effects = acceptInvite(at: now)
            outgoing.accepted = true
            outgoing.answered = true
            state = .outgoing(outgoing)
            if standing == .told { effects += connect(signals: outgoing.signals, at: now) }
            return effects
        case .connecting(let connecting):
            guard let claim = connecting.claim else { return [] }
            let fulfilment = claim.actions.map { Effect.fulfil($0) }
            return fulfilment + connect(signals: connecting.signals, at: now)  // C1: won, so fulfil
        case .incoming, .active, .held, .ended:
            return []
        }
    }

    /// The call is won: media starts, muted if the user muted it already, and gets what came early.
    mutating func connect(signals: [MediaSignal], at now: Instant) -> [Effect] {
        answeredAt = now
        state = .connecting(Connecting(claim: nil, until: now + policy.connect))
        var effects: [Effect] = [.startMedia(id, offers: direction == .outgoing && !joins)]
        effects += turnMuteGate() + beginVideo()
        for signal in signals { effects.append(.deliverSignal(id, signal)) }
        if policy.donatesCalls { effects.append(.donate(id, details, direction)) }
        return effects
    }

    mutating func endRemotely(_ reason: EndReason, at now: Instant) -> [Effect] {
        switch state {
        case .incoming, .outgoing, .connecting, .active, .held:
            return end(reason, at: now)
        case .ended:
            return []
        }
    }

    mutating func receive(_ signal: MediaSignal) -> [Effect] {
        switch state {
        case .incoming(var incoming):
            if incoming.signals.count < CallMachine.earlySignals { incoming.signals.append(signal) }
            state = .incoming(incoming)
            return []
        case .outgoing(var outgoing):
            if outgoing.signals.count < CallMachine.earlySignals { outgoing.signals.append(signal) }
            state = .outgoing(outgoing)
            return []
        case .connecting(var connecting):
            guard connecting.claim != nil else { return [.deliverSignal(id, signal)] }
            if connecting.signals.count < CallMachine.earlySignals { connecting.signals.append(signal) }
            state = .connecting(connecting)
            return []
        case .active, .held:
            return [.deliverSignal(id, signal)]
        case .ended:
            return []
        }
    }

    mutating func updatePeer(_ update: PeerUpdate) -> [Effect] {
        switch state {
        case .incoming, .outgoing, .connecting, .active, .held:
            peer.held = update.held ?? peer.held
            peer.muted = update.muted ?? peer.muted
            peer.video = update.video ?? peer.video
            return []
        case .ended:
            return []
        }
    }
}
