// SPDX-License-Identifier: MIT

public import Foundation

/// Why an incoming call was not shown (I2).
///
/// Always thrown as this struct: on Linux, unlike on Apple's systems, an `NSError` cannot be cast to it.
public struct CXErrorCodeIncomingCallError: _BridgedStoredNSError {
    /// The codes.
    public enum Code: Int, _ErrorCodeProtocol {
        /// The error that carries this code.
        public typealias _ErrorType = CXErrorCodeIncomingCallError

        /// The reason is not known.
        case unknown = 0
        /// The app may not receive calls.
        case unentitled = 1
        /// The phone has a call of this UUID (I3).
        case callUUIDAlreadyExists = 2
        /// Do Not Disturb is on and the caller is no exception (I4).
        case filteredByDoNotDisturb = 3
        /// The user blocked the caller (I4).
        case filteredByBlockList = 4
        /// The phone shares its screen in a restricted mode.
        case filteredDuringRestrictedSharingMode = 5
        /// The app is locked or hidden.
        case callIsProtected = 6
        /// The call has participants whose calls are filtered.
        case filteredBySensitiveParticipants = 7
    }

    /// The error as Foundation keeps it.
    public let _nsError: NSError

    /// Takes a Foundation error of this domain.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The error's domain.
    public static var _nsErrorDomain: String { CXErrorDomainIncomingCall }
    /// The error's domain.
    public static var errorDomain: String { CXErrorDomainIncomingCall }

    /// The reason is not known.
    public static var unknown: CXErrorCodeIncomingCallError.Code { .unknown }
    /// The app may not receive calls.
    public static var unentitled: CXErrorCodeIncomingCallError.Code { .unentitled }
    /// The phone has a call of this UUID (I3).
    public static var callUUIDAlreadyExists: CXErrorCodeIncomingCallError.Code { .callUUIDAlreadyExists }
    /// Do Not Disturb is on and the caller is no exception (I4).
    public static var filteredByDoNotDisturb: CXErrorCodeIncomingCallError.Code { .filteredByDoNotDisturb }
    /// The user blocked the caller (I4).
    public static var filteredByBlockList: CXErrorCodeIncomingCallError.Code { .filteredByBlockList }
    /// The phone shares its screen in a restricted mode.
    public static var filteredDuringRestrictedSharingMode: CXErrorCodeIncomingCallError.Code {
        .filteredDuringRestrictedSharingMode
    }
    /// The app is locked or hidden.
    public static var callIsProtected: CXErrorCodeIncomingCallError.Code { .callIsProtected }
    /// The call has participants whose calls are filtered.
    public static var filteredBySensitiveParticipants: CXErrorCodeIncomingCallError.Code {
        .filteredBySensitiveParticipants
    }
}
