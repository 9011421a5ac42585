// SPDX-License-Identifier: MIT

import OffhookCore

extension CallWorld {
    /// Lets an act happen; one that finds nothing to act on comes to nothing.
    mutating func perform(_ act: WorldAct) {
        switch act {
        case .call(let index, let user):
            guard has(index), phones[index].isAlive, user != phones[index].user else { return }
            calls.append(ServerCall(machine: nil, caller: index, callee: user))
            let call = CallID(high: 1, low: UInt64(calls.count))
            let handle = Handle(value: CallWorld.users[user % 8])
            ask(.start(call, CallDetails(handle: handle)), of: index)
        case .callAgain(let index):
            guard has(index), let number = calls.lastIndex(where: { $0.caller == index }) else { return }
            let handle = Handle(value: CallWorld.users[calls[number].callee % 8])
            ask(.start(CallID(high: 1, low: UInt64(number + 1)), CallDetails(handle: handle)), of: index)
        case .answer(let index, let holding): tapAnswer(index, holding: holding)
        case .end(let index, let line):
            guard let call = kitCall(index, line) else { return }
            tap(index, [(call.id, .end)])
        case .mute(let index, let muted, let line):
            guard let call = kitCall(index, line) else { return }
            tap(index, [(call.id, .mute(muted))])
        case .hold(let index, let held, let line):
            guard let call = kitCall(index, line), call.isAnswered, call.isHeld != held else { return }
            tap(index, [(call.id, .hold(held))])
        case .swap(let index):
            guard has(index), let held = phones[index].kit.first(where: { $0.isHeld }),
                let talking = phones[index].kit.first(where: { $0.isAnswered && !$0.isHeld })
            else { return }
            tap(index, [(talking.id, .hold(true)), (held.id, .hold(false))])
        case .group(let index, let joins):
            guard has(index) else { return }
            let answered = phones[index].kit.filter(\.isAnswered)
            guard let first = answered.first, let last = answered.last, first.id != last.id else { return }
            if joins == (first.group == last.group) { return }
            tap(index, [(last.id, .group(joins ? first.id : nil))])
        case .tone(let index, let line):
            guard let call = kitCall(index, line), call.isAnswered else { return }
            tap(index, [(call.id, .tones("5"))])
        case .ask(let index, let wish, let line): ask(wish, line: line, of: index)
        case .askAgain(let index):
            guard has(index), phones[index].isAlive, let last = phones[index].operations.indices.last else { return }
            // A repeat of one that is still open shares its result.
            phones[index].operations[last].owed = 1
            if phones[index].operations[last].life != phones[index].life {
                phones[index].operations[last].life = phones[index].life
                phones[index].operations[last].at = time
            }
            deliver(index, .command(phones[index].operations[last].id, phones[index].operations[last].command))
        case .askConflicting(let index):
            guard has(index), phones[index].isAlive, let last = phones[index].operations.indices.last else { return }
            let operation = phones[index].operations[last]
            phones[index].operations[last].conflicts += 1
            let command = PhoneMachine.Command.setDisplayName(operation.command.call, "another one")
            deliver(index, .command(operation.id, command))
        case .kill(let index): if has(index) { kill(index) }
        case .killAfter(let index, let effects):
            if has(index), phones[index].isAlive { phones[index].effectsLeft = effects }
        case .open(let index):
            guard has(index) else { return }
            launch(index)
            deliver(index, .surroundingsChanged(Surroundings(isForeground: true)))
        case .cut(let index, let milliseconds): if has(index) { cut(index, for: milliseconds) }
        case .delay(let index, let milliseconds): if has(index) { phones[index].delay = max(1, milliseconds) }
        case .repeatUp(let index, let milliseconds): if has(index) { phones[index].repeatsNextUp = milliseconds }
        case .lateDown(let index, let milliseconds): if has(index) { phones[index].delaysNextDown = milliseconds }
        case .repeatDown(let index): if has(index) { phones[index].repeatsNextDown = true }
        case .loseSession(let index): if has(index) { phones[index].hasSession = false }
        case .push(let index, let fate): if has(index) { phones[index].fate = fate }
        case .junkPush(let index): if has(index) { pushArrived(nil, on: index) }
        case .restartServer(let milliseconds): stopServer(for: milliseconds)
        case .restartServerAfter(let effects): if isServerUp { serverEffectsLeft = effects }
        case .signOut(let index): if has(index) { signOut(index) }
        case .fail(let index, let fault, let nth): if has(index) { phones[index].faults[fault] = nth }
        case .slowPhone(let index, let milliseconds): if has(index) { phones[index].kitDelay = max(1, milliseconds) }
        case .loseActivation(let index): if has(index) { phones[index].losesActivation = true }
        case .reset(let index): if has(index) { resetCallKit(on: index) }
        case .surroundings(let index, let change): if has(index) { deliver(index, change.event) }
        case .interruptMedia(let index, let interrupted):
            guard has(index), let session = phones[index].sessions.first else { return }
            deliver(index, .media(session.call, .interrupted(interrupted)))
        case .breakMedia(let index):
            guard has(index), let session = phones[index].sessions.first else { return }
            deliver(index, .media(session.call, .failed(CallFailure(.mediaFailed, "The session broke."))))
        }
    }

    /// The users' names, by number.
    static let users = ["u0", "u1", "u2", "u3", "u4", "u5", "u6", "u7"]

    private func has(_ index: Int) -> Bool { phones.indices.contains(index) }

    /// A call on the screen, from the oldest on.
    private func kitCall(_ index: Int, _ line: Int) -> KitCall? {
        guard has(index), line < phones[index].kit.count else { return nil }
        return phones[index].kit[line]
    }

    /// Answers what rings; the call screen offers only what the phone's groups allow (R19, G2).
    private mutating func tapAnswer(_ index: Int, holding: Bool) {
        guard has(index),
            let ringing = phones[index].kit.first(where: { call in
                !call.isOutgoing && !call.isAnswered && call.id.high == 1
                    && !phones[index].actions.contains { $0.call == call.id }
            })
        else { return }
        guard let other = phones[index].kit.first(where: { $0.id != ringing.id && !$0.isHeld }) else {
            return tap(index, [(ringing.id, .answer)])
        }
        if holding, other.isAnswered, phones[index].groupCount <= policy.maximumCallGroups {
            tap(index, [(other.id, .hold(true)), (ringing.id, .answer)])
        } else {
            tap(index, [(other.id, .end), (ringing.id, .answer)])
        }
    }

    // MARK: - The app

    private mutating func ask(_ wish: Wish, line: Int, of index: Int) {
        guard has(index), phones[index].isAlive else { return }
        let calls = phones[index].machine.calls
        let call = line < calls.count ? calls[line].id : CallID(high: 1, low: UInt64(max(1, self.calls.count)))
        let other = calls.first { $0.id != call }?.id
        let command: PhoneMachine.Command =
            switch wish {
            case .answer: .answer(call)
            case .end: .end(call)
            case .hold: .setHeld(call, true)
            case .resume: .setHeld(call, false)
            case .mute: .setMuted(call, true)
            case .unmute: .setMuted(call, false)
            case .tones: .playTones(call, "1,2")
            case .merge: .setGroup(call, with: other)
            case .split: .setGroup(call, with: nil)
            case .route: .setRoute(call, "speaker")
            case .rename: .setDisplayName(call, "Another name")
            case .camera: .setCamera(call, true)
            case .switchCamera: .switchCamera(call, .back)
            case .translate: .setTranslation(call, Translation(localLanguage: "en", remoteLanguage: "de"))
            }
        ask(command, of: index)
    }

    private mutating func ask(_ command: PhoneMachine.Command, of index: Int) {
        guard phones[index].isAlive else { return }
        let id = OperationID(high: 2, low: fresh())
        phones[index].operations.append(
            OperationRecord(id: id, command: command, at: time, life: phones[index].life))
        deliver(index, .command(id, command))
    }
}

extension Change {
    /// What the app hears.
    var event: PhoneMachine.Event {
        switch self {
        case .routes: .routesChanged(AudioRoutes())
        case .interruption: .audioInterrupted(true)
        case .interruptionEnd: .audioInterrupted(false)
        case .mediaServices: .mediaServicesReset
        case .foreground:
            .surroundingsChanged(Surroundings(isForeground: true, mayUseCamera: true, mayUseMicrophone: true))
        case .background: .surroundingsChanged(Surroundings(isForeground: false, isUnlocked: false))
        case .otherCall: .otherCalls(1)
        case .noOtherCall: .otherCalls(0)
        }
    }
}
