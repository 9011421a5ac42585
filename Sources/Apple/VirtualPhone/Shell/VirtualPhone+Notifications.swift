// SPDX-License-Identifier: MIT

import Foundation

extension VirtualPhone {
    /// The notifications on the lock screen and in Notification Center, of all apps, oldest first.
    public var notifications: [NotificationValue] {
        state.withLock { $0.core.notifications.values.flatMap(\.delivered) }
            .sorted { ($0.date, $0.app, $0.identifier) < ($1.date, $1.app, $1.identifier) }
    }

    /// The number on an app's icon.
    public func badge(of bundle: String) -> Int {
        state.withLock { $0.core.notifications[bundle]?.badge ?? 0 }
    }

    /// What an app logged with Logger and os_log, oldest first; private values are redacted (R12).
    ///
    /// The last 10,000 lines are kept, over launches.
    public func log(of bundle: String) -> [AppLogEntry] {
        state.withLock { $0.core.appLogs[bundle] ?? [] }
    }

    /// The interactions that an app donated, oldest first (R125).
    public func donations(of bundle: String) -> [DonationValue] {
        state.withLock { $0.core.donations[bundle] ?? [] }
    }

    /// The URLs that apps opened, oldest first; an app's own settings are `app-settings:` (R5).
    public var openedURLs: [String] {
        state.withLock { $0.core.openedURLs }
    }

    static func newStorageRoot() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("VirtualPhone-\(UUID().uuidString)").path
    }

    func removeStorage() {
        try? FileManager.default.removeItem(atPath: state.withLock { $0.core.storageRoot })
    }
}

extension User {
    /// Allows or forbids an app's notifications: in Settings, or as the answer to the app's next question (R77).
    ///
    /// Whoever is asked without this having been called allows them.
    public func setAllowsNotifications(_ allows: Bool, of bundle: String) {
        phone.handle(.notification(.allowed(app: bundle, allows)))
    }

    /// Taps a notification, or one of its actions: the app is opened and its delegate hears of it.
    ///
    /// - Throws: ``PhoneUserError`` when it is not shown.
    public func tapNotification(_ identifier: String, of bundle: String, action: String? = nil) throws(PhoneUserError) {
        try phone.perform(.notification(.tapped(identifier: identifier, app: bundle, action: action)))
    }
}
