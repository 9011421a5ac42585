// SPDX-License-Identifier: MIT

// What Apple's Foundation has and Linux's lacks, as far as calling apps use it. CallKit, PushKit and the other
// stand-ins re-export this module, so that a file which imports one of them sees it as part of Foundation.
@_exported public import Foundation
