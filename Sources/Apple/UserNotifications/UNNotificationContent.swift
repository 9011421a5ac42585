// SPDX-License-Identifier: MIT

public import Foundation

/// The name of a sound in the app.
public struct UNNotificationSoundName: RawRepresentable, Hashable, Sendable {
    /// The file's name.
    public var rawValue: String

    /// Makes a name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Makes a name.
    public init(_ rawValue: String) {
        self.rawValue = rawValue
    }
}

/// A notification's sound.
open class UNNotificationSound: NSObject {
    /// A sound of the app's.
    public init(named name: UNNotificationSoundName) {
        super.init()
    }

    /// The system's sound.
    open class var `default`: UNNotificationSound { UNNotificationSound(named: UNNotificationSoundName("default")) }
    /// The user's ring tone.
    open class var defaultRingtone: UNNotificationSound {
        UNNotificationSound(named: UNNotificationSoundName("ringtone"))
    }
    /// A sound in spite of Do Not Disturb.
    open class var defaultCritical: UNNotificationSound {
        UNNotificationSound(named: UNNotificationSoundName("critical"))
    }
}

/// How urgent a notification is.
public enum UNNotificationInterruptionLevel: UInt, Sendable {
    /// Only listed.
    case passive = 0
    /// Shown.
    case active = 1
    /// Shown in spite of a focus.
    case timeSensitive = 2
    /// Shown and heard in spite of everything.
    case critical = 3
}

/// What a notification says.
open class UNNotificationContent: NSObject, NSCopying, NSMutableCopying {
    struct Values {
        var title = ""
        var subtitle = ""
        var body = ""
        var badge: NSNumber?
        var sound: UNNotificationSound?
        var categoryIdentifier = ""
        var threadIdentifier = ""
        var userInfo: [AnyHashable: Any] = [:]
        var interruptionLevel = UNNotificationInterruptionLevel.active
    }

    var values = Values()

    /// Makes an empty content.
    public override init() {
        super.init()
    }

    /// The first line.
    open var title: String { values.title }
    /// The second line.
    open var subtitle: String { values.subtitle }
    /// The text.
    open var body: String { values.body }
    /// The number on the icon; nil leaves it as it is.
    open var badge: NSNumber? { values.badge }
    /// The sound; nil is silent.
    open var sound: UNNotificationSound? { values.sound }
    /// Names the category, which has the actions.
    open var categoryIdentifier: String { values.categoryIdentifier }
    /// Names the thread it is grouped in.
    open var threadIdentifier: String { values.threadIdentifier }
    /// The app's own values; only what JSON can say reaches the phone.
    open var userInfo: [AnyHashable: Any] { values.userInfo }
    /// How urgent it is.
    open var interruptionLevel: UNNotificationInterruptionLevel { values.interruptionLevel }

    /// A copy that cannot be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = UNNotificationContent()
        copy.values = values
        return copy
    }

    /// A copy that can be changed: a ``UNMutableNotificationContent``.
    open func mutableCopy(with zone: NSZone? = nil) -> Any {
        let copy = UNMutableNotificationContent()
        copy.values = values
        return copy
    }
}

/// What a notification is to say.
open class UNMutableNotificationContent: UNNotificationContent {
    /// The first line.
    open override var title: String {
        get { values.title }
        set { values.title = newValue }
    }
    /// The second line.
    open override var subtitle: String {
        get { values.subtitle }
        set { values.subtitle = newValue }
    }
    /// The text.
    open override var body: String {
        get { values.body }
        set { values.body = newValue }
    }
    /// The number on the icon; nil leaves it as it is.
    open override var badge: NSNumber? {
        get { values.badge }
        set { values.badge = newValue }
    }
    /// The sound; nil is silent.
    open override var sound: UNNotificationSound? {
        get { values.sound }
        set { values.sound = newValue }
    }
    /// Names the category, which has the actions.
    open override var categoryIdentifier: String {
        get { values.categoryIdentifier }
        set { values.categoryIdentifier = newValue }
    }
    /// Names the thread it is grouped in.
    open override var threadIdentifier: String {
        get { values.threadIdentifier }
        set { values.threadIdentifier = newValue }
    }
    /// The app's own values; only what JSON can say reaches the phone.
    open override var userInfo: [AnyHashable: Any] {
        get { values.userInfo }
        set { values.userInfo = newValue }
    }
    /// How urgent it is.
    open override var interruptionLevel: UNNotificationInterruptionLevel {
        get { values.interruptionLevel }
        set { values.interruptionLevel = newValue }
    }
}
