// SPDX-License-Identifier: MIT

import Testing

/// Tests with real GStreamer sessions, one after the other: they count descriptors and load the machine.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RealMediaTests {}
