// SPDX-License-Identifier: MIT

import Foundation

// K11, R80: time in the background, suspension, and what wakes an app.
//
// A real process is frozen while it is suspended; the threads of one in this process are not. What it asks then is what
// it would have asked next: it is put off until the app is woken. What is only read is answered, audio is refused.
extension PhoneCore {
    /// After each input: who needs no background time has no deadline, who needs it gets one.
    mutating func updateLives() {
        // At every step: in place, without copies of the records. The order does not matter.
        let (apps, calls) = (apps, calls)
        let deadline = date(after: settings.backgroundTime)
        var index = processes.startIndex
        while index != processes.endIndex {
            PhoneCore.updateLife(of: &processes.values[index], apps: apps, calls: calls, deadline: deadline)
            processes.formIndex(after: &index)
        }
    }

    private static func updateLife(
        of process: inout ProcessRecord, apps: [String: AppRecord], calls: [CallRecord], deadline: Date
    ) {
        guard !process.isSuspended, process.extends == nil, apps[process.bundle]?.process == process.id else { return }
        let needsNone = process.isForeground || process.isLaunching || keepsRunning(process, apps: apps, calls: calls)
        let hasLimit = process.backgroundDeadline != nil || process.taskLimit != nil
        guard needsNone == hasLimit else { return }
        process.taskLimit = nil
        process.backgroundDeadline = needsNone ? nil : deadline
    }

    /// A call keeps its app running, and so does audio with the `audio` mode (R2).
    private static func keepsRunning(
        _ process: ProcessRecord, apps: [String: AppRecord], calls: [CallRecord]
    ) -> Bool {
        if calls.contains(where: { $0.bundle == process.bundle }) { return true }
        return process.audio.isRunning && apps[process.bundle]?.app.backgroundModes.contains(.audio) == true
    }

    /// A push or an action came: the app has its time anew.
    mutating func giveBackgroundTime(to process: UUID) {
        guard let record = processes[process], !record.isForeground, record.extends == nil else { return }
        processes[process]?.taskLimit = nil
        let deadline = date(after: settings.backgroundTime)
        processes[process]?.backgroundDeadline = deadline
    }

    mutating func backgroundTimeIsOver(_ process: UUID) {
        guard let record = processes[process] else { return }
        processes[process]?.backgroundDeadline = nil
        guard !record.backgroundTasks.isEmpty else { return suspend(process) }
        let limit = date(after: settings.expiredTaskLimit)
        processes[process]?.taskLimit = limit
        log(.phone, "the time for background tasks is over", rule: "K11", app: record.bundle)
        tell(.backgroundTimeExpired, to: process)
    }

    mutating func tasksAreOverdue(_ process: UUID) {
        guard let record = processes[process] else { return }
        processes[process]?.taskLimit = nil
        let advice = "Call endBackgroundTask in the task's expiration handler, and as soon as the work is done."
        violate("K11", "a background task was not ended when its time was over", advice: advice, app: record.bundle)
        die(
            record.bundle, rule: "K11", code: "0x8badf00d",
            message: "A background task was not ended when its time was over. \(advice)")
    }

    mutating func suspend(_ process: UUID) {
        guard let record = processes[process], !record.isSuspended else { return }
        processes[process]?.backgroundDeadline = nil
        processes[process]?.taskLimit = nil
        processes[process]?.isSuspended = true
        log(.phone, "suspended the app", rule: "K11", app: record.bundle)
        suspendSound(of: process)
    }

    /// A suspended process goes on: what waited for it is delivered, and what it asked is done.
    mutating func wake(_ process: UUID) {
        guard let record = processes[process], record.isSuspended else { return }
        processes[process]?.isSuspended = false
        processes[process]?.held = []
        processes[process]?.frozenRequests = []
        log(.phone, "woke the app", rule: "K11", app: record.bundle)
        giveBackgroundTime(to: process)
        for held in record.held {
            outcome.effects.append(.deliver(delivery: held.number, process: process, event: held.event))
        }
        thawed += record.frozenRequests.map { FrozenRequest(process: process, request: $0) }
    }

    /// Woken processes ask what they would have asked before.
    mutating func runThawed() {
        while !thawed.isEmpty {
            let next = thawed.removeFirst()
            _ = answer(next.request, from: next.process)
        }
    }

    /// The answer to a suspended process; nil when the request is answered as always.
    mutating func frozenAnswer(to request: AppRequest, of process: UUID) -> AppReply? {
        guard let record = processes[process] else { return .processTerminated }
        if request.startsAudio {
            log(.phone, "refused audio: the app is suspended", rule: "K11", app: record.bundle)
            return .failure(PhoneError(domain: AudioNames.errorDomain, code: AudioNames.cannotStart))
        }
        guard request.isPutOff else { return nil }
        if record.frozenRequests.isEmpty {
            log(.phone, "the app is suspended: what it asks is put off", rule: "K11", app: record.bundle)
        }
        processes[process]?.frozenRequests.append(request)
        return .done
    }
}

extension PhoneEvent {
    /// Whether a suspended app is woken for it; else it waits (K11).
    var wakes: Bool {
        switch self {
        case .push, .executeTransaction, .performAction, .actionTimedOut, .audioSessionActivated: return true
        case .providerDidBegin, .providerDidReset, .reportCompleted, .audioSessionDeactivated, .requestCompleted,
            .callChanged, .conversationChanged, .pushCredentials, .pushTokenInvalidated, .application, .audioSession,
            .directory:
            return false
        }
    }
}

extension AppRequest {
    fileprivate var startsAudio: Bool {
        switch self {
        case .setAudioActive(true, _), .setAudioRunning(true), .audioSession(.setRunning(_, true, _)): return true
        default: return false
        }
    }

    /// Whether it waits while the app is suspended; what is only read is answered at once (K11).
    fileprivate var isPutOff: Bool {
        switch self {
        case .observeCalls, .listCalls, .pushToken, .readAudioSession, .audioSession: return false
        case .application(let request): return request.isPutOff
        case .createProvider, .configureProvider, .setProviderDelegate, .invalidateProvider, .releaseProvider,
            .providerDelegateReleased, .delegateMethodMissing, .reportNewIncomingCall, .reportCallUpdated,
            .reportCallEnded, .reportOutgoingCallStartedConnecting, .reportOutgoingCallConnected,
            .transactionExecuted, .actionFulfilled, .actionFailed, .actionNotImplemented, .requestTransaction,
            .stopObservingCalls, .createPushRegistry, .setDesiredPushTypes, .releasePushRegistry, .pushHandlerReturned,
            .pushCompleted, .pushNotHandled, .pushCredentialsNotHandled, .reportVoIPPushPayload, .setAudioCategory,
            .setAudioActive, .overrideOutputPort, .setAudioRunning, .directory, .telephony:
            return true
        }
    }
}

extension ApplicationRequest {
    /// Whether it waits while the app is suspended.
    fileprivate var isPutOff: Bool {
        switch self {
        case .attach, .beginBackgroundTask, .endBackgroundTask, .registerForRemoteNotifications: return true
        case .readState, .activityNotTaken, .readDevice, .openURL, .setIdleTimerDisabled, .setProximityMonitoring,
            .log, .donate, .containerPath, .notifications, .keychain, .deliverNotification:
            return false
        }
    }
}
