// SPDX-License-Identifier: MIT

public import Foundation

/// Why an extension could not hand over a VoIP push (K12).
///
/// Always thrown as this struct: on Linux, unlike on Apple's systems, an `NSError` cannot be cast to it.
public struct CXErrorCodeNotificationServiceExtensionError: _BridgedStoredNSError {
    /// The codes.
    public enum Code: Int, _ErrorCodeProtocol {
        /// The error that carries this code.
        public typealias _ErrorType = CXErrorCodeNotificationServiceExtensionError

        /// The reason is not known.
        case unknown = 0
        /// The caller is no notification service extension.
        case invalidClientProcess = 1
        /// The extension lacks the filtering entitlement.
        case missingNotificationFilteringEntitlement = 2
    }

    /// The error as Foundation keeps it.
    public let _nsError: NSError

    /// Takes a Foundation error of this domain.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The error's domain.
    public static var _nsErrorDomain: String { CXErrorDomainNotificationServiceExtension }
    /// The error's domain.
    public static var errorDomain: String { CXErrorDomainNotificationServiceExtension }

    /// The reason is not known.
    public static var unknown: CXErrorCodeNotificationServiceExtensionError.Code { .unknown }
    /// The caller is no notification service extension.
    public static var invalidClientProcess: CXErrorCodeNotificationServiceExtensionError.Code { .invalidClientProcess }
    /// The extension lacks the filtering entitlement.
    public static var missingNotificationFilteringEntitlement: CXErrorCodeNotificationServiceExtensionError.Code {
        .missingNotificationFilteringEntitlement
    }
}
