// SPDX-License-Identifier: MIT

import Testing

/// Everything of this target that needs a phone and the main queue, one test after the other.
@Suite(.serialized) struct AppleShimsTests {}
