// SPDX-License-Identifier: MIT

public import Foundation

/// The principal class of a notification service extension: changes a notification before it is shown (R120, R121).
///
/// Made without arguments, in a process of its own.
open class UNNotificationServiceExtension: NSObject {
    /// Makes an extension.
    public required override init() {
        super.init()
    }

    /// A notification arrived; the handler is called once with what is to be shown, in time.
    ///
    /// Shows it unchanged unless overridden.
    open func didReceive(
        _ request: UNNotificationRequest, withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ) {
        contentHandler(request.content)
    }

    /// The time is over soon: the handler has to be called now.
    open func serviceExtensionTimeWillExpire() {}
}
