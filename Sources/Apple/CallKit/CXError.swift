// SPDX-License-Identifier: MIT

public import Foundation

/// A general error of CallKit.
///
/// Always thrown as this struct: on Linux, unlike on Apple's systems, an `NSError` cannot be cast to it.
public struct CXError: _BridgedStoredNSError {
    /// The codes.
    public enum Code: Int, _ErrorCodeProtocol {
        /// The error that carries this code.
        public typealias _ErrorType = CXError

        /// The reason is not known.
        case unknownError = 0
        /// The app lacks an entitlement.
        case unentitled = 1
        /// An argument is not valid.
        case invalidArgument = 2
        /// The app does not list `voip` among its background modes.
        case missingVoIPBackgroundMode = 3
    }

    /// The error as Foundation keeps it.
    public let _nsError: NSError

    /// Takes a Foundation error of this domain.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The error's domain.
    public static var _nsErrorDomain: String { CXErrorDomain }
    /// The error's domain.
    public static var errorDomain: String { CXErrorDomain }

    /// The reason is not known.
    public static var unknownError: CXError.Code { .unknownError }
    /// The app lacks an entitlement.
    public static var unentitled: CXError.Code { .unentitled }
    /// An argument is not valid.
    public static var invalidArgument: CXError.Code { .invalidArgument }
    /// The app does not list `voip` among its background modes.
    public static var missingVoIPBackgroundMode: CXError.Code { .missingVoIPBackgroundMode }
}
