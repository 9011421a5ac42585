// SPDX-License-Identifier: MIT

import Offhook

extension CallWorld {
    /// Gives a phone an event and carries its effects out.
    mutating func feed(_ index: Int, _ event: PhoneMachine.Event) {
        for effect in devices[index].phone.handle(event, at: now) { run(effect, on: index) }
    }

    mutating func perform(_ act: UserAct, on index: Int) {
        let call = devices[index].shown.min()
        switch act {
        case .call(let user, let call):
            let details = CallDetails(handle: Handle(value: user), displayName: user)
            feed(index, .command(OperationID(high: 0, low: fresh()), .start(call, details)))
        case .answer:
            guard let call, devices[index].calls[call]?.state == .incoming else { return }
            tap(index, .answer, call) { .answerPerformed($0, call) }
        case .end:
            guard let call else { return }
            tap(index, .end, call) { .endPerformed($0, call) }
        case .mute(let muted):
            guard let call else { return }
            tap(index, .other, call) { .mutePerformed($0, call, muted) }
        case .hold(let held):
            guard let call else { return }
            tap(index, .other, call) { .holdPerformed($0, call, held) }
        }
    }

    /// CallKit performs an action.
    private mutating func tap(
        _ index: Int, _ kind: WorldAction.Kind, _ call: CallID, _ event: (ActionID) -> PhoneMachine.Event
    ) {
        let action = ActionID(high: 1, low: fresh())
        devices[index].actions[action] = WorldAction(kind: kind, call: call)
        feed(index, event(action))
    }

    private mutating func run(_ effect: PhoneMachine.Effect, on index: Int) {
        switch effect {
        case .reportIncoming(let call, _):
            devices[index].shown.insert(call)
            schedule(.milliseconds(roll(1...10)), .phone(index, .reportCompleted(call, nil)))
        case .reportEnded(let call, _, _):
            hide(call, on: index)
        case .reportStartedConnecting, .reportConnected, .configureAudio, .connectSignaling, .tell, .reportUpdated,
            .selectRoute, .donate, .publishRoutes:
            break
        case .request(let request):
            run(request, on: index)
        case .fulfil(let action):
            complete(action, well: true, on: index)
        case .fail(let action):
            complete(action, well: false, on: index)
        case .completePush:
            break
        case .send(let call, let signal):
            send(WorldMessage(id: "\(index)-\(fresh())", call: call, signal: signal), from: index)
        case .startMedia(let call, _):
            if devices[index].media[call] != nil { complain("media of device \(index) started twice") }
            devices[index].media[call] = false
        case .deliverSignal(let call, _), .setMediaMuted(let call, _), .setMediaHeld(let call, _),
            .playTones(let call, _),
            .setCamera(let call, _), .setTranslation(let call, _):
            if devices[index].media[call] == nil { complain("device \(index): \(effect) without a session") }
        case .setAudioOpen(let call, let open):
            if open && !devices[index].isAudioActive { complain("device \(index): audio outside the window") }
            if devices[index].media[call] == nil { complain("device \(index): audio without a session") }
            devices[index].media[call] = open
            if open { connectMedia(call) }
        case .stopMedia(let call):
            if devices[index].media.removeValue(forKey: call) == nil { complain("media stopped twice on \(index)") }
        case .publish(let call):
            devices[index].calls[call.id] = call
            if devices[index].states[call.id]?.last != call.state {
                devices[index].states[call.id, default: []].append(call.state)
            }
        case .save(let point):
            schedule(.zero, .phone(index, .saved(point, nil)))
        case .finish(let result):
            if devices[index].results.updateValue(result, forKey: result.id) != nil {
                complain("a command of device \(index) was finished twice")
            }
        }
    }

    private mutating func run(_ request: CallRequest, on index: Int) {
        schedule(.milliseconds(1), .phone(index, .requestCompleted(request, nil)))
        let action = ActionID(high: 1, low: fresh())
        let call = request.call
        let kind: WorldAction.Kind
        let event: PhoneMachine.Event
        switch request {
        case .start:
            devices[index].shown.insert(call)
            (kind, event) = (.start, .startPerformed(action, call))
        case .answer: (kind, event) = (.answer, .answerPerformed(action, call))
        case .end: (kind, event) = (.end, .endPerformed(action, call))
        case .setHeld(_, let held): (kind, event) = (.other, .holdPerformed(action, call, held))
        case .setMuted(_, let muted): (kind, event) = (.other, .mutePerformed(action, call, muted))
        case .setGroup(_, let other): (kind, event) = (.other, .groupPerformed(action, call, with: other))
        case .playTones(_, let tones): (kind, event) = (.other, .tonesPerformed(action, call, tones))
        case .setTranslation(_, let translation):
            (kind, event) = (.other, .translationPerformed(action, call, translation))
        case .holdAndAnswer, .endAndAnswer, .swap: return
        }
        devices[index].actions[action] = WorldAction(kind: kind, call: call)
        schedule(.milliseconds(roll(2...20)), .phone(index, event))
    }

    private mutating func complete(_ id: ActionID, well: Bool, on index: Int) {
        guard let action = devices[index].actions.removeValue(forKey: id) else {
            return complain("device \(index) completed an action twice")
        }
        switch action.kind {
        case .start, .answer:
            guard well else { return hide(action.call, on: index) }  // A4
            guard !devices[index].isAudioActive, devices[index].shown.contains(action.call) else { return }
            devices[index].isAudioActive = true
            schedule(.milliseconds(20), .phone(index, .audioActivated))
        case .end:
            if well { hide(action.call, on: index) }
        case .other:
            break
        }
    }

    /// The call leaves CallKit; the last one takes the audio session with it (S2).
    private mutating func hide(_ call: CallID, on index: Int) {
        devices[index].shown.remove(call)
        guard devices[index].shown.isEmpty, devices[index].isAudioActive else { return }
        devices[index].isAudioActive = false
        schedule(.milliseconds(5), .phone(index, .audioDeactivated))
    }

    /// Voice arrives on both sides once two sessions are open.
    private mutating func connectMedia(_ call: CallID) {
        let open = devices.indices.filter { devices[$0].media[call] == true }
        if open.count > 2 { complain("more than two devices have audio in call \(call)") }
        guard open.count == 2 else { return }
        for index in open { schedule(.milliseconds(roll(20...200)), .phone(index, .media(call, .arrived))) }
    }
}
