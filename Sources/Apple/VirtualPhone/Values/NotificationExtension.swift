// SPDX-License-Identifier: MIT

/// An app's notification service extension: a process of its own that may change a notification (K12).
///
/// The UserNotifications stand-in makes one of a `UNNotificationServiceExtension` class.
public struct NotificationExtension: Sendable {
    /// Hands the changed content back: UNNotificationServiceExtension's content handler.
    public typealias ContentHandler = @Sendable (NotificationValue) -> Void

    /// Whether it has `com.apple.developer.usernotifications.filtering`.
    ///
    /// With it an empty content shows nothing (R121), and `CXProvider.reportNewIncomingVoIPPushPayload` works (K12).
    public var hasFilteringEntitlement: Bool
    /// What the extension does with a notification; runs on the main queue as the extension's process.
    ///
    /// The returned object is retained until the content handler is called or the time is over.
    public var receive: @Sendable (NotificationValue, @escaping ContentHandler) -> AnyObject

    /// Describes an extension.
    public init(
        hasFilteringEntitlement: Bool = true,
        receive: @escaping @Sendable (NotificationValue, @escaping ContentHandler) -> AnyObject
    ) {
        self.hasFilteringEntitlement = hasFilteringEntitlement
        self.receive = receive
    }
}
