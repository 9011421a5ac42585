// SPDX-License-Identifier: MIT

/// A phone number of the Call Directory: country code and digits, without "+" (D4).
public typealias CXCallDirectoryPhoneNumber = Int64

/// The highest number that the Call Directory takes (D4).
public var CXCallDirectoryPhoneNumberMax: CXCallDirectoryPhoneNumber { Int64.max - 1 }
