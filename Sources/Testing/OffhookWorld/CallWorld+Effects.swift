// SPDX-License-Identifier: MIT

import OffhookCore

extension CallWorld {
    /// What the phone itself does before the rules hear of an event.
    mutating func prepare(_ event: PhoneMachine.Event, on index: Int) {
        switch event {
        case .audioActivated: phones[index].isWindowOpen = true
        case .audioDeactivated, .providerReset: phones[index].isWindowOpen = false
        case .pushArrived, .reportCompleted, .startPerformed, .answerPerformed, .endPerformed, .holdPerformed,
            .mutePerformed, .groupPerformed, .tonesPerformed, .translationPerformed, .otherPerformed, .actionTimedOut,
            .requestCompleted, .otherCalls, .routesChanged, .audioInterrupted, .mediaServicesReset,
            .surroundingsChanged, .invited, .server, .delivered, .media, .launched, .saved, .command, .tick:
            break
        }
    }

    /// What must hold when the effects of an event are carried out.
    mutating func conclude(_ event: PhoneMachine.Event, on index: Int) {
        switch event {
        case .pushArrived(let push, _, let mustReport, _):
            if mustReport, phones[index].reportsInCallback != 1 {
                breach(
                    .pushReported, index,
                    "\(phones[index].reportsInCallback) reports in the callback of push \(push.number)")
            }
        case .audioDeactivated, .providerReset:
            for session in phones[index].sessions where session.isOpen {
                breach(.audioInWindow, index, "the audio of \(session.call.low) stays open")
            }
        case .reportCompleted, .startPerformed, .answerPerformed, .endPerformed, .holdPerformed, .mutePerformed,
            .groupPerformed, .tonesPerformed, .translationPerformed, .otherPerformed, .actionTimedOut,
            .requestCompleted, .otherCalls, .routesChanged, .audioInterrupted, .mediaServicesReset,
            .surroundingsChanged, .invited, .server, .delivered, .media, .launched, .saved, .command, .tick,
            .audioActivated:
            break
        }
    }

    /// Carries one effect out.
    mutating func run(_ effect: PhoneEffect, on index: Int) {
        switch effect {
        case .reportIncoming(let call, _): reportIncoming(call, on: index)
        case .reportEnded(let call, _, _): reportEnded(call, on: index)
        case .reportStartedConnecting(let call, _): reportStartedConnecting(call, on: index)
        case .reportConnected(let call, _): reportConnected(call, on: index)
        case .reportUpdated(let call, _): judgeKnown(call, "an update", on: index)
        case .request(let request): self.request(request, on: index)
        case .fulfil(let action): complete(action, well: true, on: index)
        case .fail(let action): complete(action, well: false, on: index)
        case .configureAudio: phones[index].hasConfiguredAudio = true
        case .selectRoute, .donate, .publishRoutes, .tell: break
        case .completePush(let push): completePush(push, on: index)
        case .save(let point): save(point, on: index)
        case .connectSignaling:
            if !phones[index].isOnline { schedule(phones[index].delay, .reconnect(index, epoch: phones[index].epoch)) }
        case .send(let call, let signal): send(signal, of: call, from: index)
        case .startMedia(let call, let offers): startMedia(call, offers: offers, on: index)
        case .deliverSignal(let call, let signal): deliverSignal(signal, to: call, on: index)
        case .setAudioOpen(let call, let open): setAudio(open, of: call, on: index)
        case .setMediaMuted(let call, _), .setMediaHeld(let call, _), .playTones(let call, _), .setCamera(let call, _),
            .setTranslation(let call, _):
            _ = session(call, for: effect, on: index)
        case .stopMedia(let call):
            guard let position = session(call, for: effect, on: index) else { return }
            phones[index].sessions.remove(at: position)
        case .publish(let call): publish(call, on: index)
        case .finish(let result): finish(result, on: index)
        }
    }

    private mutating func completePush(_ push: PushID, on index: Int) {
        guard let position = phones[index].openPushes.firstIndex(of: push) else {
            return breach(.pushCompletedOnce, index, "push \(push.number) is completed, and was before")
        }
        phones[index].openPushes.remove(at: position)
    }

    // MARK: - What the app is told

    private mutating func publish(_ call: Call, on index: Int) {
        guard let number = number(of: call.id) else {
            return breach(.oneCallPerID, index, "the app is told of a throwaway call")
        }
        while phones[index].records.count <= number { phones[index].records.append(CallRecord()) }
        tally.see(call)
        var record = phones[index].records[number]
        if record.endTold { breach(.endToldOnce, index, "call \(number + 1) is told of after its end") }
        if record.states.last != call.state {
            judgeAge(record, index, number)
            record.states.append(call.state)
            record.since = time
        }
        record.last = call
        if call.hasEnded {
            record.endTold = true
            if record.overAt == nil {
                record.overAt = time
                record.overInLife = phones[index].life
                record.isOverUnsaved = true
            }
        }
        if call.state == .ended(.declined), let taken = phones[index].declines.firstIndex(of: call.id) {
            phones[index].declines.remove(at: taken)
            record.declinedAt = time
        }
        phones[index].records[number] = record
    }

    /// Checks that a state did not last for longer than it may.
    mutating func judgeAge(_ record: CallRecord, _ index: Int, _ number: Int) {
        let limit: TimeSpan
        switch record.states.last {
        case nil, .active?, .held?, .ended?: return
        case .incoming?: limit = policy.ring
        case .outgoing?: limit = policy.invite + policy.outgoingRing
        case .connecting?: limit = (plan.answersAtOnce ? policy.connect : .seconds(10)) + policy.connect
        }
        if time - record.since > Int(limit.milliseconds) + 1 {
            breach(.noCallPastDeadline, index, "call \(number + 1) stayed \(time - record.since) ms in one state")
        }
    }

    private mutating func finish(_ result: OperationResult, on index: Int) {
        guard let position = phones[index].operations.lastIndex(where: { $0.id == result.id }) else {
            return breach(.oneResultPerOperation, index, "operation \(result.id.low) was never asked for")
        }
        let operation = phones[index].operations[position]
        tally.see(result)
        if result.failure?.code == .conflict, operation.conflicts > 0 {
            phones[index].operations[position].conflicts -= 1
            return
        }
        // The next process may tell again what the last one told and could not store (R85).
        guard operation.owed > 0 || operation.life != phones[index].life else {
            return breach(.oneResultPerOperation, index, "operation \(result.id.low) is finished again")
        }
        phones[index].operations[position].owed = 0
        if operation.result == nil {
            phones[index].operations[position].result = result
            if operation.life == phones[index].life { judgeTime(operation, index) }
        }
    }

    /// Checks that an operation did not take for longer than it may (R83).
    mutating func judgeTime(_ operation: OperationRecord, _ index: Int) {
        let limit: TimeSpan
        switch operation.command {
        case .start: limit = policy.invite + policy.command
        case .answer: limit = .seconds(30) + policy.command
        case .end, .setHeld, .setMuted, .setGroup, .playTones, .setRoute, .setDisplayName, .setCamera, .switchCamera,
            .setTranslation:
            limit = policy.command
        }
        if time - operation.at > Int(limit.milliseconds) {
            breach(.operationInTime, index, "operation \(operation.id.low) took \(time - operation.at) ms")
        }
    }

    // MARK: - Media

    /// The position of a call's media session; none is a breach.
    private mutating func session(_ call: CallID, for effect: PhoneEffect, on index: Int) -> Int? {
        let position = phones[index].sessions.firstIndex { $0.call == call }
        if position == nil { breach(.mediaReleased, index, "\(effect) without a session") }
        return position
    }

    private mutating func startMedia(_ call: CallID, offers: Bool, on index: Int) {
        guard !phones[index].sessions.contains(where: { $0.call == call }) else {
            return breach(.mediaReleased, index, "media of call \(call.low) starts twice")
        }
        phones[index].sessions.append(MediaRecord(call: call, offers: offers))
        let life = phones[index].life
        if fails(.mediaStart, on: index) {
            let failure = CallFailure(.mediaFailed, "No session could be made.")
            return schedule(0, .phone(index, life: life, .media(call, .failed(failure))))
        }
        guard offers else { return }
        schedule(3, .phone(index, life: life, .media(call, .signal(MediaSignal(kind: .offer, body: "o")))))
    }

    private mutating func deliverSignal(_ signal: MediaSignal, to call: CallID, on index: Int) {
        guard let position = session(call, for: .deliverSignal(call, signal), on: index) else { return }
        guard signal.kind == .offer || signal.kind == .answer else { return }
        if signal.kind == .offer, !phones[index].sessions[position].offers {
            let answer = MediaSignal(kind: .answer, body: "a")
            schedule(3, .phone(index, life: phones[index].life, .media(call, .signal(answer))))
        }
        phones[index].sessions[position].hasRemote = true
        connectMedia(call)
    }

    private mutating func setAudio(_ open: Bool, of call: CallID, on index: Int) {
        if open, !phones[index].isWindowOpen {
            breach(.audioInWindow, index, "audio of call \(call.low) opens outside the window")
        }
        guard let position = session(call, for: .setAudioOpen(call, open), on: index) else { return }
        phones[index].sessions[position].isOpen = open
        if open { connectMedia(call) }
    }

    /// Voice arrives once two sessions know each other and have their audio.
    private mutating func connectMedia(_ call: CallID) {
        var ready: [Int] = []
        var open = 0
        for (index, phone) in phones.enumerated() {
            guard let session = phone.sessions.first(where: { $0.call == call }), session.isOpen else { continue }
            open += 1
            if session.hasRemote { ready.append(index) }
        }
        if open > 2 { breach(.onlyWinnerTalks, nil, "\(open) phones have audio in call \(call.low)") }
        guard ready.count == 2 else { return }
        for index in ready {
            guard let position = phones[index].sessions.firstIndex(where: { $0.call == call }),
                !phones[index].sessions[position].hasArrived
            else { continue }
            phones[index].sessions[position].hasArrived = true
            schedule(40, .phone(index, life: phones[index].life, .media(call, .arrived)))
        }
    }
}
