// SPDX-License-Identifier: MIT

import Foundation
import OffhookWorld
import Testing

/// The call rules in random worlds, and the judge that watches them.
@Suite struct WalkTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    @Test("Each planted mistake is caught by its invariant", arguments: Sabotage.allCases)
    func sabotageIsCaught(_ sabotage: Sabotage) {
        for seed: UInt64 in 0..<2000 {
            var world = CallWorld(Walk.plan(seed: seed), sabotage: sabotage)
            if world.run().contains(where: { $0.invariant == sabotage.invariant }) { return }
        }
        Issue.record("2,000 worlds did not find that \(sabotage.rawValue)")
    }

    @Test("The same plan gives the same world, event for event") func deterministic() {
        for seed: UInt64 in 0..<50 {
            var first = CallWorld(Walk.plan(seed: seed))
            var second = CallWorld(Walk.plan(seed: seed))
            first.run()
            second.run()
            #expect(first.tally == second.tally)
            #expect(first.phones.map(\.records) == second.phones.map(\.records))
        }
    }

    @Test("A failing plan shrinks to a few moves that still fail") func shrinks() throws {
        let seed = try #require(
            (0..<500).first { seed in
                var world = CallWorld(Walk.plan(seed: seed), sabotage: .fulfilsTwice)
                return world.run().contains { $0.invariant == .actionCompletedOnce }
            } as UInt64?)
        let plan = Walk.plan(seed: seed).shrunk(breaking: .actionCompletedOnce, sabotage: .fulfilsTwice)
        #expect(plan.moves.count <= 2)
        var world = CallWorld(plan, sabotage: .fulfilsTwice)
        #expect(world.run().contains { $0.invariant == .actionCompletedOnce })
    }

    @Test("Past failures stay mended") func pastFailures() throws {
        let folder = WalkTests.root.appendingPathComponent("Fuzz/Cases/CallWalk")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let cases = files.filter { $0.pathExtension == "json" }
        #expect(!cases.isEmpty)
        for file in cases {
            let plan = try JSONDecoder().decode(WorldPlan.self, from: Data(contentsOf: file))
            var world = CallWorld(plan)
            #expect(world.run().isEmpty, "\(file.lastPathComponent): \(world.breaches)")
        }
    }

    @Test("docs/invariants.md lists the invariants, each once, in order") func page() throws {
        let page = try String(
            contentsOf: WalkTests.root.appendingPathComponent("docs/invariants.md"), encoding: .utf8)
        let listed = page.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        #expect(listed == Invariant.allCases.map(\.rawValue))
    }
}
