// SPDX-License-Identifier: MIT

extension BrokerMachine {
    mutating func receive(
        _ command: BrokerCommand, from party: BrokerParty, message: String, at now: Instant,
        _ effects: inout [BrokerEffect]
    ) {
        guard let role = role(of: party) else {
            effects.append(.reply(party, message: message, .unknownCall))
            return
        }
        if let earlier = window.earlier(message, from: party) {
            guard earlier.kind == command.kind else {
                effects.append(.reply(party, message: message, .conflict))
                return
            }
            effects.append(.decided(.repeated))
            if command == .answer { tellState(to: party, &effects) }
            effects.append(.reply(party, message: message, earlier.reply))
            return
        }
        let reply: BrokerReply
        switch role {
        case .caller: reply = callerSent(command, at: now, &effects)
        case .callee: reply = calleeSent(command, device: party.device, at: now, &effects)
        case .onlooker: reply = .invalidState
        }
        window.remember(message, from: party, kind: command.kind, reply: reply)
        effects.append(.reply(party, message: message, reply))
    }

    /// Tells a device where the call is for it, when that is answered or ended.
    func tellState(to party: BrokerParty, _ effects: inout [BrokerEffect]) {
        switch view(for: party) {
        case nil, .ringing?: break
        case .answered?: effects.append(.tell(party, .answered))
        case .ended(let reason)?: effects.append(.tell(party, .ended(reason)))
        }
    }

    // MARK: - The caller

    private mutating func callerSent(
        _ command: BrokerCommand, at now: Instant, _ effects: inout [BrokerEffect]
    ) -> BrokerReply {
        switch command {
        case .ringing, .answer, .decline, .busy: return .invalidState
        case .cancel, .hangup: return callerLeaves(command, at: now, &effects)
        case .media(let signal): return callerSignals(signal, &effects)
        case .connected: return mediaConnected(at: now, &effects)
        case .update(let held, let muted, let video):
            switch state {
            case .created, .ringing: return .invalidState
            case .answered(let winner, _, _):
                effects.append(.tell(party(winner), .update(held: held, muted: muted, video: video)))
                return .done
            case .ended: return .done
            }
        }
    }

    private mutating func callerLeaves(
        _ command: BrokerCommand, at now: Instant, _ effects: inout [BrokerEffect]
    ) -> BrokerReply {
        switch state {
        case .created, .ringing: end(BrokerEnd(cause: .callerCancelled), at: now, &effects)
        case .answered(let winner, _, _):
            // Race 1: the answer was first; the cancel ends an answered call.
            if command == .cancel { effects.append(.decided(.cancelBecameHangup)) }
            let failed = command == .hangup(.failed)
            end(BrokerEnd(cause: .hungUp(byCaller: true, failed: failed), winner: winner), at: now, &effects)
        case .ended: tellState(to: caller, &effects)  // race 27
        }
        return .done
    }

    private mutating func callerSignals(_ signal: MediaSignal, _ effects: inout [BrokerEffect]) -> BrokerReply {
        switch state {
        case .created, .ringing:
            // Media goes to the winner alone, so it waits for one.
            let size = heldSignals.reduce(signal.body.utf8.count) { $0 + $1.body.utf8.count }
            guard heldSignals.count < 64, size <= 131_072 else { return .limitExceeded }
            heldSignals.append(signal)
        case .answered(let winner, _, _): effects.append(.tell(party(winner), .media(signal)))
        case .ended: break
        }
        return .done
    }

    private mutating func mediaConnected(at now: Instant, _ effects: inout [BrokerEffect]) -> BrokerReply {
        switch state {
        case .created, .ringing: return .invalidState
        case .answered:
            if milestones.connectedAt == nil {
                milestones.connectedAt = now
                effects.append(.decided(.connected))
            }
            return .done
        case .ended: return .done
        }
    }

    // MARK: - A device of the callee

    private mutating func calleeSent(
        _ command: BrokerCommand, device: String, at now: Instant, _ effects: inout [BrokerEffect]
    ) -> BrokerReply {
        switch state {
        case .created: return .unknownCall
        case .ringing: return calleeSentWhileRinging(command, device: device, at: now, &effects)
        case .answered(let winner, _, _):
            guard device == winner else {
                // Races 2, 3 and 15: told the result; late media of the loser goes nowhere.
                if command == .answer { effects.append(.decided(.lostToAnotherDevice)) }
                tellState(to: party(device), &effects)
                return .done
            }
            return winnerSent(command, device: device, at: now, &effects)
        case .ended(let end):
            if command == .answer {
                effects.append(.decided(end.winner == nil ? .answeredTooLate : .lostToAnotherDevice))
            }
            tellState(to: party(device), &effects)
            return .done
        }
    }

    private mutating func calleeSentWhileRinging(
        _ command: BrokerCommand, device: String, at now: Instant, _ effects: inout [BrokerEffect]
    ) -> BrokerReply {
        switch command {
        case .ringing:
            join(device)
            setLeg(device, .ringing)
            guard milestones.rangAt == nil else { return .done }
            milestones.rangAt = now
            effects.append(.decided(.rang))
            effects.append(.tell(caller, .ringing))
            return .done
        case .answer:
            answer(device, at: now, &effects)
            return .done
        case .decline:
            join(device)
            end(BrokerEnd(cause: .declined(device: device)), at: now, &effects)
            return .done
        case .busy:
            close(device, .busy, at: now, &effects)
            return .done
        case .hangup(let reason):
            switch reason {
            case .busy: close(device, .busy, at: now, &effects)
            case .failed, .unreachable, .unanswered: close(device, .unreachable, at: now, &effects)
            case .localHangup, .declined, .remoteEnded, .callerCancelled, .answeredElsewhere, .declinedElsewhere:
                join(device)
                end(BrokerEnd(cause: .declined(device: device)), at: now, &effects)
            }
            return .done
        case .cancel, .media, .connected, .update: return .invalidState
        }
    }

    private mutating func winnerSent(
        _ command: BrokerCommand, device: String, at now: Instant, _ effects: inout [BrokerEffect]
    ) -> BrokerReply {
        switch command {
        case .ringing, .busy: return .done
        case .answer:
            effects.append(.tell(party(device), .answered))
            return .done
        case .decline, .hangup:
            let failed = command == .hangup(.failed)
            end(BrokerEnd(cause: .hungUp(byCaller: false, failed: failed), winner: device), at: now, &effects)
            return .done
        case .cancel: return .invalidState
        case .media(let signal):
            effects.append(.tell(caller, .media(signal)))
            return .done
        case .connected: return mediaConnected(at: now, &effects)
        case .update(let held, let muted, let video):
            effects.append(.tell(caller, .update(held: held, muted: muted, video: video)))
            return .done
        }
    }

    /// Both sides call each other: the call that the server took first stays, and the later caller's device has it
    /// (races 7, 8).
    ///
    /// The order of the server decides, not the ids, because only the first call can be on a screen yet.
    mutating func cross(_ call: CallID, from party: BrokerParty, at now: Instant, _ effects: inout [BrokerEffect]) {
        guard isCrossed(by: party, calling: caller.user) else { return }
        joined = call
        effects.append(.decided(.crossed))
        effects.append(.tell(party, .joined(from: call)))
        answer(party.device, at: now, &effects)
    }

    private mutating func answer(_ device: String, at now: Instant, _ effects: inout [BrokerEffect]) {
        guard case .ringing(let callerBackBy) = state else { return }
        join(device)
        setLeg(device, .ringing)
        // A caller who is away has, from now on, the time of an answered call to come back (race 22).
        let backBy = callerBackBy.map { _ in now + settings.callGrace }
        state = .answered(winner: device, callerBackBy: backBy, winnerBackBy: nil)
        milestones.answeredAt = now
        if milestones.rangAt == nil { milestones.rangAt = now }
        effects.append(.decided(.answered))
        effects.append(.tell(party(device), .answered))
        effects.append(.tell(caller, .answered))
        for index in legs.indices {
            legs[index].pushAt = nil
            guard legs[index].device != device else { continue }
            effects.append(.tell(party(legs[index].device), .ended(.answeredElsewhere)))
        }
        for signal in heldSignals { effects.append(.tell(party(device), .media(signal))) }
        heldSignals = []
    }
}
