// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    import CallKit
    import Dispatch
    import Foundation
    public import UserNotifications

    /// Turns encrypted notifications into calls, inside a notification service extension (R120, R121, K12).
    ///
    /// Only for servers that cannot tell calls from messages, as with end-to-end encryption; others send VoIP pushes, which
    /// are faster and surer. The extension needs `com.apple.developer.usernotifications.filtering`. Each notification
    /// is decrypted; a call is handed to the app, whose push registry gets the payload as if it were a VoIP push, and
    /// nothing is shown. If that fails the user sees a missed call.
    ///
    /// ```swift
    /// final class NotificationService: UNNotificationServiceExtension {
    ///     private let calls = EncryptedCalls(missedCall: { _ in .missedCall }) { try decrypt($0.userInfo) }
    ///
    ///     override func didReceive(
    ///         _ request: UNNotificationRequest,
    ///         withContentHandler contentHandler: @escaping (UNNotificationContent) -> Void
    ///     ) {
    ///         calls.receive(request, contentHandler: contentHandler)
    ///     }
    ///
    ///     override func serviceExtensionTimeWillExpire() { calls.timeWillExpire() }
    /// }
    /// ```
    public final class EncryptedCalls {
        private let decrypt: (UNNotificationContent) throws -> DecryptedNotification
        private let missedCall: (UNNotificationContent) -> UNNotificationContent
        private let failed: (EncryptedCallError) -> Void
        private let queue = DispatchQueue(label: "offhook.encryptedCalls")
        /// What waits for its end; each content handler is taken out and so called once.
        private var open: [UUID: Delivery] = [:]

        private struct Delivery {
            var content: UNNotificationContent
            var handler: (UNNotificationContent) -> Void
        }

        /// Makes a service; keep it as long as the extension.
        ///
        /// - Parameters:
        ///   - missedCall: What is shown for a call that cannot ring; gets the notification as it came.
        ///   - failed: Told why, for the log; any thread.
        ///   - decrypt: Says what a notification is. Throwing counts as a call that was missed.
        public init(
            missedCall: @escaping (UNNotificationContent) -> UNNotificationContent,
            failed: @escaping (EncryptedCallError) -> Void = { _ in },
            decrypt: @escaping (UNNotificationContent) throws -> DecryptedNotification
        ) {
            self.missedCall = missedCall
            self.failed = failed
            self.decrypt = decrypt
        }

        /// Takes a notification; the handler is called exactly once, at the latest by ``timeWillExpire()``.
        public func receive(
            _ request: UNNotificationRequest, contentHandler: @escaping (UNNotificationContent) -> Void
        ) {
            let id = UUID()
            queue.sync { open[id] = Delivery(content: request.content, handler: contentHandler) }
            guard let decrypted = try? decrypt(request.content) else { return end(id, .notDecrypted) }
            switch decrypted {
            case .message(let content):
                end(id) { _ in content }
            case .call(let payload):
                CXProvider.reportNewIncomingVoIPPushPayload(payload) { [self] error in
                    if let error {
                        end(id, EncryptedCallError((error as NSError).code))
                    } else {
                        end(id) { _ in UNNotificationContent() }  // empty: nothing is shown
                    }
                }
            }
        }

        /// The extension's time is over: what still waits is shown as a missed call.
        public func timeWillExpire() {
            for id in queue.sync(execute: { Array(open.keys) }) { end(id, .timeOver) }
        }

        private func end(_ id: UUID, _ error: EncryptedCallError) {
            if end(id, missedCall) { failed(error) }
        }

        /// - Returns: Whether it had not ended before.
        @discardableResult
        private func end(_ id: UUID, _ content: (UNNotificationContent) -> UNNotificationContent) -> Bool {
            guard let delivery = queue.sync(execute: { open.removeValue(forKey: id) }) else { return false }
            delivery.handler(content(delivery.content))
            return true
        }
    }

    // `open` is touched on the queue alone; everything else never changes.
    extension EncryptedCalls: @unchecked Sendable {}

    extension EncryptedCallError {
        /// The error of CXErrorDomainNotificationServiceExtension's code.
        init(_ code: Int) {
            switch code {
            case 1: self = .notAnExtension
            case 2: self = .missingFilteringEntitlement
            default: self = .refused(code)
            }
        }
    }
#endif
