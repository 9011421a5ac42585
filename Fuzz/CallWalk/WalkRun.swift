// SPDX-License-Identifier: MIT

import FoundationEssentials
import Glibc
import OffhookCore
import OffhookWorld

/// Runs worlds until enough events have passed, and tells how it went.
struct WalkRun {
    private let arguments: WalkArguments
    private let isTerminal = isatty(1) == 1
    private let started = ContinuousClock.now

    init(_ arguments: WalkArguments) {
        self.arguments = arguments
    }

    /// What one batch of worlds came to.
    private struct Batch: Sendable {
        var worlds = 0
        var tally = WorldTally()
        var failing: [UInt64] = []
    }

    /// How many worlds make a batch.
    private static let batch: UInt64 = 500

    /// Walks; gives whether nothing was broken.
    func walk() async -> Bool {
        if let only = arguments.only {
            let plan = Walk.plan(seed: only)
            print(plan.literal)
            var world = CallWorld(plan)
            for breach in world.run() { print(breach) }
            return world.breaches.isEmpty
        }
        print("seed \(arguments.seed), \(arguments.events) events, \(arguments.threads) threads")
        let total = await batches()
        report(total)
        for seed in total.failing.sorted().prefix(arguments.failures) { explain(seed) }
        return total.failing.isEmpty
    }

    private func batches() async -> Batch {
        var next = arguments.seed
        var total = Batch()
        await withTaskGroup(of: Batch.self) { group in
            func begin() {
                let first = next
                next += WalkRun.batch
                group.addTask { WalkRun.run(first..<first + WalkRun.batch) }
            }
            for _ in 0..<arguments.threads { begin() }
            for await batch in group {
                total.worlds += batch.worlds
                total.tally.add(batch.tally)
                total.failing += batch.failing
                progress(total)
                if total.tally.events < arguments.events, total.failing.count < arguments.failures { begin() }
            }
        }
        if isTerminal { print("\r\u{1B}[K", terminator: "") }
        return total
    }

    private static func run(_ seeds: Range<UInt64>) -> Batch {
        var batch = Batch()
        for seed in seeds {
            var world = CallWorld(Walk.plan(seed: seed))
            if !world.run().isEmpty { batch.failing.append(seed) }
            batch.worlds += 1
            batch.tally.add(world.tally)
        }
        return batch
    }

    private func progress(_ total: Batch) {
        guard isTerminal else { return }
        let percent = min(100, total.tally.events * 100 / max(1, arguments.events))
        print("\r\(percent) %, \(total.tally.events) events, \(rate(total.tally.events)) a second", terminator: "")
        fflush(nil)
    }

    private func rate(_ events: Int) -> Int {
        let elapsed = (ContinuousClock.now - started) / .milliseconds(1)
        return Int(Double(events) * 1000 / max(1, elapsed))
    }

    private func report(_ total: Batch) {
        let tally = total.tally
        print(
            """
            \(tally.events) events in \(total.worlds) worlds, seeds \(arguments.seed) to \
            \(arguments.seed + UInt64(total.worlds) - 1), \(rate(tally.events)) events a second
            \(tally.acts) acts, \(tally.deaths) deaths of apps, \(tally.serverDeaths) of the server, \
            \(tally.faults) planned failures, \(tally.effects) effects, \(tally.statesSeen) pairs of state and standing
            """)
        print("phone: " + list(WorldTally.phoneEvents, tally.phoneCounts))
        print("server: " + list(WorldTally.brokerEvents, tally.brokerCounts))
        print("ends: " + list(EndReason.allCases.map(\.rawValue), tally.ends) + "; with voice \(tally.talks)")
        print("operations: " + list(OperationResult.Status.allCases.map(\.rawValue), tally.results))
        print(total.failing.isEmpty ? "nothing was broken" : "broken by \(total.failing.count) seeds")
    }

    private func list(_ names: [String], _ counts: [Int]) -> String {
        zip(names, counts).map { "\($0) \($1)" }.joined(separator: ", ")
    }

    private func explain(_ seed: UInt64) {
        var world = CallWorld(Walk.plan(seed: seed))
        guard let first = world.run().first else { return }
        let plan = Walk.plan(seed: seed).shrunk(breaking: first.invariant)
        var small = CallWorld(plan)
        print("\nseed \(seed) breaks \(first)\nshrunk to \(plan.moves.count) moves:\n\(plan.literal)")
        for breach in small.run() { print("  \(breach)") }
        if let json = try? JSONEncoder().encode(plan) { print(String(decoding: json, as: UTF8.self)) }
    }
}
