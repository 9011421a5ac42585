// SPDX-License-Identifier: MIT

import Foundation

// K12, R11, R118-R121: notifications that APNs brings, and the way of a VoIP push through a notification service extension.
extension PhoneCore {
    /// The suffix of an extension's bundle identifier.
    static let extensionSuffix = ".NotificationService"

    /// A notification goes to the app's extension when it asks for it, else to the screen.
    mutating func notificationArrived(_ bundle: String, payload: Data) -> NotificationReceipt {
        if let refusal = PushPayloadCheck.refusal(of: payload, limit: PushPayloadCheck.alertLimit) {
            log(.apns, "refused a notification: \(refusal.rawValue)", rule: "K10", app: bundle)
            return .refused(refusal)
        }
        guard let app = apps[bundle]?.app, !device.isInAirplaneMode else {
            log(.apns, "a notification cannot be delivered", rule: "K12", app: bundle)
            return .notDelivered
        }
        log(.apns, "notification arrived", rule: "K12", app: bundle)
        let (content, isMutable) = content(of: payload, for: bundle)
        guard isMutable, app.hasNotificationExtension else {
            guard !content.isEmpty else { return .nothingToShow }
            present(content)
            return .presented(identifier: content.identifier)
        }
        let process = random.uuid()
        let request = random.uuid()
        processes[process] = ProcessRecord(
            id: process, bundle: bundle + PhoneCore.extensionSuffix, isForeground: false, extends: bundle)
        device.extensionRequests.append(
            ExtensionRecord(
                id: request, content: content, process: process, limit: date(after: settings.notificationExtensionLimit)
            ))
        log(.phone, "launched the notification service extension", rule: "K12", app: bundle)
        outcome.effects.append(
            .launchExtension(process: process, bundle: bundle, request: request, content: content))
        return .handedToExtension(request: request)
    }

    private mutating func content(of payload: Data, for bundle: String) -> (NotificationValue, isMutable: Bool) {
        let aps = PushPayloadCheck.object(payload)?["aps"] as? [String: Any] ?? [:]
        var content = NotificationValue(
            identifier: random.uuid().uuidString, app: bundle, title: "", body: "", badge: aps["badge"] as? Int,
            category: aps["category"] as? String ?? "", thread: aps["thread-id"] as? String ?? "",
            hasSound: aps["sound"] != nil, userInfo: payload)
        if let text = aps["alert"] as? String {
            content.body = text
        } else if let alert = aps["alert"] as? [String: Any] {
            content.title = alert["title"] as? String ?? ""
            content.subtitle = alert["subtitle"] as? String ?? ""
            content.body = alert["body"] as? String ?? ""
        }
        return (content, aps["mutable-content"] as? Int == 1)
    }

    /// R121: the extension's content decides; an empty one shows nothing, if the extension may filter.
    mutating func notificationDelivered(_ request: UUID, _ content: NotificationValue, by process: UUID) {
        guard let index = device.extensionRequests.firstIndex(where: { $0.id == request }),
            device.extensionRequests[index].process == process
        else { return }
        let record = device.extensionRequests.remove(at: index)
        let bundle = record.content.app
        log(.app, "the extension called its content handler", rule: "R121", app: bundle)
        if !content.isEmpty {
            var content = content
            content.app = bundle
            present(content)
        } else if apps[bundle]?.app.hasFilteringEntitlement == true {
            log(.phone, "shows nothing: the content is empty", rule: "R121", app: bundle)
        } else {
            log(.phone, "the extension may not filter: the notification is shown as it came", rule: "R121", app: bundle)
            if !record.content.isEmpty { present(record.content) }
        }
        endExtension(process)
    }

    /// K12: the extension's time is over: it is told, and a second later the notification is shown as it came.
    mutating func notificationTimedOut(_ request: UUID) {
        guard let index = device.extensionRequests.firstIndex(where: { $0.id == request }) else { return }
        let record = device.extensionRequests[index]
        guard record.wasTold else {
            device.extensionRequests[index].wasTold = true
            device.extensionRequests[index].limit = date(after: .seconds(1))
            log(.phone, "the extension's time is over", rule: "K12", app: record.content.app)
            return tell(.notificationTimeExpired, to: record.process)
        }
        device.extensionRequests.remove(at: index)
        violate(
            "K12", "the notification service extension did not call its content handler in time",
            advice: "Call it on every path, and in serviceExtensionTimeWillExpire() at the latest.",
            app: record.content.app)
        if !record.content.isEmpty { present(record.content) }
        endExtension(record.process)
    }

    mutating func endExtension(_ process: UUID) {
        guard processes.removeValue(forKey: process) != nil else { return }
        audio.stopLimits[process] = nil
        outcome.effects.append(.terminate(process: process))
    }

    /// K12: reportNewIncomingVoIPPushPayload; the app then gets the payload as a push, and has to report a call.
    mutating func reportPayload(_ payload: Data, report: UUID, of process: UUID) {
        guard let record = processes[process] else { return }
        let bundle = record.extends ?? record.bundle
        var code: Int?
        if record.extends == nil {
            code = 1
            violate(
                "K12", "reportNewIncomingVoIPPushPayload was called by the app itself (error 1)",
                advice: "Call it in the notification service extension only.", app: bundle)
        } else if apps[bundle]?.app.hasFilteringEntitlement != true {
            code = 2
            violate(
                "K12", "the notification service extension lacks the filtering entitlement (error 2)",
                advice: "Add com.apple.developer.usernotifications.filtering to the extension; Apple grants it.",
                app: bundle)
        }
        if let code {
            deliver(.reportCompleted(report: report, error: PhoneErrors.notificationExtension(code)), to: process)
            return
        }
        log(.app, "the extension handed over a VoIP push", rule: "K12", app: bundle)
        deliver(.reportCompleted(report: report, error: nil), to: process)
        _ = hand(LeftPush(id: random.uuid(), payload: payload, sentAt: now), to: bundle)
    }
}
