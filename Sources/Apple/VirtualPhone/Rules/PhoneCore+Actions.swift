// SPDX-License-Identifier: MIT

import Foundation

// A1, A3, A4, T6-T8, T11, R29: how actions are completed, and what that changes.
extension PhoneCore {
    /// How an app completes an action.
    enum Completion: Hashable, Sendable {
        /// fulfill(), with the date of the variants that carry one.
        case fulfilled(Date?)
        /// fail().
        case failed
    }

    mutating func complete(_ action: UUID, _ completion: Completion, by process: UUID) {
        guard let bundle = processes[process]?.bundle else { return }
        guard let found = find(action, of: bundle) else { return completedInVain(action, bundle: bundle) }
        let kind = found.action.value.kind
        guard found.action.state == .performing || found.isOffered else {
            violate(
                "T7", "\(PhoneCore.name(of: kind)) was completed before the provider was asked to perform it",
                advice: "Call fulfill() or fail() from the delegate callback on, not on the action you requested.",
                app: bundle, call: found.action.value.call)
            return
        }
        let rule = PhoneCore.rule(of: kind)
        switch completion {
        case .fulfilled(let date):
            log(.app, "fulfilled \(PhoneCore.name(of: kind))", rule: rule, call: found.action.value.call, app: bundle)
            close(action, of: found.transaction, as: .completed)
            apply(found.action.value, date: date, origin: found.origin, isLast: found.isLast)
        case .failed:
            log(.app, "failed \(PhoneCore.name(of: kind))", rule: "A4", call: found.action.value.call, app: bundle)
            close(action, of: found.transaction, as: .completed)
            undo(found.action.value)
            dropRestOfMerge(found.transaction)
        }
        performNext(of: found.transaction)
    }

    /// T11: the delegate has only the default method.
    mutating func notImplemented(_ action: UUID, method: String, by process: UUID) {
        guard let bundle = processes[process]?.bundle else { return }
        violate(
            "T11", "the provider's delegate does not implement \(method), so the action fails",
            advice: "Implement it, and check its spelling: a default hides a misspelt method.",
            app: bundle, call: find(action, of: bundle)?.action.value.call)
        if settings.unimplementedActionFails { complete(action, .failed, by: process) }
    }

    /// T8: the deadline passed; the action has failed, and the delegate is told.
    mutating func timeOut(_ action: UUID, of id: UUID) {
        guard let index = transactions.firstIndex(where: { $0.uuid == id }),
            let position = transactions[index].position(of: action)
        else { return }
        let found = transactions[index].actions[position]
        let (bundle, provider) = (transactions[index].bundle, transactions[index].provider)
        let (stage, awaitsCompletion) = (transactions[index].stage, transactions[index].awaitsCompletion)
        let name = PhoneCore.name(of: found.value.kind)
        close(action, of: id, as: .timedOut)
        log(.phone, "\(name) timed out", rule: "T8", call: found.value.call, app: bundle)
        let wasPerformed = found.state == .performing
        if wasPerformed {
            violate(
                "R29", "\(name) was neither fulfilled nor failed by its deadline",
                advice: "Complete every action on every path; do not wait for didActivate before fulfilling (A2).",
                app: bundle, call: found.value.call)
        } else if awaitsCompletion {
            log(.phone, "it was not performed before", rule: "T6", call: found.value.call, app: bundle)
        } else if stage == .waiting {
            violate(
                "R15", "no provider with a delegate was there to perform \(name)",
                advice: "Create the CXProvider and set its delegate at every launch, in the background too.",
                app: bundle, call: found.value.call)
        }
        // Once offered, the provider knows of it, performed or not.
        if stage != .waiting, let provider,
            let process = apps[bundle]?.process
        {
            deliver(.actionTimedOut(provider: provider, action: action), to: process)
        }
        afterTimeout(of: found.value, wasPerformed: wasPerformed)
        dropRestOfMerge(id)
        performNext(of: id)
    }

    private mutating func afterTimeout(of action: ActionValue, wasPerformed: Bool) {
        guard let call = action.call, let index = callIndex(call) else { return }
        switch action.kind {
        case .answer, .start:
            guard settings.timedOutAnswerOrStartEndsCall else { return }
            // A3: the observer hears of it, then the call ends through an action.
            notifyObservers(calls[index].value)
            endThroughAction(call, origin: .phone)
        case .end:
            calls[index].isEnding = false
            calls[index].line.refusesEnd = true
            if !wasPerformed || settings.timedOutEndEndsCall {
                finish(
                    call, outcome: recentOutcome(ofEnded: calls[index]), rule: "T8")
            } else if calls[index].phase == .ringing, let ringLimit {
                // It rings on, but no longer than any other call (I6).
                let end = calls[index].createdAt.addingTimeInterval(ringLimit / .seconds(1))
                calls[index].ringDeadline = max(now, end)
            }
        case .setHeld(let isOnHold): calls[index].line.refusesHold = isOnHold
        case .playDTMF: dropTones(of: call)
        case .setMuted, .setGroup, .setTranslating, .other: break
        }
    }

    /// What a fulfilled action changes.
    mutating func apply(_ action: ActionValue, date: Date?, origin: Timeline.Actor, isLast: Bool) {
        guard let call = action.call, let index = callIndex(call) else { return }
        let bundle = calls[index].bundle
        switch action.kind {
        case .answer:
            calls[index].phase = .connected
            calls[index].connectedAt = sensible(date ?? calls[index].reportedConnectedAt, of: calls[index])
            takeLine(call)
            log(.phone, "call connected", rule: "A1", call: call, app: bundle)
            announceConnection(of: calls[index].value)
        case .start:
            calls[index].phase = calls[index].connectedAt == nil ? .started : .connected
            takeLine(call)
            updateAudio()
        case .end:
            let wasOngoing = calls[index].phase != .ringing
            finish(
                call, outcome: recentOutcome(ofEnded: calls[index]), endedAt: sensible(date, of: calls[index]),
                rule: "E1")
            if origin == .user, isLast, wasOngoing { resumeHeldCall() }
        case .setHeld(let isOnHold): applyHold(isOnHold, to: call, origin: origin)
        case .setMuted(let isMuted): calls[index].isMuted = isMuted
        case .setGroup(let other): applyGroup(with: other, to: call)
        case .playDTMF: playNextTone(of: call)
        case .setTranslating(let isTranslating, let local, let remote):
            applyTranslation(isTranslating, local: local, remote: remote, to: call)
        case .other: break
        }
    }

    /// A4: a failed answer or start ends the call; anything else leaves it as it was.
    private mutating func undo(_ action: ActionValue) {
        guard let call = action.call, let index = callIndex(call) else { return }
        switch action.kind {
        case .answer, .start:
            if settings.failedAnswerOrStartEndsCall { finish(call, outcome: .failed, rule: "A4") }
        case .end:
            calls[index].isEnding = false
            calls[index].line.refusesEnd = true
        case .setHeld(let isOnHold): calls[index].line.refusesHold = isOnHold
        case .playDTMF: dropTones(of: call)
        case .setMuted, .setGroup, .setTranslating, .other: break
        }
    }

    private mutating func completedInVain(_ action: UUID, bundle: String) {
        switch closedActions[action] {
        case .completed:
            violate(
                "R29", "an action was completed twice",
                advice: "Call fulfill() or fail() exactly once; the first call counts.", app: bundle)
        case .timedOut:
            violate(
                "T8", "an action was completed after it had timed out",
                advice: "Forget the action in provider(_:timedOutPerforming:).", app: bundle)
        case .dropped: log(.app, "completed an action whose call is over", rule: "T7", app: bundle)
        case nil: log(.app, "completed an action that no provider holds", rule: "T7", app: bundle)
        }
    }
}
