// SPDX-License-Identifier: MIT

public import Foundation

/// When a notification is shown.
open class UNNotificationTrigger: NSObject {
    /// Whether it is shown again and again; the phone shows it once.
    public let repeats: Bool

    init(repeats: Bool) {
        self.repeats = repeats
        super.init()
    }
}

/// After some time, by the phone's clock.
open class UNTimeIntervalNotificationTrigger: UNNotificationTrigger {
    /// How long, in seconds.
    public let timeInterval: TimeInterval

    /// Makes a trigger.
    public init(timeInterval: TimeInterval, repeats: Bool) {
        self.timeInterval = timeInterval
        super.init(repeats: repeats)
    }
}

/// By a push.
open class UNPushNotificationTrigger: UNNotificationTrigger {}

/// A notification to show.
open class UNNotificationRequest: NSObject {
    /// Names it: another one of the same name replaces it.
    public let identifier: String
    /// What it says.
    public let content: UNNotificationContent
    /// When it is shown; nil is at once.
    public let trigger: UNNotificationTrigger?

    /// Describes a notification; the content is copied.
    public init(identifier: String, content: UNNotificationContent, trigger: UNNotificationTrigger?) {
        self.identifier = identifier
        let copy = UNNotificationContent()
        copy.values = content.values
        self.content = copy
        self.trigger = trigger
        super.init()
    }
}

// Its content is a copy that nobody changes.
extension UNNotificationRequest: @unchecked Sendable {}

/// A notification that is shown.
open class UNNotification: NSObject {
    /// What was asked for.
    public let request: UNNotificationRequest
    /// When it was shown.
    public let date: Date

    init(request: UNNotificationRequest, date: Date) {
        self.request = request
        self.date = date
        super.init()
    }
}

// Never changed after it was made.
extension UNNotification: @unchecked Sendable {}

/// What the user did with a notification.
open class UNNotificationResponse: NSObject {
    /// The notification.
    public let notification: UNNotification
    /// The action that was tapped; ``UNNotificationDefaultActionIdentifier`` for the notification itself.
    public let actionIdentifier: String

    init(notification: UNNotification, actionIdentifier: String) {
        self.notification = notification
        self.actionIdentifier = actionIdentifier
        super.init()
    }
}

// Never changed after it was made.
extension UNNotificationResponse: @unchecked Sendable {}

/// The user tapped the notification itself.
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
/// The user dismissed the notification.
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"
