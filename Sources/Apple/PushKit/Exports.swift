// SPDX-License-Identifier: MIT

// As Apple's PushKit does: apps that import it alone use Foundation.
@_exported public import AppleFoundation
@_exported public import Foundation
