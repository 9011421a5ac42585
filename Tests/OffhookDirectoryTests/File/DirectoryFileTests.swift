// SPDX-License-Identifier: MIT

import Testing

@testable import OffhookDirectory

@Suite struct DirectoryFileTests {
    @Test("What is compiled is read back, whatever the list looks like", arguments: UInt64(1)...24)
    func roundTrip(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        let entries = random.entries(seed % 8 == 0 ? 9_000 : Int(seed) * 13)
        let bytes = try DirectoryLists.compile(entries)
        let file = try DirectoryFile(bytes)
        try file.verify()
        #expect(try DirectoryLists.joined(DirectoryLists.entries(file)) == DirectoryLists.joined(entries))
        #expect(file.summary.numbers == entries.reduce(0) { $0 + UInt64($1.last - $1.first) + 1 })
        #expect(file.summary.bytes == bytes.count)
    }

    @Test("Numbers are found by lookup, their neighbours are not", arguments: UInt64(1)...6)
    func lookup(seed: UInt64) throws {
        var random = SeededGenerator(state: seed)
        let entries = random.entries(5_000)
        let file = try DirectoryFile(DirectoryLists.compile(entries))
        for index in stride(from: 0, to: entries.count, by: 97) {
            let entry = entries[index]
            #expect(try file.attributes(of: entry.first) == entry.attributes)
            #expect(try file.attributes(of: entry.last) == entry.attributes)
            if index > 0, entries[index - 1].last < entry.first - 1 {
                #expect(try file.attributes(of: entry.first - 1) == nil)
            }
            var cursor = file.entries(from: entry.last)
            #expect(try cursor.next().map { $0.last >= entry.last && $0.first <= entry.last } == true)
        }
        #expect(try file.attributes(of: .max) == nil)
        #expect(try file.attributes(of: 0) == nil)
        #expect(try file.attributes(of: .min) == nil)
    }

    @Test("The bytes depend on the numbers, not on their division into entries")
    func canonicalBytes() throws {
        let attributes = DirectoryLists.spam
        let whole = [DirectoryEntry(first: 100, last: 9_999, attributes: attributes)]
        let single = (Int64(100)...9_999).map { DirectoryEntry(number: $0, attributes: attributes) }
        #expect(try DirectoryLists.compile(whole) == DirectoryLists.compile(single))
        let short = [DirectoryEntry(first: 100, last: 162, attributes: attributes)]
        let file = try DirectoryFile(DirectoryLists.compile(short))
        #expect(file.summary.items == 63)
    }

    @Test("Gaps of every size are read back, after small gaps and after large ones", arguments: [0, 1, 7, 20, 40])
    func gaps(usual: Int) throws {
        var numbers: [Int64] = [1]
        for bits in 0..<62 {
            for gap in [Int64(1) << Int64(bits), (Int64(1) << Int64(bits)) + 1, (Int64(1) << Int64(bits + 1)) - 1] {
                // The code follows the gaps before: some usual ones first.
                var next = numbers.last ?? 1
                var run: [Int64] = []
                for _ in 0..<12 where next < Int64.max - 2 - gap - (1 << Int64(usual)) {
                    next += 1 << Int64(usual)
                    run.append(next)
                }
                guard next < Int64.max - 2 - gap else { continue }
                numbers += run + [next + gap]
            }
        }
        let entries = numbers.map { DirectoryEntry(number: $0, attributes: DirectoryLists.blocked) }
        let file = try DirectoryFile(DirectoryLists.compile(entries))
        try file.verify()
        #expect(try DirectoryLists.joined(DirectoryLists.entries(file)) == DirectoryLists.joined(entries))
    }

    @Test("An empty list is a file too")
    func emptyList() throws {
        let file = try DirectoryFile(DirectoryLists.compile([]))
        try file.verify()
        #expect(try DirectoryLists.entries(file).isEmpty)
        #expect(try file.attributes(of: 1) == nil)
    }

    @Test("A prefix list takes at most 16 bytes a range beside the fixed parts")
    func rangesAreSmall() throws {
        let entries = (Int64(1)...800).map {
            DirectoryEntry(
                first: 33_000_000_000 + $0 * 1_000_000, last: 33_000_000_000 + $0 * 1_000_000 + 9_999,
                attributes: DirectoryLists.blocked)
        }
        #expect(try DirectoryLists.compile(entries).count <= 16 * 800)
    }

    @Test("The writer refuses what is not ascending or no number, and goes on after it")
    func refusals() throws {
        var writer = try DirectoryWriter(into: [UInt8]())
        let attributes = DirectoryLists.blocked
        try writer.append(DirectoryEntry(number: 10, attributes: attributes))
        for number: Int64 in [10, 9] {
            #expect(throws: DirectoryWriteError.notAscending(previous: 10, next: number)) {
                try writer.append(DirectoryEntry(number: number, attributes: attributes))
            }
        }
        for (first, last) in [(0, 5), (-3, -3), (Int64.max, .max), (20, 19), (.min, .max)] as [(Int64, Int64)] {
            #expect(throws: DirectoryWriteError.invalidNumbers(first: first, last: last)) {
                try writer.append(DirectoryEntry(first: first, last: last, attributes: attributes))
            }
        }
        #expect(throws: DirectoryWriteError.noAttributes(number: 11)) {
            try writer.append(DirectoryEntry(number: 11, attributes: .none))
        }
        let long = String(repeating: "x", count: DirectoryFormat.maximumLabelBytes + 1)
        #expect(throws: DirectoryWriteError.invalidLabel(bytes: long.utf8.count)) {
            let attributes = DirectoryAttributes(blocked: false, labels: [long])
            try writer.append(DirectoryEntry(number: 11, attributes: attributes))
        }
        let many = DirectoryAttributes(blocked: false, labels: (0...DirectoryFormat.maximumLabels).map { "\($0)" })
        #expect(throws: DirectoryWriteError.tooManyLabels) {
            try writer.append(DirectoryEntry(number: 11, attributes: many))
        }
        try writer.append(DirectoryEntry(number: 11, attributes: attributes))
        try writer.finish()
        #expect(throws: DirectoryWriteError.finished) { try writer.finish() }
        #expect(throws: DirectoryWriteError.finished) {
            try writer.append(DirectoryEntry(number: 12, attributes: attributes))
        }
        #expect(try DirectoryFile(writer.sink).summary.numbers == 2)
    }

    @Test("A storage that fails ends the writer; what was written is no file")
    func failingSink() throws {
        struct Full: Error {}
        struct SmallSink: DirectorySink {
            var bytes: [UInt8] = []
            var room: Int
            mutating func append(_ more: [UInt8]) throws {
                guard bytes.count + more.count <= room else { throw Full() }
                bytes += more
            }
        }
        var writer = try DirectoryWriter(into: SmallSink(room: 100))
        try writer.append(DirectoryEntry(number: 10, attributes: DirectoryLists.blocked))
        #expect(throws: Full.self) { try writer.finish() }
        #expect(throws: DirectoryWriteError.finished) { try writer.finish() }
        #expect(throws: DirectoryFileError.truncated) { try DirectoryFile(writer.sink.bytes) }
    }

    @Test("Two spellings of one character are two labels")
    func labelsAreBytes() throws {
        let entries = ["\u{E9}", "e\u{301}"].enumerated().map {
            DirectoryEntry(
                number: Int64($0.offset + 1), attributes: DirectoryAttributes(blocked: false, labels: [$0.element]))
        }
        let file = try DirectoryFile(DirectoryLists.compile(entries))
        #expect(file.summary.labels == 2)
        #expect(try file.attributes(of: 2)?.labels.first?.utf8.count == 3)
    }

    @Test("The checksum is the CRC-32 of zlib")
    func checksum() {
        #expect(Checksum.of(Array("123456789".utf8)) == 0xCBF4_3926)
        #expect(Checksum.of([]) == 0)
    }
}
