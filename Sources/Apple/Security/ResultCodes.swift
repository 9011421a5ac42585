// SPDX-License-Identifier: MIT

public import AppleFoundation

// Apple's result codes.

/// It worked.
public let errSecSuccess: OSStatus = 0
/// The phone does not have this.
public let errSecUnimplemented: OSStatus = -4
/// The disk is full.
public let errSecDiskFull: OSStatus = -34
/// The query is wrong.
public let errSecParam: OSStatus = -50
/// No memory.
public let errSecAllocate: OSStatus = -108
/// The user gave up.
public let errSecUserCanceled: OSStatus = -128
/// There is no keychain: no phone runs the code.
public let errSecNotAvailable: OSStatus = -25_291
/// The user was not recognised.
public let errSecAuthFailed: OSStatus = -25_293
/// There is such an item.
public let errSecDuplicateItem: OSStatus = -25_299
/// There is no such item.
public let errSecItemNotFound: OSStatus = -25_300
/// The item cannot be read while the phone is locked (R79).
public let errSecInteractionNotAllowed: OSStatus = -25_308
/// The item cannot be understood.
public let errSecDecode: OSStatus = -26_275
/// The app may not do this.
public let errSecMissingEntitlement: OSStatus = -34_018

/// What a result code means; nil for one that is unknown here.
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
    switch status {
    case errSecSuccess: return "No error."
    case errSecUnimplemented: return "Function or operation not implemented."
    case errSecParam: return "One or more parameters passed to a function were not valid."
    case errSecNotAvailable: return "No keychain is available. You may need to restart your computer."
    case errSecAuthFailed: return "The user name or passphrase you entered is not correct."
    case errSecDuplicateItem: return "The specified item already exists in the keychain."
    case errSecItemNotFound: return "The specified item could not be found in the keychain."
    case errSecInteractionNotAllowed: return "User interaction is not allowed."
    case errSecDecode: return "Unable to decode the provided data."
    case errSecMissingEntitlement: return "A required entitlement isn't present."
    default: return nil
    }
}
