// SPDX-License-Identifier: MIT

extension PhoneMachine {
    /// CallKit performs tones: of its own keypad, or a part of what the app asked for (R50, P54).
    mutating func performTones(_ action: ActionID, _ call: CallID, _ tones: String, at now: Instant) -> [Effect] {
        let effects = tell(call, .tonesPerformed(action, tones), else: [.fail(action)], at: now)
        let asked = commands.firstIndex { pending in
            pending.command.call == call && !pending.tonesLeft.isEmpty && pending.tonesLeft.hasPrefix(tones)
        }
        guard let asked else { return effects }
        if effects == [.fail(action)], case .playTones(_, let all) = commands[asked].command {
            let failure = CallFailure(.mediaNotReady, "The call's media could not play the tones.")
            return effects + refuse(.playTones(call, all), failure, at: now)
        }
        commands[asked].tonesLeft.removeFirst(tones.count)
        return effects
    }

    /// Why tones cannot be played in a call.
    func obstacle(toPlay tones: String, in call: CallMachine) -> CallFailure? {
        guard policy.canPlayTones else { return CallFailure(.unsupported, "The media engine sends no DTMF.") }
        guard Tones.areValid(tones) else {
            return CallFailure(.invalidArgument, "Tones are 1 to 32 of 0-9, * and #, with , and ; for pauses.")
        }
        guard case .active = call.state, !call.isWaiting else {
            return CallFailure(.invalidState, "Tones go to a call in which both sides can hear each other.")
        }
        return nil
    }
}
