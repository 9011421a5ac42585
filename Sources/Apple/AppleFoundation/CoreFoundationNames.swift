// SPDX-License-Identifier: MIT

public import Foundation

/// A string of Core Foundation; `as String` and `as CFString` convert as on Apple's systems.
public typealias CFString = NSString
/// A dictionary of Core Foundation; `query as CFDictionary` works.
public typealias CFDictionary = NSDictionary
/// An array of Core Foundation.
public typealias CFArray = NSArray
/// Bytes of Core Foundation.
public typealias CFData = NSData
/// Any object of Core Foundation.
public typealias CFTypeRef = AnyObject
/// A truth value of Core Foundation.
public typealias CFBoolean = NSNumber

// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// True, as an object.
public var kCFBooleanTrue: CFBoolean! { NSNumber(value: true) }
// swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
/// False, as an object.
public var kCFBooleanFalse: CFBoolean! { NSNumber(value: false) }

/// The result code of Apple's C interfaces: zero is success.
public typealias OSStatus = Int32
/// No error.
public let noErr: OSStatus = 0
