// SPDX-License-Identifier: MIT

public import Foundation

/// What an app asks about its notifications; the UserNotifications stand-in sends these.
public enum NotificationRequest: Hashable, Sendable, Codable {
    /// The process has a notification center, which takes ``ApplicationEvent``s about notifications under this id.
    ///
    /// `decides` is whether it has a delegate, which says what is shown in the foreground and hears of taps.
    case attach(center: UUID, decides: Bool)
    /// requestAuthorization; answered with ``NotificationReply/authorization(status:)``. Raw options.
    case requestAuthorization(options: UInt)
    /// getNotificationSettings; answered with ``NotificationReply/authorization(status:)``.
    case readSettings
    /// add: shown at once or after a delay in seconds; a notification of the same identifier is replaced.
    case add(NotificationValue, delay: TimeInterval?)
    /// Removes notifications that wait; nil removes all.
    case removePending([String]?)
    /// Removes notifications that are shown; nil removes all.
    case removeDelivered([String]?)
    /// The notifications that wait and are shown; answered with ``NotificationReply/list(pending:delivered:)``.
    case list
    /// setBadgeCount.
    case setBadge(Int)
    /// The delegate's answer to ``ApplicationEvent/willPresentNotification(_:)``: raw presentation options.
    case presented(identifier: String, options: UInt)
}

/// The phone's answer about notifications.
public enum NotificationReply: Hashable, Sendable, Codable {
    /// UNAuthorizationStatus's raw value: 0 not determined, 1 denied, 2 authorized, 3 provisional.
    case authorization(status: Int)
    /// The notifications that wait, and those that are shown, oldest first.
    case list(pending: [NotificationValue], delivered: [NotificationValue])
}

/// A notification of an app.
public struct NotificationValue: Hashable, Sendable, Codable {
    /// The request's identifier.
    public var identifier: String
    /// The app.
    public var app: String
    /// The first line.
    public var title: String
    /// The second line.
    public var subtitle: String
    /// The text.
    public var body: String
    /// The number on the app's icon; nil leaves it as it is.
    public var badge: Int?
    /// The category, which names the actions.
    public var category: String
    /// The thread it is grouped in.
    public var thread: String
    /// Whether it sounds.
    public var hasSound: Bool
    /// The user info: a JSON object in UTF-8.
    public var userInfo: Data
    /// When it was shown, in the phone's time; set by the phone.
    public var date: Date

    /// Describes a notification.
    public init(
        identifier: String, app: String, title: String, subtitle: String = "", body: String, badge: Int? = nil,
        category: String = "", thread: String = "", hasSound: Bool = false, userInfo: Data = Data("{}".utf8),
        date: Date = .distantPast
    ) {
        self.identifier = identifier
        self.app = app
        self.title = title
        self.subtitle = subtitle
        self.body = body
        self.badge = badge
        self.category = category
        self.thread = thread
        self.hasSound = hasSound
        self.userInfo = userInfo
        self.date = date
    }
}

extension NotificationValue {
    /// Whether nothing would be shown (R121).
    public var isEmpty: Bool { title.isEmpty && subtitle.isEmpty && body.isEmpty }
}
