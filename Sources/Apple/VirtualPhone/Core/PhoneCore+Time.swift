// SPDX-License-Identifier: MIT

import Foundation

extension PhoneCore {
    /// Something that waits for time.
    enum Due: Hashable, Sendable {
        case audioActivation
        case keptRequest
        case action(transaction: UUID, action: UUID)
        case ring(UUID)
        case secondCheck(UUID)
        case pushCompletion(UUID)
        case audioStop(UUID)
        case notification(app: String)
        case activity(String)
        case person(UUID)
        case keptPush(UUID)
        case extensionLimit(UUID)
        case backgroundTime(UUID)
        case backgroundTasks(UUID)
        case directoryLoad(UUID)
        case directoryPurge(String)
    }

    /// What is due next; of several at one moment the first of this order.
    var nextDue: (date: Date, due: Due)? {
        var next: (date: Date, due: Due)?
        func consider(_ date: Date?, _ due: Due) {
            guard let date else { return }
            if let earliest = next?.date, earliest <= date { return }
            next = (date, due)
        }
        consider(audio.activationDate, .audioActivation)
        consider(nextKeptRequest, .keptRequest)
        // What waits for the line has not begun.
        for transaction in transactions where transaction.after == nil {
            if let action = transaction.nextTimeout {
                consider(action.timeoutDate, .action(transaction: transaction.uuid, action: action.uuid))
            }
        }
        for call in calls { consider(call.ringDeadline, .ring(call.uuid)) }
        for push in pushes {
            consider(push.secondCheck, .secondCheck(push.id))
            consider(push.completionLimit, .pushCompletion(push.id))
        }
        for push in device.keptPushes { consider(push.due, .keptPush(push.push.id)) }
        for record in device.extensionRequests { consider(record.limit, .extensionLimit(record.id)) }
        if hasBackgroundLimits {
            for process in sortedProcesses {
                consider(process.backgroundDeadline, .backgroundTime(process.id))
                consider(process.taskLimit, .backgroundTasks(process.id))
            }
        }
        // Two at one moment: the order must not depend on the dictionary's.
        if let stop = audio.stopLimits.min(by: { ($0.value, $0.key.uuidString) < ($1.value, $1.key.uuidString) }) {
            consider(stop.value, .audioStop(stop.key))
        }
        for app in notifications.keys.sorted() {
            consider(notifications[app]?.pending.map(\.date).min(), .notification(app: app))
        }
        if apps.values.contains(where: { $0.pendingActivity != nil }) {
            for bundle in apps.keys.sorted() { consider(apps[bundle]?.pendingActivity?.limit, .activity(bundle)) }
        }
        for call in calls { consider(personActs(on: call), .person(call.uuid)) }
        considerDirectory(consider)
        return next
    }

    /// Asked at every step, so that the processes need not be sorted when none has a limit.
    private var hasBackgroundLimits: Bool {
        processes.values.contains { $0.backgroundDeadline != nil || $0.taskLimit != nil }
    }

    /// Does everything that is due.
    mutating func runDue() {
        while let next = nextDue, next.date <= now {
            switch next.due {
            case .audioActivation: activateAudio()
            case .keptRequest: handleKeptRequests()
            case .action(let transaction, let action): timeOut(action, of: transaction)
            case .ring(let call): ringTimedOut(call)
            case .secondCheck(let push): checkTwo(push)
            case .pushCompletion(let push): checkCompletion(push)
            case .audioStop(let process): checkAudioStopped(process)
            case .notification(let app): deliverDueNotifications(of: app)
            case .activity(let bundle): activityIsLate(bundle)
            case .person(let call): personActs(onCall: call)
            case .keptPush(let push): releaseKept(push)
            case .extensionLimit(let request): notificationTimedOut(request)
            case .backgroundTime(let process): backgroundTimeIsOver(process)
            case .backgroundTasks(let process): tasksAreOverdue(process)
            case .directoryLoad(let process): loadIsDue(process)
            case .directoryPurge(let identifier): purgeExtension(identifier)
            }
            advanceLine()
        }
    }
}
