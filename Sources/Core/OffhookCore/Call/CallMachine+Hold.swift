// SPDX-License-Identifier: MIT

extension CallMachine {
    /// Whether CallKit has the call off hold while its session lives: it speaks, or is about to.
    var wantsFloor: Bool {
        switch state {
        case .incoming, .outgoing, .ended: false
        case .connecting(let connecting): connecting.claim == nil
        case .active: true
        case .held(let talk): talk.resume != nil
        }
    }

    /// Whether the call is as the user wants it: on hold, or off hold with the floor and the sound.
    func isSettled(held: Bool) -> Bool {
        switch state {
        case .active: !held && !isWaiting
        case .held(let talk): held && talk.resume == nil
        case .incoming, .outgoing, .connecting, .ended: false
        }
    }

    /// Turns the session's hold gate the way it must be now and tells the other side.
    mutating func turnHoldGate() -> [Effect] {
        let closed: Bool
        switch state {
        case .incoming, .outgoing, .ended: return []
        case .connecting(let connecting):
            guard connecting.claim == nil else { return [] }
            closed = isWaiting
        case .active: closed = isWaiting
        case .held(let talk): closed = talk.resume == nil || isHoldGateClosed || isWaiting
        }
        guard closed != isHoldGateClosed else { return [] }
        isHoldGateClosed = closed
        return [.setMediaHeld(id, closed), .send(id, .update(PeerUpdate(held: closed)))] + turnCamera()
    }

    mutating func performHold(_ action: ActionID, _ held: Bool) -> [Effect] {
        switch state {
        case .active(let talk):
            guard held else { return [.fulfil(action)] }
            state = .held(talk)
        case .held(var talk):
            guard !held || talk.resume != nil else { return [.fulfil(action)] }
            talk.resume = nil
            state = held ? .held(talk) : .active(talk)
        case .incoming, .outgoing, .connecting, .ended:
            return [.fail(action)]  // R47
        }
        return turnHoldGate() + [.fulfil(action)]
    }

    /// Off hold without an audio session: still held until the session comes, which the system may forget (P33).
    mutating func performResume(_ action: ActionID, at now: Instant) -> [Effect] {
        switch state {
        case .active:
            return [.fulfil(action)]
        case .held:
            awaitAudio(at: now)
            return [.fulfil(action)]
        case .incoming, .outgoing, .connecting, .ended:
            return [.fail(action)]
        }
    }

    /// Takes a held call off hold, at once or when the audio session comes.
    mutating func resume(isAudioOpen: Bool, at now: Instant) -> [Effect] {
        awaitAudio(at: now)
        return isAudioOpen ? takeAudio() : []
    }

    private mutating func awaitAudio(at now: Instant) {
        guard case .held(var talk) = state, talk.resume == nil else { return }
        talk.resume = Resume(until: now + policy.resume)
        state = .held(talk)
    }

    mutating func takeAudio() -> [Effect] {
        guard case .held(var talk) = state, talk.resume != nil else { return [] }
        talk.resume = nil
        state = .active(talk)
        return turnHoldGate()
    }

    /// A call that speaks lost the audio session without being held: it says so, and asks for the session (P33).
    mutating func loseAudio(at now: Instant) -> [Effect] {
        guard case .active(var talk) = state else { return [] }
        talk.resume = Resume(until: now + policy.resume)
        state = .held(talk)
        return []
    }

    /// The audio session did not come: CallKit is asked once more, then the call goes back on hold.
    mutating func resumeLate(_ talk: Talk, at now: Instant) -> [Effect] {
        guard var resume = talk.resume else { return [] }
        var talk = talk
        guard resume.asked else {
            resume.asked = true
            resume.until = now + policy.resume
            talk.resume = resume
            state = .held(talk)
            return [.request(.setHeld(id, false))]
        }
        talk.resume = nil
        state = .held(talk)
        return turnHoldGate() + [.request(.setHeld(id, true))]
    }
}
