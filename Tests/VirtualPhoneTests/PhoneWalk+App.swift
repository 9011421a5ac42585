// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

// A crude app, which does right and wrong things by chance.
extension PhoneWalk {
    /// Something that an app does by itself.
    mutating func appStep(_ call: UUID) {
        guard let process = living.randomElement(using: &random) else { return }
        let provider = providers[process]?.randomElement(using: &random) ?? UUID()
        switch Int.random(in: 0..<15, using: &random) {
        case 0, 1, 2: report(call, provider: provider, process: process)
        case 3: ask(.reportCallEnded(provider: provider, call: call, date: nil, reason: 2), process)
        case 4: ask(.reportOutgoingCallConnected(provider: provider, call: call, date: nil), process)
        case 5: request(.start(handle: Calls.alice, contactIdentifier: nil, isVideo: false), call, process)
        case 6: request(pick([.end, .answer, .setHeld(true), .setHeld(false), .setMuted(true)]), call, process)
        case 7, 8: complete()
        case 9: ask(.setAudioRunning(running: chance(1, of: 2)), process)
        case 10: ask(.setAudioActive(active: chance(1, of: 2), options: 0), process)
        case 11:
            guard chance(1, of: 8), !isSuspended(process) else { return }
            audioOn.remove(provider)  // P3: it hears nothing more
            invalidated.insert(provider)
            ask(
                chance(1, of: 2) ? .invalidateProvider(provider: provider) : .releaseProvider(provider: provider),
                process)
        case 14: taskStep(process)
        case 12: if chance(1, of: 8) { makeProvider(process) }
        default: returnPush()
        }
    }

    /// The app's main function.
    mutating func launched(_ process: UUID) {
        living.append(process)
        if chance(9, of: 10) { makeProvider(process) }
        let registry = random.uuid()
        registries[process] = registry
        if chance(9, of: 10) { ask(.setDesiredPushTypes(registry: registry, types: ["PKPushTypeVoIP"]), process) }
        ask(.observeCalls(observer: random.uuid()), process)
        queue.append(.launchFinished(process: process))
    }

    mutating func makeProvider(_ process: UUID) {
        let provider = random.uuid()
        providers[process, default: []].append(provider)
        ask(.createProvider(provider: provider, configuration: ProviderConfigurationValue()), process)
        if chance(9, of: 10) { ask(.setProviderDelegate(provider: provider, present: true), process) }
    }

    mutating func report(_ call: UUID, provider: UUID, process: UUID) {
        let report = random.uuid()
        open.insert(report)
        ask(.reportNewIncomingCall(provider: provider, call: call, update: Calls.update, report: report), process)
    }

    mutating func request(_ kind: ActionValue.Kind, _ call: UUID, _ process: UUID) {
        let request = random.uuid()
        open.insert(request)
        let action = ActionValue(uuid: random.uuid(), call: call, kind: kind, timeoutDate: now.addingTimeInterval(5))
        ask(
            .requestTransaction(
                request: request, transaction: TransactionValue(uuid: random.uuid(), actions: [action])), process)
    }

    mutating func complete() {
        guard !actions.isEmpty else { return }
        let index = Int.random(in: 0..<actions.count, using: &random)
        let action = chance(1, of: 10) ? actions[index] : actions.remove(at: index)
        // What a suspended app asks is put off, and may be too late then (K11).
        if !dead.contains(action.process), !isSuspended(action.process) { completed.insert(action.action) }
        ask(
            chance(5, of: 6)
                ? .actionFulfilled(action: action.action, date: nil) : .actionFailed(action: action.action),
            action.process)
    }

    mutating func returnPush() {
        guard let push = pushes.popLast() else { return }
        ask(.pushCompleted(push: push.push), push.process)
        ask(.pushHandlerReturned(push: push.push), push.process)
        if !dead.contains(push.process), !isSuspended(push.process) { fates.returned(push.push) }
    }

    private mutating func taskStep(_ process: UUID) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: ask(.application(.attach(application: random.uuid())), process)
        case 1: ask(.application(.beginBackgroundTask(task: 1, name: nil)), process)
        default: ask(.application(.endBackgroundTask(task: 1)), process)
        }
    }

    /// A notification service extension: hands a VoIP push over, delivers the notification, or does neither.
    mutating func launchedExtension(_ process: UUID, request: UUID, content: NotificationValue) {
        queue.append(.launchFinished(process: process))
        if chance(1, of: 2) {
            let report = random.uuid()
            open.insert(report)
            ask(.reportVoIPPushPayload(payload: Data("{}".utf8), report: report), process)
        }
        if chance(3, of: 4) {
            queue.append(
                .request(
                    .application(.deliverNotification(request: request, content: content)), process: process))
        }
    }
}
