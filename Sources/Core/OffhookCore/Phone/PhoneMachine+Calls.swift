// SPDX-License-Identifier: MIT

extension PhoneMachine {
    /// Gives an event to one call; `fallback` stands in when there is no such call.
    mutating func tell(
        _ call: CallID, _ event: CallMachine.Event, else fallback: [Effect] = [], at now: Instant
    ) -> [Effect] {
        guard let index = calls.firstIndex(where: { $0.id == call }) else { return fallback }
        return tell(at: index, event, at: now)
    }

    mutating func tellAll(_ event: CallMachine.Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        for index in calls.indices { effects += tell(at: index, event, at: now) }
        return effects
    }

    private mutating func tell(at index: Int, _ event: CallMachine.Event, at now: Instant) -> [Effect] {
        change(index) { $0.handle(event, at: now) }
    }

    /// Changes a call, and notes it when the app sees a difference.
    mutating func change(_ index: Int, by work: (inout CallMachine) -> [Effect]) -> [Effect] {
        let before = calls[index].snapshot
        var effects = work(&calls[index])
        if calls[index].snapshot != before { note(calls[index].id) }
        complete(&effects)
        return effects
    }

    /// Notes that the app has to hear of a call.
    mutating func note(_ call: CallID) {
        if !changed.contains(call) { changed.append(call) }
    }

    /// Puts beside what a call orders what the device's other parts have to do with it: a session that starts inside
    /// the window gets its audio at once (R70), and calls that speak are held before another one is started.
    private func complete(_ effects: inout [Effect]) {
        for index in effects.indices.reversed() {
            if case .startMedia(let call, _) = effects[index], window.isOpen {
                effects.insert(.setAudioOpen(call, true), at: index + 1)
            } else if case .request(.start(let call, _)) = effects[index] {
                effects.insert(contentsOf: speakers(besides: call).map { .request(.setHeld($0, true)) }, at: index)
            }
        }
    }

    /// Remembers the calls that ended, and takes them out of their groups.
    mutating func buryEnded(at now: Instant) {
        for index in calls.indices {
            guard case .ended(let end) = calls[index].state else { continue }
            leaveGroup(index)
            _ = ledger.handle(.callEnded(calls[index].id, end.reason), at: now)
        }
    }

    /// Tells the app of the calls that changed, in the order in which the device has them.
    mutating func publishChanged(_ effects: inout [Effect]) {
        for call in calls where changed.contains(call.id) { effects.append(.publish(call.snapshot)) }
        changed.removeAll(keepingCapacity: true)
    }

    mutating func turn(_ event: AudioWindow.Event) -> [Effect] {
        let sessions = calls.filter(\.hasMedia).map(\.id)
        return window.handle(event).flatMap { change in
            sessions.map { Effect.setAudioOpen($0, change == .open) }
        }
    }

    /// Takes a call up.
    mutating func add(_ call: CallMachine) {
        calls.append(call)
        calls[calls.count - 1].surroundings = surroundings
        note(call.id)
    }

    /// Gives an event to the ledger and does what it orders.
    mutating func take(_ event: PushLedger.Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        for effect in ledger.handle(event, at: now) {
            switch effect {
            case .ring(let invitation):
                add(CallMachine(invitation, policy: policy, at: now))
                effects += tell(invitation.call, .opened, at: now)
            case .reportSpare(let spare, let details):
                effects.append(.reportIncoming(spare, details))
            case .endSpare(let spare, let reason):
                effects.append(.reportEnded(spare, reason, at: now))
            case .completePush(let push):
                effects.append(.completePush(push))
            case .tell(let outcome, let call):
                if outcome == .busy, let call { effects.append(.send(call, .busy)) }
                effects.append(.tell(outcome, call))
            }
        }
        return effects
    }

    mutating func hear(_ call: CallID, _ news: ServerNews, at now: Instant) -> [Effect] {
        settle(call, news)
        switch news {
        case .inviteAccepted:
            return tell(call, .inviteAccepted, at: now)
        case .inviteRefused(let failure, let reason):
            return tell(call, .inviteRefused(failure, reason), at: now)
        case .ringing:
            return tell(call, .remoteRang, at: now)
        case .answered:
            return tell(call, .answered, at: now)
        case .ended(let reason):
            guard calls.contains(where: { $0.id == call }) else {
                return take(.callEnded(call, reason), at: now)  // R65: the end came first
            }
            return tell(call, .remoteEnded(reason), at: now)
        case .joined(let other):
            return join(call, into: other, at: now)
        case .media(let signal):
            return tell(call, .signalReceived(signal), at: now)
        case .update(let update):
            return tell(call, .peerUpdated(update), at: now)
        }
    }
}
