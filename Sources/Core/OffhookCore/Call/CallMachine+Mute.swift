// SPDX-License-Identifier: MIT

extension CallMachine {
    /// Turns the session's mute gate the way it must be now and tells the other side; without a microphone it is closed,
    /// and the call goes on (R6).
    mutating func turnMuteGate() -> [Effect] {
        let closed = muted || surroundings.mayUseMicrophone == false
        guard hasMedia, closed != isMuteGateClosed else { return [] }
        isMuteGateClosed = closed
        return [.setMediaMuted(id, closed), .send(id, .update(PeerUpdate(muted: closed)))]
    }

    mutating func performMute(_ action: ActionID, _ muted: Bool, at now: Instant) -> [Effect] {
        switch state {
        case .outgoing, .connecting, .active, .held:
            guard muted != self.muted else { return [.fulfil(action)] }  // P37
            if let until = keepsMuteUntil, now <= until {
                keepsMuteUntil = nil
                return [.fulfil(action), .request(.setMuted(id, true))]  // P38: not the user's
            }
            self.muted = muted
            return turnMuteGate() + [.fulfil(action)]  // without a session, which starts muted then
        case .incoming, .ended:
            return [.fail(action)]  // R48
        }
    }

    mutating func performTones(_ action: ActionID, _ tones: String) -> [Effect] {
        guard policy.canPlayTones, Tones.areValid(tones), case .active = state, !isWaiting else {
            return [.fail(action)]  // P54: loudly
        }
        return [.playTones(id, tones), .fulfil(action)]
    }
}
