// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
public import VirtualPhone

extension NotificationExtension {
    /// Runs an app's `UNNotificationServiceExtension` on the virtual phone (K12).
    ///
    /// The phone makes one object of the class for each notification, and calls it on the main queue.
    ///
    /// - Parameters:
    ///   - principalClass: The extension's class.
    ///   - hasFilteringEntitlement: Whether it has `com.apple.developer.usernotifications.filtering`.
    public init(_ principalClass: UNNotificationServiceExtension.Type, hasFilteringEntitlement: Bool = true) {
        self.init(hasFilteringEntitlement: hasFilteringEntitlement) { value, handler in
            let principal = Principal(principalClass.init())
            if let process = AppProcess.current {
                let id = UUID()
                process.attach(id, queue: .main) { principal.receive($0) }
                process.send(.application(.attach(application: id)))
            }
            principal.object.didReceive(UNNotificationRequest(value)) { content in
                let request = UNNotificationRequest(identifier: value.identifier, content: content, trigger: nil)
                handler(request.value(app: value.app))
            }
            return principal
        }
    }
}

/// The object of an extension's class.
private final class Principal {
    let object: UNNotificationServiceExtension

    init(_ object: UNNotificationServiceExtension) {
        self.object = object
    }

    func receive(_ event: PhoneEvent) {
        if case .application(_, .notificationTimeExpired) = event { object.serviceExtensionTimeWillExpire() }
    }
}

// Used on the main queue alone.
extension Principal: @unchecked Sendable {}
