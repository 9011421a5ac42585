// SPDX-License-Identifier: MIT

extension PhoneMachine {
    /// The phone's ways for the sound changed (R51).
    mutating func take(_ routes: AudioRoutes) -> [Effect] {
        guard routes != self.routes else { return [] }
        self.routes = routes
        return [.publishRoutes(routes)]
    }

    /// Sends the sound another way; a phone that does not say where it goes is taken at its word (R51, R52).
    mutating func select(_ route: AudioRoute.ID) -> [Effect] {
        guard routes.current == nil else { return [.selectRoute(route)] }
        routes.current = route
        return [.selectRoute(route), .publishRoutes(routes)]
    }

    /// Why the sound of a call cannot be sent another way.
    func obstacle(toRoute route: AudioRoute.ID, in call: CallMachine) -> CallFailure? {
        switch call.state {
        case .incoming, .ended:
            return CallFailure(.invalidState, "A call that rings here has no sound yet; answer it first.")
        case .outgoing, .connecting, .active, .held:
            guard window.isOpen else {
                return CallFailure(.mediaNotReady, "The phone has not given the sound to the call now.")
            }
            guard routes.available.contains(where: { $0.id == route }) else {
                return CallFailure(.invalidArgument, "The phone offers no such route now.")
            }
            return nil
        }
    }

    /// The media services were reset: category and mode are lost, and what ran must start anew (R53).
    mutating func restartAudio() -> [Effect] {
        guard calls.contains(where: { $0.hasMedia }) else { return [] }
        let changes = turn(.servicesReset)
        let closing = changes.filter { if case .setAudioOpen(_, false) = $0 { true } else { false } }
        return closing + [.configureAudio] + changes.dropFirst(closing.count)
    }

    /// What the phone is like around the app changed: cameras and microphones follow (R6, R116).
    mutating func settle(in surroundings: Surroundings, at now: Instant) -> [Effect] {
        guard surroundings != self.surroundings else { return [] }
        self.surroundings = surroundings
        return tellAll(.surroundingsChanged(surroundings), at: now)
    }
}
