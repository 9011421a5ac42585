// SPDX-License-Identifier: MIT

import OffhookCore

// CallKit as the rules of the phone describe it, strict: it judges.
extension CallWorld {
    // MARK: - Reports

    mutating func reportIncoming(_ call: CallID, on index: Int) {
        phones[index].reportsInCallback += 1
        let life = phones[index].life
        let delay = phones[index].kitDelay
        let isNew = phones[index].everReported.insert(call).inserted
        if let number = number(of: call) {
            while phones[index].records.count <= number { phones[index].records.append(CallRecord()) }
            let record = phones[index].records[number]
            if let overAt = record.overAt, !record.isOverUnsaved || record.overInLife == phones[index].life {
                breach(.neverRingsAgain, index, "call \(number + 1) rings, and was over at \(overAt) ms")
            }
            phones[index].records[number].wasReported = true
        }
        if let left = phones[index].kitIndex(call) {
            // A process that died leaves its calls behind; the next one may not know of them.
            if phones[index].kit[left].life == life {
                breach(.oneCallPerID, index, "call \(call.low) is reported, and CallKit has it")
            }
            let failure = CallFailure(.refusedByPhone, "CallKit has a call with this UUID.")
            return schedule(delay, .phone(index, life: life, .reportCompleted(call, failure)))
        }
        if !isNew, call.high == 9 { breach(.oneCallPerID, index, "a throwaway id is used again") }
        if fails(.report, on: index) {
            let failure = CallFailure(.filtered, "Do Not Disturb is on.")
            return schedule(delay, .phone(index, life: life, .reportCompleted(call, failure)))
        }
        phones[index].kit.append(KitCall(id: call, isOutgoing: false, group: Int(fresh()), life: life))
        schedule(delay, .phone(index, life: life, .reportCompleted(call, nil)))
        schedule(CallWorld.phoneRing, .ringTimeout(index, call))
    }

    mutating func reportEnded(_ call: CallID, on index: Int) {
        judgeKnown(call, "an end", on: index)
        hide(call, on: index)
    }

    mutating func reportStartedConnecting(_ call: CallID, on index: Int) {
        judgeKnown(call, "startedConnecting", on: index)
        guard let position = phones[index].kitIndex(call) else { return }
        if !phones[index].kit[position].isOutgoing || phones[index].kit[position].hasStartedConnecting {
            breach(.callKitObeyed, index, "startedConnecting for call \(call.low) does not fit")
        }
        phones[index].kit[position].hasStartedConnecting = true
    }

    mutating func reportConnected(_ call: CallID, on index: Int) {
        judgeKnown(call, "connected", on: index)
        guard let position = phones[index].kitIndex(call) else { return }
        let known = phones[index].kit[position]
        if !known.isOutgoing || !known.hasStartedConnecting || known.hasConnected {
            breach(.callKitObeyed, index, "connected for call \(call.low) does not fit (O2)")
        }
        phones[index].kit[position].hasConnected = true
    }

    mutating func judgeKnown(_ call: CallID, _ what: String, on index: Int) {
        // What an earlier process left behind may be gone meanwhile; CallKit ignores it then (E2).
        // So it does with the end of a throwaway report that it refused.
        let isIgnored = phones[index].isRecovering || call.high == 9
        if phones[index].kitIndex(call) == nil, !isIgnored {
            breach(.callKitObeyed, index, "\(what) for call \(call.high)-\(call.low), which CallKit does not have")
        }
    }

    // MARK: - Transactions

    mutating func request(_ request: CallRequest, on index: Int) {
        let life = phones[index].life
        let delay = phones[index].kitDelay
        if let failure = obstacle(to: request, on: index) {
            return schedule(delay, .phone(index, life: life, .requestCompleted(request, failure)))
        }
        if case .start(let call, _) = request {
            phones[index].everReported.insert(call)
            phones[index].kit.append(KitCall(id: call, isOutgoing: true, group: Int(fresh()), life: life))
        }
        schedule(delay, .phone(index, life: life, .requestCompleted(request, nil)))
        begin(request.actions, on: index, after: delay + 2)
    }

    private mutating func obstacle(to request: CallRequest, on index: Int) -> CallFailure? {
        if fails(.request, on: index) { return CallFailure(.refusedByPhone, "CallKit refused it: error 0.") }
        if case .start(let call, _) = request {
            if phones[index].everReported.contains(call) {
                if phones[index].kitIndex(call) != nil || !phones[index].isSignedOut {
                    breach(.oneCallPerID, index, "call \(call.low) is started, and CallKit had it")
                }
                return CallFailure(.refusedByPhone, "CallKit has a call with this UUID: error 5.")
            }
            if phones[index].groupCount >= policy.maximumCallGroups {
                return CallFailure(.refusedByPhone, "No more groups: error 7.")
            }
            return nil
        }
        for (call, _) in request.actions where phones[index].kitIndex(call) == nil {
            return CallFailure(.refusedByPhone, "CallKit does not have the call: error 4.")
        }
        return nil
    }

    /// The user or the system does something with calls on the screen; an app that died is launched for it (E4).
    mutating func tap(_ index: Int, _ actions: [(CallID, KitAction.Kind)]) {
        begin(actions, on: index, after: 0)
    }

    private mutating func begin(_ actions: [(CallID, KitAction.Kind)], on index: Int, after delay: Int) {
        let transaction = Int(fresh())
        for (call, kind) in actions {
            let action = KitAction(
                id: ActionID(high: 1, low: fresh()), transaction: transaction, kind: kind, call: call)
            phones[index].actions.append(action)
            schedule(kind.limit, .actionTimeout(index, action.id))
        }
        schedule(delay, .perform(index, transaction: transaction))
    }

    /// The actions of a transaction are performed one after the other (T9).
    mutating func performNext(of transaction: Int, on index: Int) {
        guard !phones[index].actions.contains(where: { $0.transaction == transaction && $0.isPerforming }),
            let next = phones[index].actions.firstIndex(where: { $0.transaction == transaction })
        else { return }
        let action = phones[index].actions[next]
        guard phones[index].kitIndex(action.call) != nil else {
            phones[index].actions.remove(at: next)
            return performNext(of: transaction, on: index)
        }
        guard phones[index].isAlive else { return schedule(100, .launch(index)) }
        phones[index].actions[next].isPerforming = true
        deliver(index, action.event)
    }

    mutating func complete(_ id: ActionID, well: Bool, on index: Int) {
        guard let position = phones[index].actions.firstIndex(where: { $0.id == id && $0.isPerforming }) else {
            return breach(.actionCompletedOnce, index, "action \(id.low) is completed, and is not pending")
        }
        let action = phones[index].actions.remove(at: position)
        apply(action, well: well, on: index)
        if phones[index].actions.contains(where: { $0.transaction == action.transaction }) {
            schedule(1, .perform(index, transaction: action.transaction))
        }
    }

    private mutating func apply(_ action: KitAction, well: Bool, on index: Int) {
        guard let position = phones[index].kitIndex(action.call) else { return }
        switch action.kind {
        case .start, .answer:
            guard well else { return hide(action.call, on: index) }  // A4
            if !phones[index].hasConfiguredAudio {
                breach(.callKitObeyed, index, "call \(action.call.low) goes on without a category (S1)")
            }
            phones[index].kit[position].isAnswered = true
            if action.kind == .answer, let number = number(of: action.call) {
                phones[index].records[number].isAnswerFulfilled = true
            }
        case .end:
            guard well else { return }
            phones[index].declines.append(action.call)
            return hide(action.call, on: index)
        case .hold(let held):
            if well { phones[index].kit[position].isHeld = held }
        case .mute(let muted):
            if well { phones[index].kit[position].isMuted = muted }
        case .group(let other):
            guard well else { return }
            let group = other.flatMap { phones[index].kitIndex($0) }.map { phones[index].kit[$0].group }
            phones[index].kit[position].group = group ?? Int(fresh())
        case .tones, .translate:
            break
        }
        wantAudio(on: index)
    }

    mutating func timeOut(_ id: ActionID, on index: Int) {
        guard let position = phones[index].actions.firstIndex(where: { $0.id == id }) else { return }
        let action = phones[index].actions.remove(at: position)
        guard action.isPerforming else { return }
        if phones[index].isAlive {
            breach(.actionCompletedOnce, index, "action \(id.low) for call \(action.call.low) ran out of time")
            deliver(index, .actionTimedOut(id))
        }
        // A3: what an answer leaves behind is ended.
        if action.kind == .answer, phones[index].kitIndex(action.call) != nil { tap(index, [(action.call, .end)]) }
        if action.kind == .start { hide(action.call, on: index) }
        performNext(of: action.transaction, on: index)
    }

    mutating func ringTimeout(_ call: CallID, on index: Int) {
        guard let position = phones[index].kitIndex(call), !phones[index].kit[position].isAnswered else { return }
        let isBeingAnswered = phones[index].actions.contains { $0.call == call && $0.kind == .answer }
        if !isBeingAnswered { tap(index, [(call, .end)]) }
    }

    mutating func resetCallKit(on index: Int) {
        phones[index].kit = []
        phones[index].actions = []
        phones[index].isAudioActive = false
        deliver(index, .providerReset)
    }

    // MARK: - The audio session

    private mutating func hide(_ call: CallID, on index: Int) {
        phones[index].kit.removeAll { $0.id == call }
        wantAudio(on: index)
    }

    private mutating func wantAudio(on index: Int) {
        let wants = phones[index].kit.contains { $0.isAnswered && !$0.isHeld }
        guard wants != phones[index].isAudioActive, !phones[index].isAudioStepDue else { return }
        phones[index].isAudioStepDue = true
        schedule(phones[index].kitDelay * 2, .audio(index))
    }

    mutating func followAudio(on index: Int) {
        phones[index].isAudioStepDue = false
        let wants = phones[index].kit.contains { $0.isAnswered && !$0.isHeld }
        guard wants != phones[index].isAudioActive else { return }
        if wants, phones[index].losesActivation {
            phones[index].losesActivation = false
            return
        }
        phones[index].isAudioActive = wants
        deliver(index, wants ? .audioActivated : .audioDeactivated)
    }
}

extension WorldPhone {
    /// How many groups CallKit counts (T5).
    var groupCount: Int { Set(kit.map(\.group)).count }
}

extension KitAction.Kind {
    /// How long CallKit waits for it (T6), in milliseconds.
    var limit: Int {
        switch self {
        case .start: 600_000
        case .answer: 60_000
        case .end, .hold, .mute, .group, .tones, .translate: 5000
        }
    }
}

extension KitAction {
    /// What the provider's delegate hears.
    var event: PhoneMachine.Event {
        switch kind {
        case .start: .startPerformed(id, call)
        case .answer: .answerPerformed(id, call)
        case .end: .endPerformed(id, call)
        case .hold(let held): .holdPerformed(id, call, held)
        case .mute(let muted): .mutePerformed(id, call, muted)
        case .group(let other): .groupPerformed(id, call, with: other)
        case .tones(let tones): .tonesPerformed(id, call, tones)
        case .translate(let translation): .translationPerformed(id, call, translation)
        }
    }
}

extension CallRequest {
    /// The actions of the transaction, in their order.
    var actions: [(CallID, KitAction.Kind)] {
        switch self {
        case .start(let call, _): [(call, .start)]
        case .answer(let call): [(call, .answer)]
        case .end(let call): [(call, .end)]
        case .setHeld(let call, let held): [(call, .hold(held))]
        case .setMuted(let call, let muted): [(call, .mute(muted))]
        case .setGroup(let call, let other): [(call, .group(other))]
        case .playTones(let call, let tones): [(call, .tones(tones))]
        case .setTranslation(let call, let translation): [(call, .translate(translation))]
        case .holdAndAnswer(let held, let answered): [(held, .hold(true)), (answered, .answer)]
        case .endAndAnswer(let ended, let answered): [(ended, .end), (answered, .answer)]
        case .swap(let held, let resumed): [(held, .hold(true)), (resumed, .hold(false))]
        }
    }
}
