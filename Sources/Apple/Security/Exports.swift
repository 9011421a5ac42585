// SPDX-License-Identifier: MIT

// CFDictionary, CFTypeRef and OSStatus.
@_exported public import AppleFoundation
@_exported public import Foundation
