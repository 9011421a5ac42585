// SPDX-License-Identifier: MIT

@testable import OffhookCore
import Testing

@Suite struct JournalTests {
    private let now = Fixture.start

    /// A journal with some entries and the file that has grown beside it.
    private func written(_ count: Int, seed: UInt64 = 1) -> (journal: Journal, file: [UInt8]) {
        var random = TestRandom(seed: seed)
        var journal = Journal(generation: Fixture.generation, at: now)
        var file = journal.image
        for _ in 0..<count {
            file +=
                random.chance(3)
                ? journal.record(random.result(), source: .local, at: now)
                : journal.record(random.snapshot(), source: random.element(JournalEntry.Source.allCases), at: now)
        }
        return (journal, file)
    }

    private func entries(_ journal: Journal, after cursor: UInt64) -> [JournalEntry]? {
        if case .entries(let entries) = journal.replay(after: cursor) { entries } else { nil }
    }

    @Test("R86: sequences rise strictly, as decimal strings beyond 2^53, over restarts too") func sequences() throws {
        let future = Instant(milliseconds: 1 << 49)
        var journal = Journal(generation: Fixture.generation, at: future)
        let before = journal.last
        var file = journal.image + journal.record(Fixture.snapshot(), source: .platform, at: future)
        #expect(journal.last == before + 1)
        #expect(before > 1 << 53)
        var read = try JournalCodec.decode(file, at: future).journal
        file += read.record(Fixture.snapshot(), source: .media, at: future)
        let all = entries(try JournalCodec.decode(file, at: future).journal, after: before) ?? []
        #expect(all.map(\.sequenceText) == [String(before + 1), String(before + 2)])
        #expect(all.map(\.eventID) == ["3-\(before + 1)", "3-\(before + 2)"])
        #expect(all.map(\.source) == [.platform, .media])
        let lost = Journal(generation: Fixture.generation, at: future + .milliseconds(1))
        #expect(lost.last > read.last)
        #expect(Journal(generation: Fixture.generation, at: Instant(milliseconds: -1)).last == 0)
    }

    @Test("R86: what is recorded is replayed, with its kind, call and operation") func kinds() {
        var journal = Journal(generation: Fixture.generation, at: now)
        let start = journal.last
        let call = Fixture.snapshot()
        let result = OperationResult(OperationID(5), call: Fixture.other, .rejected, failure: Fixture.broken, at: now)
        _ = journal.record(call, source: .signaling, at: now)
        _ = journal.record(result, source: .local, at: now)
        let all = entries(journal, after: start) ?? []
        #expect(all.map(\.content) == [.callChanged(call), .operationCompleted(result)])
        #expect(all.map(\.kind) == [.callChanged, .operationCompleted])
        #expect(all.map(\.call) == [call.id, Fixture.other])
        #expect(all.map(\.operation) == [nil, OperationID(5)])
    }

    @Test("R86: a file is read as it was written", arguments: 0..<50) func roundTrip(_ seed: UInt64) throws {
        var (journal, file) = written(20, seed: seed)
        file += journal.acknowledge(journal.last - 3)
        let opened = try JournalCodec.decode(file, at: now)
        #expect(opened.length == file.count)
        #expect(opened.journal == journal, "seed \(seed)")
        #expect(
            try JournalCodec.decode(journal.image, at: now).journal.replay(after: journal.last - 20)
                == journal.replay(after: journal.last - 20))
    }

    @Test("R86: a torn or damaged tail ends the journal before it, at every byte") func tornTail() throws {
        let (journal, file) = written(4)
        let header = Journal(generation: Fixture.generation, at: now).image.count
        var lengths: Set<Int> = []
        for length in header..<file.count {
            let opened = try JournalCodec.decode(Array(file[..<length]), at: now)
            #expect(opened.length <= length)
            #expect(opened.journal.count == lengths.union([opened.length]).count - 1)
            lengths.insert(opened.length)
            #expect(
                try JournalCodec.decode(Array(file[..<length]) + [0xFF, 0xFF, 0xFF], at: now).length == opened.length)
        }
        #expect(lengths.count == 4)
        for index in file.indices {
            var flipped = file
            flipped[index] ^= 0x10
            let opened = try? JournalCodec.decode(flipped, at: now)
            #expect((opened == nil) == (index < header), "byte \(index)")
            #expect((opened?.journal.count ?? 0) < journal.count)
        }
        for length in 0..<header {
            #expect(throws: CheckpointError.truncated) { try JournalCodec.decode(Array(file[..<length]), at: now) }
        }
    }

    @Test("R86: whatever the bytes, reading ends", arguments: 0..<20) func hostile(_ seed: UInt64) {
        var random = TestRandom(seed: seed)
        let file = written(6, seed: seed).file
        for _ in 0..<200 {
            var bytes = file
            // A record whose body is changed and sealed again: its checksum holds, its content may not.
            let start = Journal(generation: Fixture.generation, at: now).image.count
            let length = bytes[start..<start + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
            let body = start + 12..<start + 12 + length
            bytes[body.lowerBound + random.below(length)] = UInt8(truncatingIfNeeded: random.next())
            let sum = Checksums.xxh64(Array(bytes[body]))
            for byte in 0..<8 { bytes[start + 4 + byte] = UInt8(truncatingIfNeeded: sum >> UInt64(8 * byte)) }
            guard var journal = try? JournalCodec.decode(bytes, at: now).journal else { continue }
            _ = journal.replay(after: journal.last &- UInt64(journal.count))
            _ = journal.open(after: 0, snapshot: [], at: now)
        }
        #expect(throws: CheckpointError.tooLarge(JournalCodec.limit + 1)) {
            try JournalCodec.decode([UInt8](repeating: 0, count: JournalCodec.limit + 1), at: now)
        }
    }

    @Test("R86: 2,048 entries, 24 hours, 2 MiB") func limits() {
        var (journal, _) = written(0)
        let start = journal.last
        for _ in 0..<5000 { _ = journal.record(Fixture.snapshot(), source: .local, at: now) }
        #expect(journal.count == 2048)
        #expect(journal.last == start + 5000)
        #expect(journal.replay(after: journal.last - 2049) == .gap)
        #expect(entries(journal, after: journal.last - 2048)?.count == 2048)
        let day = now + Journal.memory
        journal.forget(at: day)
        #expect(journal.count == 2048)
        journal.forget(at: day + .milliseconds(1))
        #expect(journal.count == 0)
        #expect(journal.replay(after: journal.last) == .entries([]))
        #expect(journal.replay(after: journal.last - 1) == .gap)
        var call = Fixture.snapshot()
        call.details.displayName = String(repeating: "n", count: 8192)
        for _ in 0..<300 { _ = journal.record(call, source: .local, at: day) }
        #expect(journal.count < 256)
        #expect(journal.count > 250)
        #expect(journal.image.count < Journal.size + 200)
    }

    @Test("R86: sessions are fresh, resumed or resynced, and one is open at a time") func sessions() {
        var (journal, _) = written(0)
        let start = journal.last
        let snapshot = [Fixture.snapshot()]
        let (fresh, nothing) = journal.open(snapshot: snapshot, at: now)
        #expect(fresh == JournalSession(number: 1, start: .fresh, snapshot: snapshot, entries: [], cursor: start))
        #expect(nothing == [])
        _ = journal.record(Fixture.snapshot(), source: .local, at: now)
        let (resumed, _) = journal.open(after: start, snapshot: snapshot, at: now)
        #expect(resumed.start == .resumed)
        #expect(resumed.entries.map(\.sequence) == [start + 1])
        #expect(resumed.cursor == start + 1)
        #expect(!journal.isOpen(fresh))
        #expect(journal.isOpen(resumed))
        journal.close(fresh)
        #expect(journal.isOpen(resumed))
        journal.close(resumed)
        #expect(!journal.isOpen(resumed))
    }

    @Test("R86: a gap is told as an entry, and the snapshot stands for what is missing", arguments: [true, false])
    func gap(_ future: Bool) throws {
        var (journal, file) = written(0)
        let cursor = future ? journal.last + 1000 : journal.last - 1
        let (session, record) = journal.open(after: cursor, snapshot: [], at: now)
        #expect(session.start == .resynced)
        #expect(session.entries.map(\.kind) == [.resyncRequired])
        #expect(session.entries.map(\.call) == [nil])
        #expect(session.entries.map(\.operation) == [nil])
        #expect(session.cursor == journal.last)
        file += record
        #expect(
            try JournalCodec.decode(file, at: now).journal.replay(after: session.cursor - 1)
                == .entries(session.entries))
        let (again, _) = journal.open(after: session.cursor, snapshot: [], at: now)
        #expect(again.start == .resumed)
    }

    @Test("R86: what was acknowledged is where a session goes on, over restarts") func acknowledged() throws {
        var (journal, file) = written(5)
        file += journal.acknowledge(journal.last - 2)
        #expect(journal.acknowledge(journal.last - 3) == [])
        var read = try JournalCodec.decode(file, at: now).journal
        #expect(read.acknowledged == journal.last - 2)
        #expect(read.open(snapshot: [], at: now).session.entries.count == 2)
        #expect(!journal.acknowledge(.max).isEmpty)
        #expect(journal.acknowledged == journal.last)
        #expect(try JournalCodec.decode(journal.image, at: now).journal.acknowledged == journal.last)
    }

    @Test("R86: the file is replaced when most of it is dead") func compaction() throws {
        var (journal, file) = written(0)
        for _ in 0..<4000 { file += journal.record(Fixture.snapshot(), source: .local, at: now) }
        #expect(journal.fileLength == file.count)
        #expect(!journal.needsCompaction)
        for _ in 0..<4000 { file += journal.record(Fixture.snapshot(), source: .local, at: now) }
        #expect(journal.needsCompaction)
        journal.compacted()
        #expect(!journal.needsCompaction)
        let read = try JournalCodec.decode(journal.image, at: now).journal
        #expect(read.fileLength == journal.fileLength)
        #expect(read.replay(after: journal.last - 2048) == journal.replay(after: journal.last - 2048))
    }

    @Test("R86: who made an event happen") func sources() {
        let id = Fixture.call
        let sources: [(PhoneMachine.Event, JournalEntry.Source)] = [
            (.audioActivated, .platform), (.invited(Fixture.invitation()), .signaling), (.media(id, .arrived), .media),
            (.launched, .recovery), (.command(OperationID(1), .end(id)), .local), (.tick, .local),
        ]
        for (event, source) in sources { #expect(event.source == source) }
    }
}

extension Fixture {
    /// A call as the app sees it.
    static func snapshot() -> Call {
        Call(id: call, direction: .incoming, details: details, state: .incoming, createdAt: start)
    }
}
