// SPDX-License-Identifier: MIT

extension PhoneMachine {
    /// Gives an event to one call; `fallback` stands in when there is no such call.
    mutating func tell(
        _ call: CallID, _ event: CallMachine.Event, else fallback: [Effect] = [], at now: Instant
    ) -> [Effect] {
        guard let index = calls.firstIndex(where: { $0.id == call }) else { return fallback }
        return withWindow(calls[index].handle(event, at: now))
    }

    mutating func tellAll(_ event: CallMachine.Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        for index in calls.indices { effects += withWindow(calls[index].handle(event, at: now)) }
        return effects
    }

    /// A session that starts inside the window gets its audio at once.
    private func withWindow(_ effects: [Effect]) -> [Effect] {
        guard window.isOpen else { return effects }
        return effects.flatMap { effect -> [Effect] in
            guard case .startMedia(let call, _) = effect else { return [effect] }
            return [effect, .setAudioOpen(call, true)]
        }
    }

    mutating func turn(_ event: AudioWindow.Event) -> [Effect] {
        let sessions = calls.filter(\.hasMedia).map(\.id)
        return window.handle(event).flatMap { change in
            sessions.map { Effect.setAudioOpen($0, change == .open) }
        }
    }

    /// Gives an event to the ledger and does what it orders.
    mutating func take(_ event: PushLedger.Event, at now: Instant) -> [Effect] {
        var effects: [Effect] = []
        for effect in ledger.handle(event, at: now) {
            switch effect {
            case .ring(let invitation):
                calls.append(CallMachine(invitation, policy: policy, at: now))
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
        case .media(let signal):
            return tell(call, .signalReceived(signal), at: now)
        case .update(let update):
            return tell(call, .peerUpdated(update), at: now)
        }
    }
}
