// SPDX-License-Identifier: MIT

public import Foundation

/// Decides about notifications while the app is on the screen, and hears what the user does with them.
///
/// An app has one of the two forms of each method; when it has both, the one with the completion handler is called.
public protocol UNUserNotificationCenterDelegate: NSObjectProtocol {
    /// A notification arrived while the app is on the screen: says how it is shown.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void)
    /// A notification arrived while the app is on the screen: says how it is shown.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions
    /// The user tapped a notification or one of its actions.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void)
    /// The user tapped a notification or one of its actions.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async
    /// The user asked for the app's own settings; the phone never does.
    func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
}

extension UNUserNotificationCenterDelegate {
    /// Asks the async form.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
        withCompletionHandler completionHandler: @escaping @Sendable (UNNotificationPresentationOptions) -> Void
    ) {
        let delegate = DelegateReference(self)
        Task {
            completionHandler(
                await delegate.object.userNotificationCenter(center, willPresent: notification))
        }
    }

    /// Shows nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, willPresent notification: UNNotification
    ) async -> UNNotificationPresentationOptions { [] }

    /// Tells the async form.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
        withCompletionHandler completionHandler: @escaping @Sendable () -> Void
    ) {
        let delegate = DelegateReference(self)
        Task {
            await delegate.object.userNotificationCenter(center, didReceive: response)
            completionHandler()
        }
    }

    /// Does nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse
    ) async {}

    /// Does nothing.
    public func userNotificationCenter(
        _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
    ) {}
}

/// A delegate on its way into the task that calls its async method.
struct DelegateReference {
    let object: any UNUserNotificationCenterDelegate

    init(_ object: any UNUserNotificationCenterDelegate) {
        self.object = object
    }
}

// The delegate is only called, as Apple's framework calls it: from another thread.
extension DelegateReference: @unchecked Sendable {}
