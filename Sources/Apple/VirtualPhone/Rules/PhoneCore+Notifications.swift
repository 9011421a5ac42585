// SPDX-License-Identifier: MIT

import Foundation

// R77, R121, R132: notifications as the user sees them.
extension PhoneCore {
    mutating func handle(_ input: NotificationInput) {
        switch input {
        case .allowed(let app, let allows):
            notifications[app, default: NotificationState()].answer = allows
            if notifications[app]?.authorization != 0 {
                notifications[app]?.authorization = allows ? 2 : 1
            }
            log(.user, allows ? "allows notifications" : "forbids notifications", rule: "R77", app: app)
        case .tapped(let identifier, let app, let action):
            tapNotification(identifier, of: app, action: action)
        }
    }

    mutating func answer(_ request: NotificationRequest, of process: UUID, bundle: String) -> AppReply {
        var state: NotificationState { notifications[bundle] ?? NotificationState() }
        switch request {
        case .attach(let center, let decides):
            processes[process]?.notificationCenter = center
            processes[process]?.decidesPresentation = decides
            guard decides, let held = processes[process]?.heldResponses else { break }
            processes[process]?.heldResponses = []
            for response in held { respond(response, center: center, process: process) }
        case .requestAuthorization(let options):
            return .notifications(.authorization(status: askToNotify(options, process: process, bundle: bundle)))
        case .readSettings:
            return .notifications(.authorization(status: state.authorization))
        case .add(let value, let delay): add(value, delay: delay, process: process, bundle: bundle)
        case .removePending(let identifiers):
            notifications[bundle]?.pending.removeAll { identifiers?.contains($0.value.identifier) ?? true }
        case .removeDelivered(let identifiers):
            notifications[bundle]?.delivered.removeAll { identifiers?.contains($0.identifier) ?? true }
        case .list:
            return .notifications(.list(pending: state.pending.map(\.value), delivered: state.delivered))
        case .setBadge(let count): notifications[bundle, default: NotificationState()].badge = count
        case .presented(let identifier, let options):
            guard let index = notifications[bundle]?.offered.firstIndex(where: { $0.identifier == identifier }),
                let value = notifications[bundle]?.offered.remove(at: index)
            else { break }
            if options != 0 { show(value) }
        }
        return .done
    }

    /// R77: the question is asked once, on an unlocked phone, by the app on the screen.
    private mutating func askToNotify(_ options: UInt, process: UUID, bundle: String) -> Int {
        let known = notifications[bundle]?.authorization ?? 0
        guard known == 0 else { return known }
        // UNAuthorizationOptions.provisional: nobody is asked.
        if options & 64 != 0 {
            notifications[bundle, default: NotificationState()].authorization = 3
            return 3
        }
        guard processes[process]?.isForeground == true, !isLocked else {
            log(.phone, "could not ask for notifications: the app is not on the screen", rule: "R77", app: bundle)
            return 0
        }
        let allows = notifications[bundle]?.answer ?? true
        notifications[bundle, default: NotificationState()].authorization = allows ? 2 : 1
        log(.user, allows ? "allowed notifications" : "did not allow notifications", rule: "R77", app: bundle)
        return allows ? 2 : 1
    }

    private mutating func add(_ value: NotificationValue, delay: TimeInterval?, process: UUID, bundle: String) {
        var value = value
        value.app = bundle
        guard let delay, delay > 0 else { return present(value) }
        notifications[bundle, default: NotificationState()].pending.removeAll {
            $0.value.identifier == value.identifier
        }
        notifications[bundle]?.pending.append(
            NotificationState.Pending(value: value, date: now.addingTimeInterval(delay)))
    }

    mutating func deliverDueNotifications(of app: String) {
        guard let pending = notifications[app]?.pending else { return }
        let due = pending.filter { $0.date <= now }.sorted { $0.date < $1.date }
        notifications[app]?.pending.removeAll { $0.date <= now }
        for item in due { present(item.value) }
    }

    /// Shows a notification, or asks the app on the screen whether to; without permission nothing is shown.
    mutating func present(_ value: NotificationValue) {
        let state = notifications[value.app] ?? NotificationState()
        guard state.authorization == 2 || state.authorization == 3 else {
            log(.phone, "showed no notification: not allowed", rule: "R77", app: value.app)
            return
        }
        if let process = process(of: value.app), process.isForeground {
            guard process.decidesPresentation, let center = process.notificationCenter else {
                log(.phone, "showed no notification: the app is on the screen", rule: "R121", app: value.app)
                return
            }
            notifications[value.app]?.offered.append(value)
            deliver(.application(endpoint: center, .willPresentNotification(value)), to: process.id)
            return
        }
        show(value)
    }

    private mutating func show(_ value: NotificationValue) {
        var value = value
        value.date = now
        notifications[value.app, default: NotificationState()].delivered.removeAll { $0.identifier == value.identifier }
        notifications[value.app]?.delivered.append(value)
        notifications[value.app]?.delivered.keepLast(settings.recordsLimit)
        if let badge = value.badge { notifications[value.app]?.badge = badge }
        log(.phone, "showed a notification", rule: "R121", app: value.app)
    }

    /// The app comes to the foreground and its delegate hears of it.
    private mutating func tapNotification(_ identifier: String, of app: String, action: String?) {
        guard let index = notifications[app]?.delivered.firstIndex(where: { $0.identifier == identifier }),
            let value = notifications[app]?.delivered.remove(at: index)
        else {
            outcome.userError = .noNotification(identifier)
            return
        }
        log(.user, "tapped a notification", rule: "R121", app: app)
        open(app)
        guard let process = process(of: app) else { return }
        let response = ProcessRecord.HeldResponse(
            notification: value, action: action ?? "com.apple.UNNotificationDefaultActionIdentifier")
        if let center = process.notificationCenter, process.decidesPresentation {
            respond(response, center: center, process: process.id)
        } else {
            processes[process.id]?.heldResponses.append(response)
        }
    }

    private mutating func respond(_ response: ProcessRecord.HeldResponse, center: UUID, process: UUID) {
        deliver(
            .application(
                endpoint: center, .didReceiveNotificationResponse(response.notification, action: response.action)),
            to: process)
    }
}
