// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

// The machine, and what must hold after each of its steps.
extension PhoneWalk {
    mutating func ask(_ request: AppRequest, _ process: UUID) {
        send(.request(request, process: process))
    }

    mutating func pass(_ seconds: Double) {
        now = now.addingTimeInterval(seconds)
        send(.tick)
    }

    mutating func send(_ input: PhoneInput) {
        if case .deliveryFinished(let delivery, false) = input, let push = pushDeliveries[delivery] {
            fates.unhandled(push)
        }
        let outcome = core.handle(input, at: now)
        if let deadline = core.deadline, deadline <= now { complain("deadline in the past after \(input)") }
        // What is observed may lead to further inputs, so the ends are counted first.
        ends += outcome.effects.filter { if case .record(let entry) = $0 { isEnd(entry) } else { false } }.count
        effects += outcome.effects
        if let receipt = outcome.receipt { judge(receipt, of: input) }
        for effect in outcome.effects {
            if let complaint = suspension.follow(effect, bundleOf: bundleOf) { complain(complaint) }
        }
        for effect in outcome.effects { observe(effect) }
        if core.recents.count != ends { complain("\(core.recents.count) recents, \(ends) ended calls") }
    }

    mutating func observe(_ effect: PhoneEffect) {
        switch effect {
        case .launch(let process, let bundle, _):
            bundleOf[process] = bundle
            launched(process)
        case .launchExtension(let process, _, let request, let content):
            launchedExtension(process, request: request, content: content)
        case .storage, .launchDirectory, .storeDirectory, .storeDirectorySwitches: break
        case .terminate(let process):
            living.removeAll { $0 == process }
            if !dead.insert(process).inserted { complain("a process died twice") }
            if let bundle = bundleOf[process] { terminated[bundle, default: 0] += 1 }
            for provider in providers[process] ?? [] { audioOn.remove(provider) }
        case .record: break
        case .deliver(let delivery, let process, let event):
            if dead.contains(process) { complain("\(event) for a dead process") }
            if case .push(_, let push) = event {
                pushDeliveries[delivery] = push.id
                if let complaint = fates.delivered(push.id, to: process, dead: dead) { complain(complaint) }
            }
            receive(event, process: process)
            queue.append(.deliveryFinished(delivery: delivery, handled: chance(19, of: 20)))
        }
    }

    func isEnd(_ entry: Timeline.Entry) -> Bool {
        entry.actor == .phone && entry.text == "call ended"
    }

    mutating func receive(_ event: PhoneEvent, process: UUID) {
        if invalidated.contains(event.endpoint), !hasDaemonFaults { complain("\(event) after invalidate") }
        if case .actionTimedOut(_, let action) = event {
            if completed.contains(action) { complain("timed out after it was completed") }
            if !timedOut.insert(action).inserted { complain("timed out twice") }
        }
        switch event {
        case .application, .audioSession, .directory: break
        case .reportCompleted(let id, _), .requestCompleted(let id, _):
            if open.remove(id) == nil { complain("a second answer") }
        case .executeTransaction(_, let transaction):
            let handled = chance(1, of: 8)
            if handled { actions += transaction.actions.map { (process, $0.uuid) } }
            queue.append(
                .request(.transactionExecuted(transaction: transaction.uuid, handled: handled), process: process))
        case .performAction(_, let action):
            performed += 1
            if timedOut.contains(action.uuid) { complain("performed after it timed out") }
            if completed.contains(action.uuid) { complain("performed after it was completed") }
            if !performedActions.insert(action.uuid).inserted, action.kind != .end { complain("performed twice") }
            actions.append((process, action.uuid))
        case .audioSessionActivated(let provider):
            if !audioOn.insert(provider).inserted { complain("activated twice") }
        case .audioSessionDeactivated(let provider):
            if audioOn.remove(provider) == nil { complain("deactivated without activation") }
        case .providerDidReset(let provider): audioOn.remove(provider)
        case .push(_, let push):
            if chance(2, of: 3) {
                report(pick(calls), provider: providers[process]?.last ?? UUID(), process: process)
            }
            pushes.append((process, push.id))
        case .providerDidBegin, .actionTimedOut, .callChanged, .conversationChanged, .pushCredentials,
            .pushTokenInvalidated:
            break
        }
        if audioOn.count > 1 { complain("two providers with audio") }
    }
}
