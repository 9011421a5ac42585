// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// Random walks over the machine: apps, users and time do anything in any order, and what must hold holds.
@Suite(.timeLimit(.minutes(2)))
struct PhoneWalkTests {
    @Test("K11, P07: Whatever happens: no crash, one answer each, audio in pairs, one end a call", arguments: 1...60)
    func walk(_ seed: UInt64) {
        var walk = PhoneWalk(seed: seed)
        for _ in 0..<1500 { walk.step() }
        walk.drainAll()
        #expect(walk.complaints == [], "seed \(seed)")
        #expect(walk.performed > 0)
    }

    @Test("P07, K10: The walks see every fate of a push")
    func fates() {
        var seen: Set<PushFates.Fate> = []
        for seed in 1...40 as ClosedRange<UInt64> {
            var walk = PhoneWalk(seed: seed)
            for _ in 0..<1500 { walk.step() }
            walk.drainAll()
            seen.formUnion(walk.pushFates.values)
            if seen.count == PushFates.Fate.allCases.count { return }
        }
        #expect(seen == Set(PushFates.Fate.allCases))
    }

    @Test("K11: The walk's judge of suspension objects to a delivery to a suspended app")
    func suspensionJudge() {
        let process = UUID()
        let deliver = PhoneEffect.deliver(
            delivery: 1, process: process, event: .providerDidBegin(provider: UUID()))
        func record(_ text: String) -> PhoneEffect {
            .record(Timeline.Entry(time: Date(), actor: .phone, rule: "K11", text: text, app: "a"))
        }
        func complaints(_ effects: [PhoneEffect]) -> [String] {
            var check = SuspensionCheck()
            return effects.compactMap { check.follow($0, bundleOf: [process: "a"]) }
        }
        #expect(complaints([deliver]).isEmpty)
        #expect(complaints([record("suspended the app"), deliver]).count == 1)
        #expect(complaints([record("suspended the app"), record("woke the app"), deliver]).isEmpty)
        #expect(complaints([record("suspended the app"), .terminate(process: process), deliver]).isEmpty)
        #expect(complaints([record("woke the app")]).count == 1)
    }

    @Test("P07: The walk's judge of pushes objects to one that comes twice")
    func pushJudge() {
        let (push, first, second) = (UUID(), UUID(), UUID())
        func complaints(dead: Set<UUID>, _ body: (inout PushFates) -> Void) -> String? {
            var fates = PushFates()
            _ = fates.delivered(push, to: first, dead: [])
            body(&fates)
            return fates.delivered(push, to: second, dead: dead)
        }
        #expect(complaints(dead: []) { _ in } == "two processes have one push")
        #expect(complaints(dead: [first]) { _ in } == nil)
        #expect(complaints(dead: [first]) { $0.returned(push) } != nil)
        #expect(complaints(dead: []) { $0.unhandled(push) } == nil)
    }
}
