// SPDX-License-Identifier: MIT

import Foundation
import Testing
import VirtualPhone

/// The same seed and the same inputs give the same phone, byte for byte.
@Suite(.timeLimit(.minutes(2)))
struct SameTimelineTests {
    @Test("Two machines of one seed agree on every line, identity and effect", arguments: [1, 7, 42] as [UInt64])
    func machines(_ seed: UInt64) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        var first = PhoneWalk(seed: seed)
        var second = PhoneWalk(seed: seed)
        for _ in 0..<1000 {
            first.step()
            second.step()
        }
        #expect(first.snapshot.timeline.entries.count > 100)
        #expect(try encoder.encode(first.snapshot.timeline) == encoder.encode(second.snapshot.timeline))
        #expect(first.effects == second.effects)
        #expect(first.snapshot == second.snapshot)
        var other = PhoneWalk(seed: seed + 1)
        for _ in 0..<1000 { other.step() }
        #expect(other.snapshot.timeline != first.snapshot.timeline)
    }

    @Test("Two phones of one seed with the same app tell the same story")
    func phones() async throws {
        func story() async throws -> String {
            let bench = PhoneBench()
            defer { bench.close() }
            try await bench.talk()
            try bench.phone.user.setMuted(true)
            await bench.phone.advance(by: .seconds(3))
            try bench.phone.user.hangUp()
            await bench.phone.advance(by: .seconds(60))
            return bench.phone.timeline.description + "\(bench.phone.pushToken(for: PhoneBench.bundle)?.count ?? 0)"
        }
        #expect(try await story() == story())
    }
}
