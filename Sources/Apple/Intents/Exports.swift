// SPDX-License-Identifier: MIT

// As Apple's Intents does: apps that import it alone use Foundation and NSUserActivity.
@_exported public import AppleFoundation
@_exported public import Foundation
