// SPDX-License-Identifier: MIT

import OffhookDirectory

// Small lists that tests share.
enum DirectoryLists {
    static let spam = DirectoryAttributes(blocked: true, labels: ["Spam"])
    static let blocked = DirectoryAttributes(blocked: true)

    // The lists behind the golden files. They never change: a new version of the format gets new ones.
    static let first: [DirectoryEntry] = [
        DirectoryEntry(number: 1, attributes: blocked),
        DirectoryEntry(number: 14_085_551_212, attributes: DirectoryAttributes(blocked: false, labels: ["Johnny"])),
        DirectoryEntry(number: 33_162_000_000, attributes: spam),
        DirectoryEntry(first: 33_162_100_000, last: 33_162_999_999, attributes: blocked),
        DirectoryEntry(
            number: 33_163_000_000, attributes: DirectoryAttributes(blocked: false, labels: ["Zoé", "Müller & Co"])),
        DirectoryEntry(number: 33_163_000_001, attributes: spam),
        DirectoryEntry(first: 49_301_234_500, last: 49_301_234_509, attributes: spam),
        DirectoryEntry(number: .max - 1, attributes: blocked),
    ]
    static let second: [DirectoryEntry] = [
        DirectoryEntry(number: 2, attributes: blocked),
        DirectoryEntry(number: 14_085_551_212, attributes: DirectoryAttributes(blocked: false, labels: ["Jane"])),
        DirectoryEntry(first: 33_162_200_000, last: 33_162_999_999, attributes: blocked),
        DirectoryEntry(
            number: 33_163_000_000, attributes: DirectoryAttributes(blocked: false, labels: ["Zoé", "Müller & Co"])),
        DirectoryEntry(number: 33_163_000_001, attributes: spam),
        DirectoryEntry(first: 49_301_234_500, last: 49_301_234_509, attributes: spam),
    ]

    static func compile(_ entries: [DirectoryEntry]) throws -> [UInt8] {
        var writer = try DirectoryWriter(into: [UInt8]())
        for entry in entries { try writer.append(entry) }
        try writer.finish()
        return writer.sink
    }

    static func delta(from old: [UInt8], to new: [UInt8]) throws -> [UInt8] {
        var sink: [UInt8] = []
        _ = try DirectoryDelta.write(from: DirectoryFile(old), to: DirectoryFile(new), into: &sink)
        return sink
    }

    static func apply(_ delta: [UInt8], to base: [UInt8]) throws -> [UInt8] {
        var sink: [UInt8] = []
        _ = try DirectoryDelta.apply(DirectoryFile(delta, kind: .delta), to: DirectoryFile(base), into: &sink)
        return sink
    }

    static func entries(_ file: DirectoryFile) throws -> [DirectoryEntry] {
        var entries: [DirectoryEntry] = []
        var cursor = file.entries()
        while let entry = try cursor.next() { entries.append(entry) }
        return entries
    }

    // Neighbours with equal attributes joined: the same for every division of the same numbers.
    static func joined(_ entries: [DirectoryEntry]) -> [DirectoryEntry] {
        var joined: [DirectoryEntry] = []
        for entry in entries {
            if let last = joined.last, last.last + 1 == entry.first, last.attributes == entry.attributes {
                joined[joined.count - 1] = DirectoryEntry(
                    first: last.first, last: entry.last, attributes: entry.attributes)
            } else {
                joined.append(entry)
            }
        }
        return joined
    }
}

// SplitMix64: the same numbers for the same seed on every system.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    // A list of all shapes: dense and thin stretches, ranges, runs, several labels, both ends of what is allowed.
    mutating func entries(_ count: Int) -> [DirectoryEntry] {
        var entries: [DirectoryEntry] = []
        var number: UInt64 = .random(in: 0...1, using: &self)
        var attributes = DirectoryLists.blocked
        let spread = UInt64.random(in: 1...40, using: &self)
        while entries.count < count {
            number += 1
            if Int.random(in: 0..<4, using: &self) > 0 {
                number += .random(in: 0..<(1 << spread), using: &self)
            }
            if Int.random(in: 0..<500, using: &self) == 0 {
                number += .random(in: 0..<(1 << 54), using: &self)
            }
            if Bool.random(using: &self) { attributes = self.attributes() }
            var length: UInt64 = 0
            if Int.random(in: 0..<20, using: &self) == 0 { length = .random(in: 0..<200, using: &self) }
            guard number + length < UInt64(Int64.max) else { break }
            entries.append(
                DirectoryEntry(first: Int64(number), last: Int64(number + length), attributes: attributes))
            number += length
        }
        return entries
    }

    mutating func attributes() -> DirectoryAttributes {
        let count = [0, 0, 0, 1, 1, 1, 2, 5][Int.random(in: 0..<8, using: &self)]
        var labels: [String] = []
        for _ in 0..<count {
            let width = UInt32.random(in: 0...9, using: &self)
            labels.append("Label \(UInt32.random(in: 0..<(1 << width), using: &self)) é")
        }
        return DirectoryAttributes(blocked: labels.isEmpty || Bool.random(using: &self), labels: labels)
    }
}
