// SPDX-License-Identifier: MIT

import OffhookDirectory
import Testing

@Suite struct DirectoryDeltaTests {
    // A later version of a list: some entries gone, some with other attributes, some new, some ranges cut.
    private func later(_ entries: [DirectoryEntry], _ random: inout SeededGenerator) -> [DirectoryEntry] {
        var later: [DirectoryEntry] = []
        for (index, entry) in entries.enumerated() {
            let next = index + 1 < entries.count ? entries[index + 1].first : .max
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                break
            case 1:
                later.append(DirectoryEntry(first: entry.first, last: entry.last, attributes: random.attributes()))
            case 2:
                let middle = Int64.random(in: entry.first...entry.last, using: &random)
                later.append(DirectoryEntry(first: middle, last: entry.last, attributes: entry.attributes))
            case 3 where entry.last + 1 < next:
                later.append(entry)
                later.append(DirectoryEntry(number: entry.last + 1, attributes: random.attributes()))
            default:
                later.append(entry)
            }
        }
        return later
    }

    @Test("A delta applied to the old file gives the new file, byte for byte", arguments: UInt64(1)...20)
    func applyGivesTheNewFile(seed: UInt64) throws {
        var random = SeededGenerator(state: seed &* 31)
        let before = random.entries(seed % 10 == 0 ? 6_000 : Int(seed) * 20)
        let after = seed % 7 == 0 ? random.entries(100) : later(before, &random)
        let (old, new) = try (DirectoryLists.compile(before), DirectoryLists.compile(after))
        let delta = try DirectoryLists.delta(from: old, to: new)
        try DirectoryFile(delta, kind: .delta).verify()
        #expect(try DirectoryLists.apply(delta, to: old) == new)
        let back = try DirectoryLists.delta(from: new, to: old)
        #expect(try DirectoryLists.apply(back, to: new) == old)
    }

    @Test("The differences are exactly the numbers whose attributes differ")
    func differences() throws {
        let old = try DirectoryFile(DirectoryLists.compile(DirectoryLists.first))
        let new = try DirectoryFile(DirectoryLists.compile(DirectoryLists.second))
        var difference = DirectoryDifference(from: old, to: new)
        var changes: [DirectoryChange] = []
        while let change = try difference.next() { changes.append(change) }
        let blocked = DirectoryLists.blocked
        #expect(
            changes == [
                DirectoryChange(first: 1, last: 1, before: blocked, after: .none),
                DirectoryChange(first: 2, last: 2, before: .none, after: blocked),
                DirectoryChange(
                    first: 14_085_551_212, last: 14_085_551_212,
                    before: DirectoryAttributes(blocked: false, labels: ["Johnny"]),
                    after: DirectoryAttributes(blocked: false, labels: ["Jane"])),
                DirectoryChange(
                    first: 33_162_000_000, last: 33_162_000_000, before: DirectoryLists.spam, after: .none),
                DirectoryChange(first: 33_162_100_000, last: 33_162_199_999, before: blocked, after: .none),
                DirectoryChange(first: .max - 1, last: .max - 1, before: blocked, after: .none),
            ])
    }

    @Test("Equal lists have an empty delta")
    func noDifference() throws {
        let bytes = try DirectoryLists.compile(DirectoryLists.first)
        let delta = try DirectoryLists.delta(from: bytes, to: bytes)
        #expect(try DirectoryFile(delta, kind: .delta).summary.numbers == 0)
        #expect(try DirectoryLists.apply(delta, to: bytes) == bytes)
    }

    @Test("A delta for another directory is refused before anything is written")
    func wrongBase() throws {
        let (first, second) = try (
            DirectoryLists.compile(DirectoryLists.first), DirectoryLists.compile(DirectoryLists.second)
        )
        let delta = try DirectoryFile(DirectoryLists.delta(from: first, to: second), kind: .delta)
        var sink: [UInt8] = []
        #expect(throws: DirectoryDeltaError.self) {
            try DirectoryDelta.apply(delta, to: DirectoryFile(second), into: &sink)
        }
        #expect(sink.isEmpty)
        #expect(throws: DirectoryFileError.wrongKind(found: .directory)) {
            try DirectoryDelta.apply(DirectoryFile(first), to: DirectoryFile(first), into: &sink)
        }
    }

    @Test("A damaged delta is refused, wherever the damage is")
    func damagedDelta() throws {
        let (first, second) = try (
            DirectoryLists.compile(DirectoryLists.first), DirectoryLists.compile(DirectoryLists.second)
        )
        let delta = try DirectoryLists.delta(from: first, to: second)
        for index in delta.indices {
            var damaged = delta
            damaged[index] ^= 0x10
            #expect(throws: (any Error).self) { try DirectoryLists.apply(damaged, to: first) }
        }
    }
}
