// SPDX-License-Identifier: MIT

extension CallMachine {
    mutating func sendSignal(_ signal: MediaSignal) -> [Effect] {
        hasMedia ? [.send(id, .media(signal))] : []
    }

    mutating func mediaArrived(at now: Instant) -> [Effect] {
        switch state {
        case .connecting(let connecting):
            guard connecting.claim == nil else { return [] }
            connectedAt = now
            state = .active(Talk())
            switch direction {
            case .incoming: return [.send(id, .connected)]
            case .outgoing:
                if muted { keepsMuteUntil = now + policy.unmuteGrace }  // P38
                return [.reportConnected(id, at: now), .send(id, .connected)]  // C10
            }
        case .incoming, .outgoing, .active, .held, .ended:
            return []
        }
    }

    mutating func interrupt(_ interrupted: Bool) -> [Effect] {
        switch state {
        case .active(var talk):
            talk.interrupted = interrupted
            state = .active(talk)
            return []
        case .held(var talk):
            talk.interrupted = interrupted
            state = .held(talk)
            return []
        case .incoming, .outgoing, .connecting, .ended:
            return []
        }
    }

    mutating func failMedia(_ failure: CallFailure, at now: Instant) -> [Effect] {
        guard hasMedia else { return [] }
        return end(.failed, failure: failure, telling: .hangup(.failed), at: now)
    }
}
