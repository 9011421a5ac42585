// SPDX-License-Identifier: MIT

import OffhookCore

/// machine.rate: how many events the rules of one call take per second on one core.
///
/// Each round is a whole incoming call: reported, answered, claimed, media, mute, hold, resume, end.
enum CallMachineRate {
    static let benchmark = Benchmark(
        ids: ["machine.rate"], summary: "events through the rules of a call, one core",
        run: {
            let events = script()
            let small = measure(rounds: 100_000, events)
            let large = measure(rounds: 1_000_000, events)
            let growth = Growth.note((small.events, small.seconds), (large.events, large.seconds))
            return [
                row(small, note: "\(events.count) events a call, effects made and counted"), row(large, note: growth),
            ]
        })

    private struct Measured {
        var events: Int
        var effects: Int
        var seconds: Double
    }

    private static func row(_ measured: Measured, note: String) -> BenchmarkRow {
        BenchmarkRow(
            "machine.rate", n: measured.events, value: Double(measured.events) / measured.seconds / 1e6,
            unit: "million events/s", note: note)
    }

    private static func measure(rounds: Int, _ events: [CallMachine.Event]) -> Measured {
        let start = Instant(milliseconds: 1_700_000_000_000)
        let invitation = Invitation(
            call: CallID(high: 1, low: 2), callerName: "Alice", callerHandle: Handle(value: "alice"), issuedAt: start,
            expiresAt: start + .seconds(45))
        var effects = 0
        let before = Stopwatch.threadSeconds()
        for round in 0..<rounds {
            let now = start + .milliseconds(round & 1023)
            var machine = CallMachine(invitation, at: now)
            for event in events { effects += machine.handle(event, at: now).count }
            precondition(machine.isSettled, "the scripted call must come to its end")
        }
        return Measured(
            events: rounds * events.count, effects: effects, seconds: Stopwatch.threadSeconds() - before)
    }

    private static func script() -> [CallMachine.Event] {
        func action(_ number: UInt64) -> ActionID { ActionID(high: 0, low: number) }
        return [
            .opened, .reported(nil), .answerPerformed(action(1)), .answered, .mediaArrived,
            .mutePerformed(action(2), true), .mutePerformed(action(3), false), .holdPerformed(action(4), true),
            .holdPerformed(action(5), false), .mediaInterrupted(true), .mediaInterrupted(false), .tick,
            .endPerformed(action(6)),
        ]
    }
}
