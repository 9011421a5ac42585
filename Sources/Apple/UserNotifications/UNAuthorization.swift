// SPDX-License-Identifier: MIT

public import Foundation

/// What an app asks to be allowed.
public struct UNAuthorizationOptions: OptionSet, Sendable {
    /// The bits.
    public var rawValue: UInt

    /// Makes a set.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The number on the icon.
    public static let badge = UNAuthorizationOptions(rawValue: 1 << 0)
    /// Sounds.
    public static let sound = UNAuthorizationOptions(rawValue: 1 << 1)
    /// Texts.
    public static let alert = UNAuthorizationOptions(rawValue: 1 << 2)
    /// In a car.
    public static let carPlay = UNAuthorizationOptions(rawValue: 1 << 3)
    /// Sounds in spite of Do Not Disturb.
    public static let criticalAlert = UNAuthorizationOptions(rawValue: 1 << 4)
    /// A button to the app's own settings.
    public static let providesAppNotificationSettings = UNAuthorizationOptions(rawValue: 1 << 5)
    /// Quietly, without asking.
    public static let provisional = UNAuthorizationOptions(rawValue: 1 << 6)
}

/// What the user said.
public enum UNAuthorizationStatus: Int, Sendable {
    /// Not asked yet.
    case notDetermined = 0
    /// No.
    case denied = 1
    /// Yes.
    case authorized = 2
    /// Not asked; quiet notifications are shown.
    case provisional = 3
    /// For an app clip.
    case ephemeral = 4
}

/// Whether one way of notifying is on.
public enum UNNotificationSetting: Int, Sendable {
    /// The app did not ask for it.
    case notSupported = 0
    /// Off.
    case disabled = 1
    /// On.
    case enabled = 2
}

/// What an app's notifications may do.
open class UNNotificationSettings: NSObject {
    /// What the user said.
    public let authorizationStatus: UNAuthorizationStatus

    init(_ status: UNAuthorizationStatus) {
        authorizationStatus = status
        super.init()
    }

    private var setting: UNNotificationSetting {
        authorizationStatus == .authorized || authorizationStatus == .provisional ? .enabled : .disabled
    }

    /// Texts.
    open var alertSetting: UNNotificationSetting { setting }
    /// Sounds.
    open var soundSetting: UNNotificationSetting { setting }
    /// The number on the icon.
    open var badgeSetting: UNNotificationSetting { setting }
    /// On the lock screen.
    open var lockScreenSetting: UNNotificationSetting { setting }
    /// In Notification Center.
    open var notificationCenterSetting: UNNotificationSetting { setting }
}

// Never changed after it was made.
extension UNNotificationSettings: @unchecked Sendable {}

/// How a notification is shown over the app on the screen.
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
    /// The bits.
    public var rawValue: UInt

    /// Makes a set.
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The number on the icon.
    public static let badge = UNNotificationPresentationOptions(rawValue: 1 << 0)
    /// With its sound.
    public static let sound = UNNotificationPresentationOptions(rawValue: 1 << 1)
    /// As a text; before iOS 14.
    public static let alert = UNNotificationPresentationOptions(rawValue: 1 << 2)
    /// In Notification Center.
    public static let list = UNNotificationPresentationOptions(rawValue: 1 << 3)
    /// At the top of the screen.
    public static let banner = UNNotificationPresentationOptions(rawValue: 1 << 4)
}
