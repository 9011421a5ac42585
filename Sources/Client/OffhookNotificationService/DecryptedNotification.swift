// SPDX-License-Identifier: MIT

#if canImport(CallKit) && !os(macOS)
    public import UserNotifications

    /// What an encrypted notification turned out to be.
    public enum DecryptedNotification {
        /// An invitation to a call: what the app's push registry gets as its payload, Offhook's push body in it.
        ///
        /// Values have to be those of a property list or of JSON (K12).
        case call([AnyHashable: Any])
        /// Anything else, such as a text message: this is shown.
        case message(UNNotificationContent)
    }

    /// Why a call did not ring although its notification came (R120, R121).
    public enum EncryptedCallError: Error, Hashable, Sendable {
        /// The notification could not be decrypted.
        case notDecrypted
        /// Error 1: the code does not run in a notification service extension.
        case notAnExtension
        /// Error 2: the extension lacks `com.apple.developer.usernotifications.filtering`, which Apple grants.
        case missingFilteringEntitlement
        /// The system refused for another reason; its error code.
        case refused(Int)
        /// The extension's time was over first.
        case timeOver
    }
#endif
