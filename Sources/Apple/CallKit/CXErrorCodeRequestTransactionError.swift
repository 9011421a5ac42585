// SPDX-License-Identifier: MIT

public import Foundation

/// Why a transaction was refused (T1).
///
/// Always thrown as this struct: on Linux, unlike on Apple's systems, an `NSError` cannot be cast to it.
public struct CXErrorCodeRequestTransactionError: _BridgedStoredNSError {
    /// The codes.
    public enum Code: Int, _ErrorCodeProtocol {
        /// The error that carries this code.
        public typealias _ErrorType = CXErrorCodeRequestTransactionError

        /// The reason is not known.
        case unknown = 0
        /// The app may not make calls.
        case unentitled = 1
        /// The phone knows no provider of the app (T3).
        case unknownCallProvider = 2
        /// The transaction has no action.
        case emptyTransaction = 3
        /// The app has no call of this UUID (T4).
        case unknownCallUUID = 4
        /// The phone has a call of this UUID already.
        case callUUIDAlreadyExists = 5
        /// The action is none of CallKit's, or does not fit the call.
        case invalidAction = 6
        /// The provider has as many groups of calls as it may have (T5).
        case maximumCallGroupsReached = 7
        /// The call belongs to a locked or hidden app.
        case callIsProtected = 8
    }

    /// The error as Foundation keeps it.
    public let _nsError: NSError

    /// Takes a Foundation error of this domain.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The error's domain.
    public static var _nsErrorDomain: String { CXErrorDomainRequestTransaction }
    /// The error's domain.
    public static var errorDomain: String { CXErrorDomainRequestTransaction }

    /// The reason is not known.
    public static var unknown: CXErrorCodeRequestTransactionError.Code { .unknown }
    /// The app may not make calls.
    public static var unentitled: CXErrorCodeRequestTransactionError.Code { .unentitled }
    /// The phone knows no provider of the app (T3).
    public static var unknownCallProvider: CXErrorCodeRequestTransactionError.Code { .unknownCallProvider }
    /// The transaction has no action.
    public static var emptyTransaction: CXErrorCodeRequestTransactionError.Code { .emptyTransaction }
    /// The app has no call of this UUID (T4).
    public static var unknownCallUUID: CXErrorCodeRequestTransactionError.Code { .unknownCallUUID }
    /// The phone has a call of this UUID already.
    public static var callUUIDAlreadyExists: CXErrorCodeRequestTransactionError.Code { .callUUIDAlreadyExists }
    /// The action is none of CallKit's, or does not fit the call.
    public static var invalidAction: CXErrorCodeRequestTransactionError.Code { .invalidAction }
    /// The provider has as many groups of calls as it may have (T5).
    public static var maximumCallGroupsReached: CXErrorCodeRequestTransactionError.Code { .maximumCallGroupsReached }
    /// The call belongs to a locked or hidden app.
    public static var callIsProtected: CXErrorCodeRequestTransactionError.Code { .callIsProtected }
}
