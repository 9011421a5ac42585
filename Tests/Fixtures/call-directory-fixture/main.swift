// SPDX-License-Identifier: MIT

import CallKit
import Dispatch

// iOS makes the principal object and serves the queue; a program on Linux does both.
let provider = FixtureProvider()
withExtendedLifetime(provider) { dispatchMain() }
