// SPDX-License-Identifier: MIT

import OffhookCore
import Testing

@testable import OffhookWorld

/// Each scenario with its n-th disk write, send, report, transaction or media start failing, until none is left.
@Suite struct FaultTableTests {
    @Test("Each scenario goes as its name says when nothing fails", arguments: WorldScenario.all)
    func scenarios(_ scenario: WorldScenario) {
        let world = scenario.run()
        #expect(world.breaches.isEmpty, "\(world.breaches)")
        #expect(world.phones.indices.map { world.ends(of: $0) } == scenario.ends)
    }

    @Test("Scenarios have names of their own") func names() {
        let names = WorldScenario.all.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(names.count >= 40)
    }

    @Test(
        "R81, R84: whatever fails on whatever phone, for every n, every invariant holds", arguments: WorldScenario.all)
    func faults(_ scenario: WorldScenario) {
        var counts: [Fault: Int] = [:]
        for phone in scenario.plan.users.indices {
            for fault in Fault.allCases {
                let rows = FaultTable(scenario, phone: phone, fault: fault).rows()
                counts[fault, default: 0] += rows.count
                for row in rows { #expect(row.world.breaches.isEmpty, "\(row)") }
            }
        }
        // Every scenario writes and sends; the other kinds occur where they must.
        for fault in [Fault.save, .send] { #expect(counts[fault, default: 0] > 0, "\(fault)") }
        let honest = scenario.run()
        let started = honest.calls.contains { !honest.phones[$0.caller].everReported.isEmpty }
        #expect((counts[.request, default: 0] > 0) == started)
        let rang = honest.phones.contains { $0.records.contains(where: \.wasReported) }
        #expect((counts[.report, default: 0] > 0) == (rang || scenario.plan.hasJunkPush))
        #expect((counts[.mediaStart, default: 0] > 0) == honest.calls.contains { $0.machine?.winner != nil })
    }

    @Test("R81: a command whose n-th write fails is rejected, and is not done", arguments: commanding)
    func failedWrites(_ scenario: WorldScenario) {
        var rejected = 0
        for phone in scenario.plan.users.indices {
            for row in FaultTable(scenario, phone: phone, fault: .save).rows() {
                for operation in row.world.phones[phone].operations
                where operation.result?.failure?.code == .notStored {
                    rejected += 1
                    #expect(operation.result?.status == .rejected, "\(row)")
                    // Nothing of it came to pass: a call that could not be stored was never made.
                    guard case .start(let call, _) = operation.command else { continue }
                    #expect(row.world.phones[phone].kit.allSatisfy { $0.id != call }, "\(row)")
                    #expect(row.world.number(of: call).flatMap { row.world.calls[$0].machine } == nil, "\(row)")
                }
            }
        }
        // Each command that otherwise succeeds is among them; an end is carried out even if it cannot be stored.
        let applied = scenario.run().phones.flatMap(\.operations).count { operation in
            if case .end = operation.command { false } else { operation.result?.status == .applied }
        }
        #expect(rejected > 0)
        #expect(rejected >= applied, "\(rejected) of \(applied) commands were rejected")
    }

    /// The scenarios in which apps do more than to call.
    private static let commanding = WorldScenario.all.filter { $0.plan.commandCount > 1 }
}

extension WorldPlan {
    /// How many different commands the apps give.
    fileprivate var commandCount: Int {
        moves.count { move in
            switch move.act {
            case .call, .ask: true
            default: false
            }
        }
    }

    /// Whether a push comes that cannot be read, and is reported all the same.
    fileprivate var hasJunkPush: Bool {
        moves.contains { if case .junkPush = $0.act { true } else { false } }
    }
}
