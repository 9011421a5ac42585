// SPDX-License-Identifier: MIT

extension PhoneMachine {
    /// The calls off hold in CallKit that could be held and are in no group with this one.
    func speakers(besides call: CallID) -> [CallID] {
        calls.filter { other in
            guard other.id != call, !other.groupedWith.contains(call) else { return false }
            switch other.state {
            case .active: return true
            case .held(let talk): return talk.resume != nil
            case .incoming, .outgoing, .connecting, .ended: return false
            }
        }.map(\.id)
    }

    /// How many calls and groups of calls live (T5).
    var liveGroups: Int {
        calls.count { call in !call.hasEnded && call.groupedWith.allSatisfy { call.id < $0 } }
    }

    /// Asks CallKit to answer a call while others live: who speaks is held, or ended where that cannot be (R19, R39).
    func requests(toAnswer call: CallID) -> [Effect] {
        let inTheWay = calls.first { other in
            guard other.id != call else { return false }
            switch other.state {
            case .outgoing, .connecting: return true  // cannot be held (R47)
            case .active, .held: return policy.maximumCallGroups < 2
            case .incoming, .ended: return false
            }
        }
        var speakers = speakers(besides: call)
        if let inTheWay {
            speakers.removeAll { $0 == inTheWay.id }
            return holding(speakers) + [.request(.endAndAnswer(end: inTheWay.id, answer: call))]
        }
        guard let speaker = speakers.popLast() else { return [.request(.answer(call))] }
        return holding(speakers) + [.request(.holdAndAnswer(hold: speaker, answer: call))]
    }

    /// Asks CallKit to hold a call or to take it off hold, which holds who speaks (swap).
    func requests(toHold call: CallID, _ held: Bool) -> [Effect] {
        var speakers = held ? [] : speakers(besides: call)
        guard let speaker = speakers.popLast() else { return [.request(.setHeld(call, held))] }
        return holding(speakers) + [.request(.swap(hold: speaker, resume: call))]
    }

    /// Asks CallKit to mute a call or to unmute it; an unmute that the app asks for is the user's (P38).
    mutating func requests(toMute call: CallID, _ muted: Bool) -> [Effect] {
        for index in calls.indices where calls[index].id == call && !muted { calls[index].keepsMuteUntil = nil }
        return [.request(.setMuted(call, muted))]
    }

    private func holding(_ calls: [CallID]) -> [Effect] {
        calls.map { .request(.setHeld($0, true)) }
    }

    /// Other calls of the phone come and go (P23).
    mutating func countOthers(_ count: Int) -> [Effect] {
        ledger.others = count
        return []
    }

    /// Gives an invitation to the ledger.
    ///
    /// One that crosses an own call to the same person neither rings nor is busy: the
    /// server decides what becomes of the two (race 7).
    mutating func judge(_ event: PushLedger.Event, _ invitation: Invitation?, at now: Instant) -> [Effect] {
        if let invitation {
            let crosses = calls.contains { call in
                guard case .outgoing = call.state else { return false }
                return call.details.handle == invitation.callerHandle
            }
            ledger.crossing = crosses ? invitation.call : nil
        }
        let effects = take(event, at: now)
        ledger.crossing = nil
        return effects
    }

    /// An own call goes on in the one of the other side; CallKit never sees two (race 7).
    mutating func join(_ call: CallID, into other: CallID, at now: Instant) -> [Effect] {
        guard let index = calls.firstIndex(where: { $0.id == call }), case .outgoing = calls[index].state,
            !calls.contains(where: { $0.id == other })
        else { return [] }
        let successor = CallMachine(other, insteadOf: calls[index], at: now)
        let effects = change(index) { $0.end(.remoteEnded, continuing: other, at: now) }
        _ = ledger.handle(.callEnded(call, .remoteEnded), at: now)
        _ = ledger.handle(.callBegan(other), at: now)
        add(successor)
        for position in commands.indices where commands[position].command == .start(call, successor.details) {
            commands[position].continuesAs = other
        }
        return effects + speakers(besides: other).map { .request(.setHeld($0, true)) }
            + [.request(.start(other, successor.details))]
    }
}

extension PushContent {
    /// The invitation; nil when there is none that can be read.
    var invitation: Invitation? {
        switch self {
        case .invitation(let invitation): invitation
        case .undecodable: nil
        }
    }
}
