// SPDX-License-Identifier: MIT

/// Decides one call on the server: every outcome once, in the order in which the events come.
///
/// Devices ask, the machine tells. All crossings (answer against cancel, against timeout, against another device) are
/// decided by which event is handled first; the later one is told the result. The machine is Codable, deadlines
/// included, so that a store can bring it back after a restart.
///
/// ```
///              placed                 answer                    hang-up, lost
///  created ────────────► ringing ────────────────► answered ───────────────────► ended
///     │ no device           │ cancel, decline, timeout, all busy, all unreachable   ▲
///     └─────────────────────┴───────────────────────────────────────────────────────┘
/// ```
public struct BrokerMachine: Hashable, Sendable {
    /// Where the call is.
    public enum State: Hashable, Sendable, Codable {
        /// Not yet offered to anybody. Leaves to: ringing, ended.
        case created
        /// Offered; nobody has it yet. The caller is away when `callerBackBy` is set. Leaves to: answered, ended.
        case ringing(callerBackBy: Instant?)
        /// One device has it. A side is away when its `…BackBy` is set. Leaves to: ended.
        case answered(winner: String, callerBackBy: Instant?, winnerBackBy: Instant?)
        /// Over, and never anything else again (race 16).
        case ended(BrokerEnd)
    }

    /// The offer, which holds the call's id and its ring deadline.
    public let invitation: Invitation
    /// The device that calls.
    public let caller: BrokerParty
    /// The user who is called.
    public let callee: String
    /// How long things may take.
    public let settings: BrokerSettings
    /// Where the call is.
    public internal(set) var state: State = .created
    /// One leg per device of the callee, in the order in which they joined.
    public internal(set) var legs: [BrokerLeg] = []
    /// When what happened, for the call record.
    public internal(set) var milestones: BrokerMilestones
    /// The winner's own call to the caller that goes on in this one (race 7).
    public internal(set) var joined: CallID?
    /// What the caller's media engine said before the answer; the winner gets it.
    var heldSignals: [MediaSignal] = []
    /// The last messages handled, to answer repeats (race 19); not stored, the state alone is idempotent too.
    var window = BrokerMessageWindow()

    /// Makes a call that is not offered yet; `placed` is its first event.
    public init(
        invitation: Invitation, caller: BrokerParty, callee: String, settings: BrokerSettings = BrokerSettings()
    ) {
        self.invitation = invitation
        self.caller = caller
        self.callee = callee
        self.settings = settings
        self.milestones = BrokerMilestones(createdAt: invitation.issuedAt)
    }

    /// The call's id.
    public var call: CallID { invitation.call }

    /// Whether the call is over.
    public var isEnded: Bool {
        switch state {
        case .created, .ringing, .answered: false
        case .ended: true
        }
    }

    /// The device that answered, also after the end.
    public var winner: String? {
        switch state {
        case .created, .ringing: nil
        case .answered(let winner, _, _): winner
        case .ended(let end): end.winner
        }
    }

    /// When to send `tick`; nil when nothing is awaited.
    public var deadline: Instant? {
        switch state {
        case .created, .ended: return nil
        case .ringing(let callerBackBy):
            var next = invitation.expiresAt
            if let callerBackBy { next = min(next, callerBackBy) }
            for leg in legs {
                if let pushAt = leg.pushAt { next = min(next, pushAt) }
            }
            return next
        case .answered(_, let callerBackBy, let winnerBackBy):
            guard let callerBackBy else { return winnerBackBy }
            guard let winnerBackBy else { return callerBackBy }
            return min(callerBackBy, winnerBackBy)
        }
    }

    /// Takes one event and says what to do, in this order.
    ///
    /// `persist` comes first when something changed that must survive: store the machine, then run the rest.
    public mutating func handle(_ event: BrokerEvent, at now: Instant) -> [BrokerEffect] {
        let before = (state, legs, milestones, heldSignals.count)
        var effects: [BrokerEffect] = []
        switch event {
        case .tick: runDeadlines(at: now, inclusive: true, &effects)
        case .placed(let targets): place(targets, at: now, &effects)
        case .received(let command, let party, let message):
            // The timer is the server's: what comes after the deadline is late even if the tick is later (race 10).
            runDeadlines(at: now, inclusive: false, &effects)
            receive(command, from: party, message: message, at: now, &effects)
        case .deviceConnected(let party): connect(party, at: now)
        case .deviceDisconnected(let party): disconnect(party, at: now, &effects)
        case .deviceRemoved(let party): remove(party, at: now, &effects)
        case .pushAccepted(let device): pushOutcome(device, accepted: true, at: now, &effects)
        case .pushFailed(let device): pushOutcome(device, accepted: false, at: now, &effects)
        case .crossed(let call, let party):
            runDeadlines(at: now, inclusive: false, &effects)
            cross(call, from: party, at: now, &effects)
        case .replaced: replace(at: now, &effects)
        case .restarted: restart(at: now, &effects)
        }
        if before != (state, legs, milestones, heldSignals.count) { effects.insert(.persist, at: 0) }
        return effects
    }
}

extension BrokerMachine: Codable {
    private enum CodingKeys: String, CodingKey {
        case invitation, caller, callee, settings, state, legs, milestones, joined, heldSignals
    }
}

extension BrokerMachine {
    /// Which side of the call a device is on.
    enum Role {
        /// The device that calls.
        case caller
        /// A device of the callee.
        case callee
        /// Another device of the caller: may look, may not act.
        case onlooker
    }

    /// The side of a device; nil when the call is none of that user's business (race 25).
    func role(of party: BrokerParty) -> Role? {
        if party == caller { return .caller }
        if party.user == callee { return .callee }
        return party.user == caller.user ? .onlooker : nil
    }

    func party(_ device: String) -> BrokerParty {
        BrokerParty(user: callee, device: device)
    }

    func legIndex(_ device: String) -> Int? {
        legs.firstIndex { $0.device == device }
    }

    /// Ends the call for everybody who is still in it.
    mutating func end(_ end: BrokerEnd, at now: Instant, _ effects: inout [BrokerEffect]) {
        state = .ended(end)
        milestones.endedAt = now
        heldSignals = []
        for index in legs.indices { legs[index].pushAt = nil }
        effects.append(.decided(end.decision))
        effects.append(.tell(caller, .ended(end.reason(forCaller: true, device: caller.device))))
        if let winner = end.winner {
            // The other devices were told when this one answered.
            effects.append(.tell(party(winner), .ended(end.reason(forCaller: false, device: winner))))
        } else {
            for leg in legs {
                effects.append(.tell(party(leg.device), .ended(end.reason(forCaller: false, device: leg.device))))
            }
        }
        effects.append(.finished)
    }
}
