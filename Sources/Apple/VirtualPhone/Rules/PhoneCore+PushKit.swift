// SPDX-License-Identifier: MIT

import Foundation

// K1, K2, K7, K8, K9, K13, R3, R54-R57, R60: registration and delivery. The checks are in PhoneCore+PushChecks.swift.
extension PhoneCore {
    /// PKPushType.voIP's raw value.
    static let voIP = "PKPushTypeVoIP"

    /// desiredPushTypes was set: the phone registers, and hands over what waits (K1).
    mutating func setPushTypes(_ types: [String], registry: UUID, of process: UUID) {
        guard let bundle = processes[process]?.bundle else { return }
        processes[process]?.registries.removeAll { $0.id == registry }
        processes[process]?.registries.append(ProcessRecord.Registry(id: registry, types: types))
        if types.contains(where: { $0 != PhoneCore.voIP }) {
            log(.phone, "hands out no token for pushes other than VoIP", rule: "K1", app: bundle)
        }
        guard types.contains(PhoneCore.voIP) else { return }
        log(.app, "registered for VoIP pushes", rule: "K1", app: bundle)
        guard apps[bundle]?.app.apsEnvironment != nil else {
            violate(
                "R3", "the app has no aps-environment entitlement, so it gets no push token",
                advice: "Add the Push Notifications capability to the app.", app: bundle)
            return
        }
        if apps[bundle]?.app.hasUnrestrictedVoIPEntitlement == true, !isExempt(bundle) {
            violate(
                "K13", "the unrestricted-voip entitlement has no effect for an app built with iOS 26's SDK",
                advice: "Report a call for every VoIP push; send anything else as an ordinary notification.",
                app: bundle)
        }
        let token = apps[bundle]?.token ?? random.data(max(1, settings.pushTokenLength))
        apps[bundle]?.token = token
        log(.phone, "handed out the push token", rule: "K1", app: bundle)
        deliver(.pushCredentials(registry: registry, type: PhoneCore.voIP, token: token), to: process)
        deliverWaitingPushes(to: process)
    }

    /// Hands the pushes that waited for a registry to the newest one.
    mutating func deliverWaitingPushes(to process: UUID) {
        guard let record = processes[process], !record.isLaunching, let registry = record.voIPRegistry else { return }
        for push in pushes where push.process == process && push.registry == nil {
            deliverPush(push.id, to: registry.id)
        }
    }

    mutating func releaseRegistry(_ registry: UUID, of process: UUID) {
        processes[process]?.registries.removeAll { $0.id == registry }
    }

    func cachedToken(type: String, registry: UUID, of process: UUID) -> Data? {
        guard let record = processes[process], let known = record.registries.first(where: { $0.id == registry }),
            known.types.contains(type), type == PhoneCore.voIP
        else { return nil }
        return apps[record.bundle]?.token
    }

    /// The token died at APNs: the app is told, and a later registration gets another (K2).
    mutating func invalidateToken(of bundle: String) {
        guard apps[bundle]?.token != nil else { return }
        apps[bundle]?.token = nil
        log(.apns, "push token invalidated", rule: "K2", app: bundle)
        dropKept(of: bundle)
        guard let process = process(of: bundle) else { return }
        for registry in process.registries where registry.types.contains(PhoneCore.voIP) {
            deliver(.pushTokenInvalidated(registry: registry.id, type: PhoneCore.voIP), to: process.id)
        }
    }

    /// APNs hands a push over: it is looked at, then it goes its way (PhoneCore+KeptPushes.swift).
    mutating func pushArrived(token: Data, payload: Data, sentAt: Date?, expiration: Date?) -> PushReceipt {
        // A date that is no number counts as none.
        let sentAt = sentAt.flatMap { PhoneCore.isSensible($0) ? $0 : nil }
        let expiration = expiration.flatMap { PhoneCore.isSensible($0) ? $0 : nil }
        guard let bundle = apps.values.first(where: { $0.token == token })?.app.bundleIdentifier else {
            log(.apns, "VoIP push for a token that no app has", rule: "K1")
            return .unknownToken
        }
        if let refusal = PushPayloadCheck.refusal(of: payload, limit: PushPayloadCheck.voIPLimit) {
            log(.apns, "refused the push: \(refusal.rawValue)", rule: "K10", app: bundle)
            return .refused(refusal)
        }
        return arrive(
            LeftPush(id: random.uuid(), payload: payload, sentAt: sentAt ?? now), for: bundle, expiration: expiration)
    }

    /// Hands a push to an app: launches it, or wakes it, or drops the push after too many failures (K9).
    mutating func hand(_ push: LeftPush, to bundle: String) -> PushReceipt {
        if let failures = apps[bundle]?.reportFailures, failures >= settings.reportFailureLimit {
            log(.phone, "dropped the push: the app failed to report \(failures) times", rule: "K9", app: bundle)
            return settle(push.id, .dropped)
        }
        if apps[bundle]?.process == nil { launch(bundle, reason: .push) }
        guard let process = process(of: bundle) else {
            // It died while it was launched: the next process gets the push (P07).
            guard apps[bundle] != nil, settings.redeliversUnhandledPushes else { return settle(push.id, .dropped) }
            apps[bundle]?.leftPushes.append(push)
            return settle(push.id, .waiting(push: push.id))
        }
        let record = add(push, to: process)
        guard !process.isLaunching, let registry = process.voIPRegistry else {
            return settle(push.id, .waiting(push: push.id))
        }
        deliverPush(record.id, to: registry.id)
        return settle(push.id, .delivered(push: push.id))
    }

    private mutating func add(_ push: LeftPush, to process: ProcessRecord) -> PushRecord {
        let record = PushRecord(
            id: push.id, bundle: process.bundle, payload: push.payload, sentAt: push.sentAt,
            mustReport: mustReport(process: process, sentAt: push.sentAt), process: process.id,
            secondCheck: date(after: settings.secondCheckDelay))
        pushes.append(record)
        return record
    }

    /// The process died: what it had not handled waits for the next one, unless that was why it died (P07).
    mutating func leavePushes(of process: UUID, bundle: String, isPunished: Bool) {
        for push in pushes where push.process == process && !push.hasReturned && !push.wasReported {
            if settings.redeliversUnhandledPushes, !isPunished {
                apps[bundle]?.leftPushes.append(LeftPush(id: push.id, payload: push.payload, sentAt: push.sentAt))
                settle(push.id, .waiting(push: push.id))
            } else if push.registry == nil {
                settle(push.id, .dropped)
            }
        }
        pushes.removeAll { $0.process == process }
    }

    /// The new process gets what the old one left (P07).
    mutating func takeLeftPushes(_ process: UUID, bundle: String) {
        guard let record = processes[process], let left = apps[bundle]?.leftPushes, !left.isEmpty else { return }
        apps[bundle]?.leftPushes = []
        for push in left {
            log(.phone, "a push that the app had left unhandled comes again", rule: "P07", app: bundle)
            _ = add(push, to: record)
        }
    }

    /// Whether the app has to report: not in the foreground, not on a call (K7), from 26.4 on not when too old (K8).
    private func mustReport(process: ProcessRecord, sentAt: Date) -> Bool {
        let isOnCall = calls.contains {
            $0.bundle == process.bundle && (settings.ringingCountsAsOnCall || $0.phase != .ringing)
        }
        if process.isForeground || isOnCall || isExempt(process.bundle) { return false }
        guard knowsMustReport else { return true }
        return now.timeIntervalSince(sentAt) <= settings.pushMaximumAge / .seconds(1)
    }

    /// R60, K13: apps of old SDKs need not report, and those with the entitlement before iOS 26's SDK.
    private func isExempt(_ bundle: String) -> Bool {
        guard let app = apps[bundle]?.app else { return false }
        return app.sdk < SystemVersion(13) || (app.hasUnrestrictedVoIPEntitlement && app.sdk < SystemVersion(26))
    }

    /// The token came, and no delegate was there (K1).
    mutating func credentialsNotHandled(by process: UUID) {
        guard let bundle = processes[process]?.bundle else { return }
        violate(
            "K1", "the push token came while the registry had no delegate, so the app does not know it",
            advice: "Set the delegate before desiredPushTypes, and keep the delegate: it is weak.", app: bundle)
    }

    private var knowsMustReport: Bool { system >= SystemVersion(26, 4) }

    private mutating func deliverPush(_ id: UUID, to registry: UUID) {
        guard let index = pushes.firstIndex(where: { $0.id == id }) else { return }
        pushes[index].registry = registry
        pushes[index].completionLimit = date(after: settings.pushCompletionLimit)
        settle(id, .delivered(push: id))
        wake(pushes[index].process)
        giveBackgroundTime(to: pushes[index].process)
        let push = pushes[index]
        log(.phone, "delivered the push", rule: "K3", app: push.bundle)
        let value = PushValue(
            id: id, type: PhoneCore.voIP, payload: push.payload,
            mustReport: knowsMustReport ? push.mustReport : nil)
        let delivery = deliver(.push(registry: registry, push: value), to: push.process)
        followUps[delivery] = .push(id)
    }

    /// Nothing was attached to receive the push: it waits for another registry, and check 2 goes on (K4).
    mutating func pushUndelivered(_ id: UUID) {
        guard let index = pushes.firstIndex(where: { $0.id == id }), !pushes[index].hasReturned else { return }
        pushes[index].registry = nil
        pushes[index].completionLimit = nil
        settle(id, .waiting(push: id))
        log(.phone, "nobody received the push: the registry has no delegate", rule: "K1", app: pushes[index].bundle)
    }
}

extension ProcessRecord {
    /// The newest registry that takes VoIP pushes.
    var voIPRegistry: Registry? {
        registries.last { $0.types.contains(PhoneCore.voIP) }
    }
}
