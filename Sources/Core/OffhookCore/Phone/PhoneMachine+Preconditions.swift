// SPDX-License-Identifier: MIT

/// How a command came out.
enum CommandResult: Hashable, Sendable {
    /// Done.
    case success
    /// Not done, and why.
    case failure(CallFailure)
}

extension CallRequest {
    /// Whether the request is what CallKit was asked for on behalf of the command.
    func serves(_ command: PhoneMachine.Command) -> Bool {
        switch (self, command) {
        case (.start(let call, _), .start(let wanted, _)), (.answer(let call), .answer(let wanted)),
            (.holdAndAnswer(_, let call), .answer(let wanted)), (.endAndAnswer(_, let call), .answer(let wanted)),
            (.end(let call), .end(let wanted)):
            call == wanted
        case (.setHeld(let call, let held), .setHeld(let wanted, let wish)): call == wanted && held == wish
        case (.swap(let held, let resumed), .setHeld(let wanted, let wish)): (wish ? held : resumed) == wanted
        case (.setMuted(let call, let muted), .setMuted(let wanted, let wish)): call == wanted && muted == wish
        case (.setGroup(let call, let other), .setGroup(let wanted, let wish)): call == wanted && other == wish
        case (.playTones(let call, let tones), .playTones(let wanted, let wish)): call == wanted && tones == wish
        case (.setTranslation(let call, let translation), .setTranslation(let wanted, let wish)):
            call == wanted && translation == wish
        case (.start, _), (.answer, _), (.end, _), (.setHeld, _), (.setMuted, _), (.setGroup, _), (.playTones, _),
            (.setTranslation, _), (.holdAndAnswer, _), (.endAndAnswer, _), (.swap, _):
            false
        }
    }
}

extension PhoneMachine {
    /// Why no call with this id can be started.
    func obstacle(toStart call: CallID) -> CallFailure? {
        let limit = policy.maximumCallGroups
        guard liveGroups < limit else {
            let message =
                limit == 1
                ? "Another call goes on; end it first." : "No room: maximumCallGroupsReached, which is \(limit)."
            return CallFailure(.busy, message)  // R20, R43
        }
        for other in calls {
            switch other.state {
            case .incoming, .outgoing, .connecting:
                return CallFailure(.busy, "Another call is being set up and cannot be held yet.")
            case .active, .held, .ended: break
            }
        }
        guard !calls.contains(where: { $0.id == call }), ledger.reasonEnded(call) == nil else {
            return CallFailure(.invalidState, "This call id was used before; make a new one.")
        }
        return nil
    }

    /// Why a command cannot be tried.
    func obstacle(to command: Command, in call: CallMachine) -> CallFailure? {
        switch command {
        case .start, .end:
            return nil
        case .answer:
            switch call.state {
            case .incoming: return nil
            case .connecting, .active, .held:
                return call.direction == .incoming
                    ? nil : CallFailure(.invalidState, "An outgoing call is answered by the other side.")
            case .outgoing, .ended: return CallFailure(.invalidState, "Only a call that rings here can be answered.")
            }
        case .setHeld:
            switch call.state {
            case .active, .held: return nil
            case .incoming, .outgoing, .connecting, .ended:
                return CallFailure(.invalidState, "Only a call with voice can be held or resumed.")
            }
        case .setMuted:
            switch call.state {
            case .outgoing, .connecting, .active, .held: return nil
            case .incoming, .ended:
                return CallFailure(.mediaNotReady, "A call can be muted once it is answered or on its way out.")
            }
        case .setGroup(_, let other?):
            return obstacle(toGroup: call.id, with: other)
        case .setGroup(_, nil):
            return nil
        case .playTones(_, let tones):
            return obstacle(toPlay: tones, in: call)
        case .setRoute(_, let route):
            return obstacle(toRoute: route, in: call)
        case .setDisplayName(_, let name):
            return (1...256).contains(name.utf8.count)
                ? nil : CallFailure(.invalidArgument, "A name has 1 to 256 bytes of UTF-8.")
        case .setCamera(_, let wanted):
            return obstacle(toCamera: wanted, in: call)
        case .switchCamera:
            return obstacle(toVideo: call)
        case .setTranslation(_, let translation):
            return obstacle(toTranslate: translation, in: call)
        }
    }

    /// Begins an outgoing call.
    mutating func begin(_ call: CallID, _ details: CallDetails, at now: Instant) -> [Effect] {
        _ = ledger.handle(.callBegan(call), at: now)
        add(CallMachine(call, to: details, policy: policy, at: now))
        return [.connectSignaling] + tell(call, .opened, at: now)
    }

    /// Sets a command in motion: asks CallKit, or does it at once where CallKit has no part.
    mutating func pursue(_ pending: PendingCommand, in call: CallMachine, at now: Instant) -> [Effect] {
        switch pending.command {
        case .start(let call, let details): [.request(.start(call, details))]
        case .answer(let call): requests(toAnswer: call)
        case .end(let id): call.standing == .told ? [.request(.end(id))] : tell(id, .endedByApp(nil), at: now)
        case .setHeld(let call, let held): requests(toHold: call, held)
        case .setMuted(let call, let muted): requests(toMute: call, muted)
        case .setGroup(let call, let other): [.request(.setGroup(call, with: other))]
        case .playTones(let call, let tones): [.request(.playTones(call, tones))]
        case .setTranslation(let call, let translation): [.request(.setTranslation(call, translation))]
        case .setRoute(_, let route): select(route)
        case .setDisplayName(let call, let name): tell(call, .renamed(name), at: now)
        case .setCamera(let call, let wanted): tell(call, .cameraWanted(wanted), at: now)
        case .switchCamera(let call, let facing): tell(call, .cameraChosen(facing), at: now)
        }
    }

    /// A command's result, when it is decided; nil while it is on its way.
    func result(of pending: PendingCommand, in call: CallMachine?) -> CommandResult? {
        guard let call else {
            if case .end = pending.command { return .success }
            return .failure(CallFailure(.callEnded, "The call ended first."))
        }
        if case .ended(let end) = call.state {
            if case .end = pending.command { return .success }
            let message = "The call ended first: \(end.reason.rawValue)."
            return .failure(end.failure ?? CallFailure(.callEnded, message))
        }
        let reached =
            switch pending.command {
            case .start: call.standing == .told
            case .answer: call.hasMedia
            case .end: false
            case .setHeld(_, let held): call.isSettled(held: held)
            case .setMuted(_, let muted): call.muted == muted
            case .setGroup(_, let other?): call.groupedWith.contains(other)
            case .setGroup(_, nil): call.groupedWith.isEmpty
            case .playTones: pending.tonesLeft.isEmpty
            case .setRoute(_, let route): routes.current == route
            case .setDisplayName(_, let name): call.details.displayName == name
            case .setCamera(_, let wanted): call.camera.wanted == wanted
            case .switchCamera(_, let facing): call.camera.facing == facing
            case .setTranslation(_, let translation): call.translation == translation
            }
        return reached ? .success : nil
    }

    /// CallKit took or refused what it was asked for.
    mutating func requestCompleted(
        _ request: CallRequest, _ failure: CallFailure?, at now: Instant
    ) -> [Effect] {
        guard let failure else { return [] }  // O1: accepted, not yet performed
        switch request {
        case .start(let call, _):
            return tell(call, .startRefused(failure), at: now)
        case .end(let call):
            return tell(call, .endedByApp(failure), at: now)  // R31: hanging up always succeeds
        case .answer, .setHeld, .setMuted, .setGroup, .playTones, .setTranslation, .holdAndAnswer, .endAndAnswer, .swap:
            return refuse(request, failure, at: now)
        }
    }

    /// Performs hold, mute or translation; a failed action fails the command that asked for it.
    mutating func perform(
        _ action: ActionID, _ request: CallRequest, _ event: CallMachine.Event, at now: Instant
    ) -> [Effect] {
        let effects = tell(request.call, event, else: [.fail(action)], at: now)
        guard effects.contains(.fail(action)) else { return effects }
        return effects + refuse(request, CallFailure(.mediaNotReady, "The call's media could not follow."), at: now)
    }
}
