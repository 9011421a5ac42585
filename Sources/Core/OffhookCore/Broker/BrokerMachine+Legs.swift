// SPDX-License-Identifier: MIT

extension BrokerMachine {
    mutating func place(_ targets: [BrokerTarget], at now: Instant, _ effects: inout [BrokerEffect]) {
        switch state {
        case .created: break
        case .ringing, .answered, .ended: return
        }
        state = .ringing(callerBackBy: nil)
        effects.append(.decided(.placed))
        var outgoing: [BrokerEffect] = []
        for target in targets where legIndex(target.device) == nil && party(target.device) != caller {
            if target.connected {
                let pushAt = target.pushable ? now + settings.pushAfter : nil
                legs.append(BrokerLeg(device: target.device, state: .offered, pushAt: pushAt))
                outgoing.append(.offer(device: target.device))
            } else if target.pushable {
                legs.append(BrokerLeg(device: target.device, state: .waking))
                outgoing.append(.push(device: target.device))
            }
        }
        effects.append(contentsOf: outgoing)
        endIfNobodyCanAnswer(at: now, &effects)
    }

    /// Adds a leg for a device that has none: idempotent per call and device (race 14).
    mutating func join(_ device: String) {
        if legIndex(device) == nil { legs.append(BrokerLeg(device: device, state: .offered)) }
    }

    mutating func setLeg(_ device: String, _ state: BrokerLeg.State) {
        guard let index = legIndex(device) else { return }
        legs[index].state = state
        legs[index].pushAt = nil
    }

    /// Takes one device out of the ringing; the others ring on (races 5, 6).
    mutating func close(
        _ device: String, _ outcome: BrokerLeg.State, at now: Instant, _ effects: inout [BrokerEffect]
    ) {
        join(device)
        setLeg(device, outcome)
        effects.append(.decided(outcome == .busy ? .deviceBusy : .deviceUnreachable))
        endIfNobodyCanAnswer(at: now, &effects)
    }

    private mutating func endIfNobodyCanAnswer(at now: Instant, _ effects: inout [BrokerEffect]) {
        switch state {
        case .created, .answered, .ended: return
        case .ringing:
            guard !legs.contains(where: \.isOpen) else { return }
            let cause: BrokerEnd.Cause = legs.contains { $0.state == .busy } ? .busy : .unreachable
            end(BrokerEnd(cause: cause), at: now, &effects)
        }
    }

    mutating func pushOutcome(
        _ device: String, accepted: Bool, at now: Instant, _ effects: inout [BrokerEffect]
    ) {
        switch state {
        case .created, .answered, .ended: return
        case .ringing:
            // A device that spoke meanwhile needs no push.
            guard let index = legIndex(device), legs[index].state == .waking else { return }
            if accepted {
                legs[index].state = .offered
            } else {
                close(device, .unreachable, at: now, &effects)
            }
        }
    }

    mutating func connect(_ party: BrokerParty, at now: Instant) {
        switch state {
        case .created, .ended: return
        case .ringing:
            if party == caller {
                state = .ringing(callerBackBy: nil)
            } else if party.user == callee {
                // Race 14: a device that wakes gets one leg, however often it connects; a closed leg stays closed
                // unless only the way to the device had failed.
                if let index = legIndex(party.device) {
                    switch legs[index].state {
                    case .waking, .unreachable: legs[index].state = .offered
                    case .offered, .ringing, .busy: break
                    }
                } else {
                    join(party.device)
                }
            }
        case .answered(let winner, let callerBackBy, let winnerBackBy):
            if party == caller {
                state = .answered(winner: winner, callerBackBy: nil, winnerBackBy: winnerBackBy)
            } else if party == self.party(winner) {
                state = .answered(winner: winner, callerBackBy: callerBackBy, winnerBackBy: nil)
            }
        }
    }

    mutating func disconnect(_ party: BrokerParty, at now: Instant, _ effects: inout [BrokerEffect]) {
        switch state {
        case .created, .ended: return
        case .ringing(let callerBackBy):
            if party == caller {
                state = .ringing(callerBackBy: callerBackBy ?? now + settings.callerGrace)
            } else if party.user == callee, let index = legIndex(party.device), legs[index].pushAt != nil {
                // Race 21: the leg stays; an offer that may not have arrived goes by push at once.
                legs[index].pushAt = nil
                legs[index].state = .waking
                effects.append(.push(device: party.device))
            }
        case .answered(let winner, let callerBackBy, let winnerBackBy):
            if party == caller {
                state = .answered(
                    winner: winner, callerBackBy: callerBackBy ?? now + settings.callGrace, winnerBackBy: winnerBackBy)
            } else if party == self.party(winner) {
                state = .answered(
                    winner: winner, callerBackBy: callerBackBy, winnerBackBy: winnerBackBy ?? now + settings.callGrace)
            }
        }
    }

    mutating func remove(_ party: BrokerParty, at now: Instant, _ effects: inout [BrokerEffect]) {
        switch state {
        case .created, .ended: return
        case .ringing:
            if party == caller {
                end(BrokerEnd(cause: .callerCancelled), at: now, &effects)
            } else if party.user == callee, legIndex(party.device) != nil {
                effects.append(.tell(party, .ended(.failed)))
                legs.removeAll { $0.device == party.device }
                endIfNobodyCanAnswer(at: now, &effects)
            }
        case .answered(let winner, _, _):
            if party == caller {
                end(BrokerEnd(cause: .hungUp(byCaller: true, failed: true), winner: winner), at: now, &effects)
            } else if party == self.party(winner) {
                end(BrokerEnd(cause: .hungUp(byCaller: false, failed: true), winner: winner), at: now, &effects)
            }
        }
    }

    mutating func replace(at now: Instant, _ effects: inout [BrokerEffect]) {
        switch state {
        case .created, .ringing: end(BrokerEnd(cause: .callerCancelled), at: now, &effects)
        case .answered(let winner, _, _): end(BrokerEnd(cause: .replaced, winner: winner), at: now, &effects)
        case .ended: return
        }
    }

    mutating func restart(at now: Instant, _ effects: inout [BrokerEffect]) {
        switch state {
        case .created:
            // Stored, but never offered: the caller was not told of success and asks again.
            end(BrokerEnd(cause: .unreachable), at: now, &effects)
        case .ringing:
            // The server was away, not the caller, who has until the ring deadline to come back. A push that was on its
            // way to APNs may be lost, so it is sent again; the device tells one call from two by its id.
            state = .ringing(callerBackBy: invitation.expiresAt)
            effects.append(.decided(.restored))
            for leg in legs where leg.state == .waking { effects.append(.push(device: leg.device)) }
            runDeadlines(at: now, inclusive: true, &effects)
        case .answered(let winner, _, _):
            let backBy = now + settings.callGrace
            state = .answered(winner: winner, callerBackBy: backBy, winnerBackBy: backBy)
            effects.append(.decided(.restored))
        case .ended: return
        }
    }

    /// Does what is due.
    ///
    /// Inclusive: at the deadline itself; else only after it, because an answer at that very instant is still in time
    /// (race 11).
    mutating func runDeadlines(at now: Instant, inclusive: Bool, _ effects: inout [BrokerEffect]) {
        func due(_ deadline: Instant?) -> Bool {
            guard let deadline else { return false }
            return inclusive ? now >= deadline : now > deadline
        }
        switch state {
        case .created, .ended: return
        case .ringing(let callerBackBy):
            if let callerBackBy, callerBackBy < invitation.expiresAt, due(callerBackBy) {
                end(BrokerEnd(cause: .callerCancelled), at: now, &effects)
            } else if due(invitation.expiresAt) {
                end(BrokerEnd(cause: .unanswered), at: now, &effects)
            } else {
                for index in legs.indices where due(legs[index].pushAt) {
                    legs[index].pushAt = nil
                    effects.append(.decided(.pushedBecauseSilent))
                    effects.append(.push(device: legs[index].device))
                }
            }
        case .answered(let winner, let callerBackBy, let winnerBackBy):
            if due(callerBackBy) {
                end(BrokerEnd(cause: .lost(caller: true), winner: winner), at: now, &effects)
            } else if due(winnerBackBy) {
                end(BrokerEnd(cause: .lost(caller: false), winner: winner), at: now, &effects)
            }
        }
    }
}
