// SPDX-License-Identifier: MIT

import OffhookCore

// What happens in calls, with several calls, and when something around them fails.
extension WorldScenario {
    static let inCall: [WorldScenario] = [
        WorldScenario(
            "held, muted, tones from the call screen",
            [
                (0, .call(0, user: 1)), (2000, .answer(1)), (4000, .mute(1, true)), (4500, .mute(1, false)),
                (5000, .hold(0, true)), (6000, .hold(0, false)), (7000, .tone(0)), (9000, .end(0)),
            ], ends: [[.localHangup], [.remoteEnded]]),
        WorldScenario(
            "held, muted, tones from the app",
            [
                (0, .call(0, user: 1)), (2000, .ask(1, .answer)), (4000, .ask(0, .mute)), (4500, .ask(0, .unmute)),
                (5000, .ask(1, .hold)), (6000, .ask(1, .resume)), (7000, .ask(0, .tones)), (12_000, .ask(0, .end)),
            ], ends: [[.localHangup], [.remoteEnded]]),
        WorldScenario(
            "name, route, camera, translation",
            [
                (0, .call(0, user: 1)), (2000, .answer(1)), (4000, .ask(1, .rename)), (4200, .ask(1, .route)),
                (4400, .ask(1, .camera)), (4600, .ask(1, .switchCamera)), (4800, .ask(1, .translate)), (8000, .end(0)),
            ], ends: [[.localHangup], [.remoteEnded]]),
        WorldScenario(
            "an operation is repeated, and its id is used for another one",
            [
                (0, .call(0, user: 1)), (2000, .answer(1)), (4000, .ask(1, .mute)), (4001, .askAgain(1)),
                (4500, .askConflicting(1)), (5000, .ask(1, .end)), (5001, .askAgain(1)),
            ], ends: [[.remoteEnded], [.localHangup]]),
    ]

    static let severalCalls: [WorldScenario] = [
        WorldScenario(
            "a second call: hold and accept, swap, end both", users: [0, 1, 2], groups: 2,
            [
                (0, .call(0, user: 1)), (2000, .answer(1)), (4000, .call(2, user: 1)),
                (6000, .answer(1, holding: true)), (8000, .swap(1)), (10_000, .end(1)), (12_000, .end(1)),
            ], ends: [[.remoteEnded], [.localHangup, .localHangup], [.remoteEnded]]),
        WorldScenario(
            "a second call: end and accept", users: [0, 1, 2], groups: 2,
            [
                (0, .call(0, user: 1)), (2000, .answer(1)), (4000, .call(2, user: 1)),
                (6000, .answer(1, holding: false)), (9000, .end(2)),
            ], ends: [[.remoteEnded], [.localHangup, .remoteEnded], [.localHangup]]),
        WorldScenario(
            "a second call is declined, the first goes on", users: [0, 1, 2], groups: 2,
            [
                (0, .call(0, user: 1)), (2000, .answer(1)), (4000, .call(2, user: 1)), (6000, .end(1, line: 1)),
                (9000, .end(0)),
            ], ends: [[.localHangup], [.remoteEnded, .declined], [.declined]]),
        WorldScenario(
            "two calls are merged and parted", users: [0, 1, 2], groups: 2,
            [
                (0, .call(0, user: 1)), (2000, .answer(1)), (4000, .call(2, user: 1)),
                (6000, .answer(1, holding: true)), (8000, .group(1, true)), (9000, .group(1, false)), (10_000, .end(0)),
                (11_000, .end(2)),
            ], ends: [[.localHangup], [.remoteEnded, .remoteEnded], [.localHangup]]),
        WorldScenario(
            "a call out while another one is held", users: [0, 1, 2], groups: 2,
            [
                (0, .call(0, user: 1)), (2000, .answer(1)), (4000, .hold(1, true)), (5000, .call(1, user: 2)),
                (7000, .answer(2)), (9000, .end(2)), (11_000, .end(0)),
            ], ends: [[.localHangup], [.remoteEnded, .remoteEnded], [.localHangup]]),
    ]

    static let troubled: [WorldScenario] = [
        WorldScenario(
            "answered without a connection",
            [(0, .call(0, user: 1)), (1990, .cut(1, milliseconds: 3000)), (2000, .answer(1)), (9000, .end(1))],
            ends: [[.remoteEnded], [.localHangup]]),
        WorldScenario(
            "declined without a connection",
            [(0, .call(0, user: 1)), (1990, .cut(1, milliseconds: 3000)), (2000, .end(1))],
            ends: [[.declined], [.declined]]),
        WorldScenario(
            "called without a connection",
            [(0, .cut(0, milliseconds: 2000)), (10, .call(0, user: 1)), (5000, .answer(1)), (9000, .end(0))],
            ends: [[.localHangup], [.remoteEnded]]),
        WorldScenario(
            "the connection is lost in the call, its session too",
            [
                (0, .call(0, user: 1)), (2000, .answer(1)), (5000, .loseSession(1)),
                (5001, .cut(1, milliseconds: 3000)),
                (6000, .end(0)),
            ], ends: [[.localHangup], [.remoteEnded]]),
        WorldScenario(
            "the server restarts in the call",
            [
                (0, .call(0, user: 1)), (2000, .answer(1)), (5000, .restartServer(milliseconds: 2000)),
                (12_000, .end(1)),
            ],
            ends: [[.remoteEnded], [.localHangup]]),
        WorldScenario(
            "messages come twice and late",
            [
                (0, .repeatUp(0, milliseconds: 50)), (1, .call(0, user: 1)), (1990, .repeatUp(1, milliseconds: 700)),
                (1995, .repeatDown(1)), (2000, .answer(1)), (5000, .lateDown(0, milliseconds: 900)), (6000, .end(1)),
            ], ends: [[.remoteEnded], [.localHangup]]),
        WorldScenario(
            "signed out in the call",
            [(0, .call(0, user: 1)), (2000, .answer(1)), (5000, .signOut(1))],
            ends: [[.failed], [.failed]]),
        WorldScenario(
            "CallKit drops everything",
            [(0, .call(0, user: 1)), (2000, .answer(1)), (5000, .reset(1))],
            ends: [[.failed], [.failed]]),
        WorldScenario(
            "the activation does not come",
            [(0, .call(0, user: 1)), (1000, .loseActivation(1)), (2000, .answer(1))],
            ends: [[.failed], [.failed]]),
        WorldScenario(
            "the voice stops and returns; the audio session is interrupted",
            [
                (0, .call(0, user: 1)), (2000, .answer(1)), (4000, .interruptMedia(1, true)),
                (5000, .interruptMedia(1, false)), (6000, .surroundings(1, .interruption)),
                (7000, .surroundings(1, .interruptionEnd)), (8000, .surroundings(1, .mediaServices)), (9000, .end(0)),
            ], ends: [[.localHangup], [.remoteEnded]]),
        WorldScenario(
            "media breaks", [(0, .call(0, user: 1)), (2000, .answer(1)), (5000, .breakMedia(1))],
            ends: [[.failed], [.failed]]),
        WorldScenario(
            "the callee's app dies in the call and is opened",
            [(0, .call(0, user: 1)), (2000, .answer(1)), (5000, .kill(1)), (6000, .open(1))],
            ends: [[.failed], [.failed]]),
        WorldScenario(
            "the callee's app dies as it rings, the user declines",
            [(0, .call(0, user: 1)), (2000, .kill(1)), (3000, .end(1))],
            ends: [[.unreachable], [.failed]]),
        WorldScenario(
            "the caller's app dies as it rings and is opened",
            [(0, .call(0, user: 1)), (2000, .kill(0)), (3000, .open(0))],
            ends: [[.failed], [.callerCancelled]]),
    ]
}
