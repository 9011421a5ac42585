// SPDX-License-Identifier: MIT

import Foundation

// R5, R12, R125: what an app uses of the phone beside calls: its log, URLs, donations, folders, the device's names.
extension PhoneCore {
    /// So many lines are kept for each app.
    static let appLogLimit = 10_000

    func deviceValue(for bundle: String) -> DeviceValue {
        let vendor = bundle.split(separator: ".").prefix(2).joined(separator: ".")
        return DeviceValue(
            name: "iPhone", model: "iPhone", systemVersion: system.description,
            identifierForVendor: vendorIdentifier(of: vendor))
    }

    /// The same for every app of a vendor on this phone; takes nothing from `random`, so that asking changes nothing.
    private func vendorIdentifier(of vendor: String) -> UUID {
        var generator = SeededGenerator(
            seed: vendor.utf8.reduce(identitySeed) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 })
        return generator.uuid()
    }

    mutating func openURL(_ url: String, from process: UUID, bundle: String) -> AppReply {
        guard processes[process]?.isForeground == true else {
            log(.app, "asked to open a URL from the background, and was refused", rule: "R5", app: bundle)
            return .failure(PhoneErrors.cannotOpenURL)
        }
        openedURLs.append(url)
        openedURLs.keepLast(settings.recordsLimit)
        log(.app, url.hasPrefix("app-settings:") ? "opened its settings" : "opened a URL", rule: "R5", app: bundle)
        return .done
    }

    mutating func registerForRemoteNotifications(_ process: UUID, bundle: String) {
        guard let application = processes[process]?.application else { return }
        guard apps[bundle]?.app.apsEnvironment != nil else {
            log(.phone, "refused a token for notifications: no entitlement", rule: "R3", app: bundle)
            deliver(
                .application(endpoint: application, .remoteNotificationsFailed(PhoneErrors.missingAPSEntitlement)),
                to: process)
            return
        }
        let token = apps[bundle]?.notificationToken ?? random.data(max(1, settings.pushTokenLength))
        apps[bundle]?.notificationToken = token
        log(.phone, "handed out the token for notifications", rule: "K1", app: bundle)
        deliver(.application(endpoint: application, .remoteNotificationsRegistered(token: token)), to: process)
    }

    mutating func addToAppLog(_ entry: AppLogEntry, of bundle: String) {
        var entry = entry
        entry.time = now
        appLogs[bundle, default: []].append(entry)
        let surplus = (appLogs[bundle]?.count ?? 0) - PhoneCore.appLogLimit
        if surplus > 0 { appLogs[bundle]?.removeFirst(surplus) }
    }

    mutating func donate(_ donation: DonationValue, of bundle: String) {
        donations[bundle, default: []].append(donation)
        donations[bundle]?.keepLast(settings.recordsLimit)
        log(.app, "donated a \(donation.intent)", rule: "R125", app: bundle)
    }

    func containerPath(of group: String, for bundle: String) -> String? {
        guard apps[bundle]?.app.appGroups.contains(group) == true else { return nil }
        return storageRoot + "/Shared/" + group.replacingOccurrences(of: "/", with: "_")
    }
}

extension PhoneErrors {
    /// NSCocoaErrorDomain's code for a missing aps-environment (R3).
    static let missingAPSEntitlement = PhoneError(domain: "NSCocoaErrorDomain", code: 3000)
    /// FBSOpenApplicationErrorDomain: not from the background.
    static let cannotOpenURL = PhoneError(domain: "FBSOpenApplicationErrorDomain", code: 1)
}
