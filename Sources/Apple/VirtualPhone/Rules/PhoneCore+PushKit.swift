// SPDX-License-Identifier: MIT

import Foundation

// K1, K2, K8, K9, R3, R54-R57: registration and delivery. The checks are in PhoneCore+PushChecks.swift.
extension PhoneCore {
    /// PKPushType.voIP's raw value.
    static let voIP = "PKPushTypeVoIP"

    /// desiredPushTypes was set: the phone registers, and hands over what waits (K1).
    mutating func setPushTypes(_ types: [String], registry: UUID, of process: UUID) {
        guard let bundle = processes[process]?.bundle else { return }
        processes[process]?.registries.removeAll { $0.id == registry }
        processes[process]?.registries.append(ProcessRecord.Registry(id: registry, types: types))
        guard types.contains(PhoneCore.voIP) else { return }
        log(.app, "registered for VoIP pushes", rule: "K1", app: bundle)
        guard apps[bundle]?.app.apsEnvironment != nil else {
            violate(
                "R3", "the app has no aps-environment entitlement, so it gets no push token",
                advice: "Add the Push Notifications capability to the app.", app: bundle)
            return
        }
        let token = apps[bundle]?.token ?? random.data(settings.pushTokenLength)
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
        guard let process = process(of: bundle) else { return }
        for registry in process.registries where registry.types.contains(PhoneCore.voIP) {
            deliver(.pushTokenInvalidated(registry: registry.id, type: PhoneCore.voIP), to: process.id)
        }
    }

    mutating func pushArrived(token: Data, payload: Data, sentAt: Date?) -> PushReceipt {
        guard let bundle = apps.values.first(where: { $0.token == token })?.app.bundleIdentifier else {
            log(.apns, "VoIP push for a token that no app has", rule: "K1")
            return .unknownToken
        }
        log(.apns, "VoIP push arrived", rule: "K1", app: bundle)
        if let failures = apps[bundle]?.reportFailures, failures >= settings.reportFailureLimit {
            log(.phone, "dropped the push: the app failed to report \(failures) times", rule: "K9", app: bundle)
            return .dropped
        }
        if apps[bundle]?.process == nil { launch(bundle, reason: .push) }
        guard let process = process(of: bundle) else { return .unknownToken }
        let push = add(LeftPush(id: random.uuid(), payload: payload, sentAt: sentAt ?? now), to: process)
        guard !process.isLaunching, let registry = process.voIPRegistry else {
            return .waiting(push: push.id)
        }
        deliverPush(push.id, to: registry.id)
        return .delivered(push: push.id)
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
        if settings.redeliversUnhandledPushes, !isPunished {
            for push in pushes where push.process == process && !push.hasReturned && !push.wasReported {
                apps[bundle]?.leftPushes.append(LeftPush(id: push.id, payload: push.payload, sentAt: push.sentAt))
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
        if process.isForeground || isOnCall { return false }
        guard knowsMustReport else { return true }
        return now.timeIntervalSince(sentAt) <= settings.pushMaximumAge / .seconds(1)
    }

    private var knowsMustReport: Bool { system >= SystemVersion(26, 4) }

    private mutating func deliverPush(_ id: UUID, to registry: UUID) {
        guard let index = pushes.firstIndex(where: { $0.id == id }) else { return }
        pushes[index].registry = registry
        pushes[index].completionLimit = date(after: settings.pushCompletionLimit)
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
        log(.phone, "nobody received the push: the registry has no delegate", rule: "K1", app: pushes[index].bundle)
    }
}

extension ProcessRecord {
    /// The newest registry that takes VoIP pushes.
    var voIPRegistry: Registry? {
        registries.last { $0.types.contains(PhoneCore.voIP) }
    }
}
