// SPDX-License-Identifier: MIT

import Testing

/// One idea each, a few lines each: the examples of docs/testing.md, and tests of the phone.
@Suite(.timeLimit(.minutes(1))) struct Scenarios {}
