// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

extension PhoneError {
    /// The error struct of Apple's that stands for a value from the phone.
    var callKitError: any Error {
        let error = NSError(domain: domain, code: code)
        return switch domain {
        case CXErrorDomainIncomingCall: CXErrorCodeIncomingCallError(_nsError: error)
        case CXErrorDomainRequestTransaction: CXErrorCodeRequestTransactionError(_nsError: error)
        case CXErrorDomainCallDirectoryManager: CXErrorCodeCallDirectoryManagerError(_nsError: error)
        case CXErrorDomainNotificationServiceExtension: CXErrorCodeNotificationServiceExtensionError(_nsError: error)
        case CXErrorDomain: CXError(_nsError: error)
        default: error
        }
    }
}
