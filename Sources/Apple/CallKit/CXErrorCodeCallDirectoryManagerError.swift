// SPDX-License-Identifier: MIT

public import Foundation

/// Why a Call Directory extension could not be loaded (D6).
///
/// Always thrown as this struct: on Linux, unlike on Apple's systems, an `NSError` cannot be cast to it.
public struct CXErrorCodeCallDirectoryManagerError: _BridgedStoredNSError {
    /// The codes.
    public enum Code: Int, _ErrorCodeProtocol {
        /// The error that carries this code.
        public typealias _ErrorType = CXErrorCodeCallDirectoryManagerError

        /// The reason is not known.
        case unknown = 0
        /// No extension has this identifier.
        case noExtensionFound = 1
        /// The extension was interrupted while it loaded.
        case loadingInterrupted = 2
        /// The numbers do not ascend (D3).
        case entriesOutOfOrder = 3
        /// A number was given twice (D3).
        case duplicateEntries = 4
        /// The extension gave too many entries (D7).
        case maximumEntriesExceeded = 5
        /// The user has not enabled the extension (D8).
        case extensionDisabled = 6
        /// The extension is being loaded.
        case currentlyLoading = 7
        /// An entry was removed in a full load (D2).
        case unexpectedIncrementalRemoval = 8
    }

    /// The error as Foundation keeps it.
    public let _nsError: NSError

    /// The code; ``Code/unknown`` for one that Apple does not document, such as 102 (D6).
    ///
    /// `errorCode` has the number. On Apple's systems such a code is a case without a name, on which a switch without
    /// `@unknown default` crashes.
    public var code: Code { Code(rawValue: _nsError.code) ?? .unknown }

    /// Takes a Foundation error of this domain.
    public init(_nsError error: NSError) {
        _nsError = error
    }

    /// The error's domain.
    public static var _nsErrorDomain: String { CXErrorDomainCallDirectoryManager }
    /// The error's domain.
    public static var errorDomain: String { CXErrorDomainCallDirectoryManager }

    /// The reason is not known.
    public static var unknown: CXErrorCodeCallDirectoryManagerError.Code { .unknown }
    /// No extension has this identifier.
    public static var noExtensionFound: CXErrorCodeCallDirectoryManagerError.Code { .noExtensionFound }
    /// The extension was interrupted while it loaded.
    public static var loadingInterrupted: CXErrorCodeCallDirectoryManagerError.Code { .loadingInterrupted }
    /// The numbers do not ascend (D3).
    public static var entriesOutOfOrder: CXErrorCodeCallDirectoryManagerError.Code { .entriesOutOfOrder }
    /// A number was given twice (D3).
    public static var duplicateEntries: CXErrorCodeCallDirectoryManagerError.Code { .duplicateEntries }
    /// The extension gave too many entries (D7).
    public static var maximumEntriesExceeded: CXErrorCodeCallDirectoryManagerError.Code { .maximumEntriesExceeded }
    /// The user has not enabled the extension (D8).
    public static var extensionDisabled: CXErrorCodeCallDirectoryManagerError.Code { .extensionDisabled }
    /// The extension is being loaded.
    public static var currentlyLoading: CXErrorCodeCallDirectoryManagerError.Code { .currentlyLoading }
    /// An entry was removed in a full load (D2).
    public static var unexpectedIncrementalRemoval: CXErrorCodeCallDirectoryManagerError.Code {
        .unexpectedIncrementalRemoval
    }
}
