// SPDX-License-Identifier: MIT

import Foundation

/// The notifications of one app, as the phone keeps them; survive the app's processes.
struct NotificationState: Hashable, Sendable {
    struct Pending: Hashable, Sendable {
        var value: NotificationValue
        var date: Date
    }

    /// UNAuthorizationStatus's raw value.
    var authorization = 0
    /// What the user answers when asked; nil: allows.
    var answer: Bool?
    var pending: [Pending] = []
    var delivered: [NotificationValue] = []
    /// Handed to an app on the screen, which has not said yet whether they are shown.
    var offered: [NotificationValue] = []
    var badge = 0
}

/// Something that happens to notifications.
public enum NotificationInput: Hashable, Sendable, Codable {
    /// The user allowed or forbade an app's notifications, in Settings or as the answer to the next question.
    case allowed(app: String, Bool)
    /// The user tapped a notification, or one of its actions; nil is the notification itself.
    case tapped(identifier: String, app: String, action: String?)
}
