// SPDX-License-Identifier: MIT

import OffhookCore

// Calls that are answered, or are not, between apps that run.
extension WorldScenario {
    static let plain: [WorldScenario] = [
        WorldScenario(
            "answered, the callee hangs up",
            [(0, .call(0, user: 1)), (2000, .answer(1)), (6000, .end(1))],
            ends: [[.remoteEnded], [.localHangup]]),
        WorldScenario(
            "answered, the caller hangs up",
            [(0, .call(0, user: 1)), (2000, .answer(1)), (6000, .end(0))],
            ends: [[.localHangup], [.remoteEnded]]),
        WorldScenario(
            "answered before the server confirms it", answersAtOnce: true,
            [(0, .call(0, user: 1)), (2000, .answer(1)), (6000, .end(1))],
            ends: [[.remoteEnded], [.localHangup]]),
        WorldScenario(
            "both hang up at once",
            [(0, .call(0, user: 1)), (2000, .answer(1)), (6000, .end(0)), (6000, .end(1))],
            ends: [[.localHangup], [.localHangup]]),
        WorldScenario(
            "answered in the app, ended in the app",
            [(0, .call(0, user: 1)), (2000, .ask(1, .answer)), (6000, .ask(1, .end))],
            ends: [[.remoteEnded], [.localHangup]]),
        WorldScenario(
            "answered on another device", users: [0, 1, 1],
            [(0, .call(0, user: 1)), (2000, .answer(1)), (6000, .end(0))],
            ends: [[.localHangup], [.remoteEnded], [.answeredElsewhere]]),
        WorldScenario(
            "two devices answer at once", users: [0, 1, 1],
            [(0, .call(0, user: 1)), (2000, .answer(1)), (2001, .answer(2)), (6000, .end(0))],
            ends: [[.localHangup], [.remoteEnded], [.answeredElsewhere]]),
    ]

    static let unanswered: [WorldScenario] = [
        WorldScenario(
            "declined", [(0, .call(0, user: 1)), (2000, .end(1))],
            ends: [[.declined], [.declined]]),
        WorldScenario(
            "declined in the app", [(0, .call(0, user: 1)), (2000, .ask(1, .end))],
            ends: [[.declined], [.declined]]),
        WorldScenario(
            "declined on another device", users: [0, 1, 1],
            [(0, .call(0, user: 1)), (2000, .end(1))],
            ends: [[.declined], [.declined], [.declinedElsewhere]]),
        WorldScenario(
            "missed", [(0, .call(0, user: 1))],
            ends: [[.unanswered], [.unanswered]]),
        WorldScenario(
            "cancelled while it rings", [(0, .call(0, user: 1)), (2000, .end(0))],
            ends: [[.localHangup], [.callerCancelled]]),
        WorldScenario(
            "cancelled as it is answered", [(0, .call(0, user: 1)), (2000, .end(0)), (2010, .answer(1))],
            ends: [[.localHangup], [.callerCancelled]]),
        WorldScenario(
            "cancelled in the app before the server has it", [(0, .call(0, user: 1)), (12, .ask(0, .end))],
            ends: [[.localHangup], [.callerCancelled]]),
        WorldScenario(
            "busy", users: [0, 1, 2],
            [(0, .call(0, user: 1)), (2000, .answer(1)), (4000, .call(2, user: 1)), (9000, .end(0))],
            ends: [[.localHangup], [.remoteEnded], [.busy]]),
        WorldScenario(
            "called again", [(0, .call(0, user: 1)), (2000, .end(1)), (4000, .call(0, user: 1)), (6000, .end(0))],
            ends: [[.declined, .localHangup], [.declined, .callerCancelled]]),
    ]

    // Calls to an app that does not run: the push starts it.
    static let asleep: [WorldScenario] = [
        WorldScenario(
            "a push starts the app, answered",
            [(0, .kill(1)), (1000, .call(0, user: 1)), (4000, .answer(1)), (8000, .end(1))],
            ends: [[.remoteEnded], [.localHangup]]),
        WorldScenario(
            "a push starts the app, answered as it rings",
            [(0, .kill(1)), (1000, .call(0, user: 1)), (1245, .answer(1)), (8000, .end(1))],
            ends: [[.remoteEnded], [.localHangup]]),
        WorldScenario(
            "a push starts the app, declined as it rings",
            [(0, .kill(1)), (1000, .call(0, user: 1)), (1245, .end(1))],
            ends: [[.declined], [.declined]]),
        WorldScenario(
            "a push starts the app, locked",
            [
                (0, .surroundings(1, .background)), (10, .kill(1)), (1000, .call(0, user: 1)), (4000, .answer(1)),
                (8000, .end(0)),
            ], ends: [[.localHangup], [.remoteEnded]]),
        WorldScenario(
            "cancelled before the push",
            [(0, .kill(1)), (10, .push(1, .late(milliseconds: 5000))), (1000, .call(0, user: 1)), (3000, .end(0))],
            ends: [[.localHangup], [.callerCancelled]]),
        WorldScenario(
            "the push comes twice, declined between",
            [(0, .kill(1)), (10, .push(1, .twice(milliseconds: 4000))), (1000, .call(0, user: 1)), (3000, .end(1))],
            ends: [[.declined], [.declined]]),
        WorldScenario(
            "no push arrives", [(0, .kill(1)), (10, .push(1, .refused)), (1000, .call(0, user: 1))],
            ends: [[.unreachable], []]),
        WorldScenario(
            "a push that cannot be read, then a call",
            [(0, .kill(1)), (10, .junkPush(1)), (1000, .call(0, user: 1)), (3000, .answer(1)), (6000, .end(0))],
            ends: [[.localHangup], [.remoteEnded]]),
    ]
}
