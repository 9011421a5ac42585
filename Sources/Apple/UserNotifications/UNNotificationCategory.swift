// SPDX-License-Identifier: MIT

public import Foundation

/// How an action behaves.
public struct UNNotificationActionOptions: OptionSet, Sendable {
    /// The bits.
    public var rawValue: UInt

    /// Makes a set.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Only on an unlocked phone.
    public static let authenticationRequired = UNNotificationActionOptions(rawValue: 1 << 0)
    /// Shown in red.
    public static let destructive = UNNotificationActionOptions(rawValue: 1 << 1)
    /// Opens the app.
    public static let foreground = UNNotificationActionOptions(rawValue: 1 << 2)
}

/// A button under a notification.
open class UNNotificationAction: NSObject {
    /// Names it.
    public let identifier: String
    /// Its text.
    public let title: String
    /// How it behaves.
    public let options: UNNotificationActionOptions

    /// Describes a button.
    public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
        self.identifier = identifier
        self.title = title
        self.options = options
        super.init()
    }
}

/// How a category behaves.
public struct UNNotificationCategoryOptions: OptionSet, Sendable {
    /// The bits.
    public var rawValue: UInt

    /// Makes a set.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The app hears when the notification is dismissed.
    public static let customDismissAction = UNNotificationCategoryOptions(rawValue: 1 << 0)
    /// In a car too.
    public static let allowInCarPlay = UNNotificationCategoryOptions(rawValue: 1 << 1)
}

/// A kind of notification, with its buttons.
open class UNNotificationCategory: NSObject {
    /// Names it.
    public let identifier: String
    /// Its buttons.
    public let actions: [UNNotificationAction]
    /// The intents it belongs to.
    public let intentIdentifiers: [String]
    /// How it behaves.
    public let options: UNNotificationCategoryOptions

    /// Describes a kind of notification.
    public init(
        identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
        options: UNNotificationCategoryOptions = []
    ) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.options = options
        super.init()
    }
}
