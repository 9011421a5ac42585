// SPDX-License-Identifier: MIT

/// The domain of general errors.
public let CXErrorDomain: String = "com.apple.CallKit.error"

/// The domain of ``CXErrorCodeIncomingCallError``.
public let CXErrorDomainIncomingCall: String = "com.apple.CallKit.error.incomingcall"

/// The domain of ``CXErrorCodeRequestTransactionError``.
public let CXErrorDomainRequestTransaction: String = "com.apple.CallKit.error.requesttransaction"

/// The domain of ``CXErrorCodeCallDirectoryManagerError``.
public let CXErrorDomainCallDirectoryManager: String = "com.apple.CallKit.error.calldirectorymanager"

/// The domain of ``CXErrorCodeNotificationServiceExtensionError``.
public let CXErrorDomainNotificationServiceExtension: String = "com.apple.CallKit.error.notificationserviceextension"
