// SPDX-License-Identifier: MIT

/// The events of one account generation, in order, with what was read of them (R86).
///
/// Each entry is kept as the bytes of its record in the file, and made an entry again when it is read: opening a full
/// journal costs little, and its size is exact. What a recording function returns is to be appended to the file; when
/// ``needsCompaction`` says so, the whole file is replaced with ``image``.
///
/// Invariants: sequences rise strictly, over restarts and over a lost file; nothing older than the limits is kept.
public struct Journal: Hashable, Sendable {
    /// How long an entry is kept.
    public static let memory: TimeSpan = .seconds(24 * 3600)
    /// How many entries are kept.
    public static let capacity = 2048
    /// How many bytes of records are kept.
    public static let size = 2 * 1024 * 1024

    private struct Record: Hashable, Sendable {
        var sequence: UInt64
        var at: Instant
        var offset: Int
        var length: Int
    }

    /// Whose events they are.
    public let generation: AccountGeneration
    /// The sequence of the last entry; that before the first one when there is none.
    public private(set) var last: UInt64
    /// Up to where the app has read; nil when it never did.
    public private(set) var acknowledged: UInt64?
    /// How long the file is, dead records included.
    public private(set) var fileLength = 0
    private var bytes: [UInt8] = []
    private var records: [Record] = []
    private var first = 0
    private var sessions = 0
    private var openSession: Int?

    /// Makes an empty journal; its file begins with ``image``.
    ///
    /// Its sequences begin above all that an earlier journal can have reached before that time, so that a cursor of a
    /// lost file meets a gap and not another entry.
    public init(generation: AccountGeneration, at now: Instant) {
        self.generation = generation
        last = UInt64(max(0, min(now.milliseconds, 1 << 50))) << 10
        fileLength = image.count
    }

    /// Makes a journal that is being read.
    init(generation: AccountGeneration, last: UInt64) {
        self.generation = generation
        self.last = last
    }

    /// How many entries there are.
    public var count: Int { records.count - first }

    private var live: ArraySlice<Record> { records[first...] }

    // MARK: - Recording

    /// Records how a call stands since; returns what is appended to the file.
    public mutating func record(_ call: Call, source: JournalEntry.Source, at now: Instant) -> [UInt8] {
        add(.callChanged(call), source: source, at: now)
    }

    /// Records the end of an operation; returns what is appended to the file.
    public mutating func record(_ result: OperationResult, source: JournalEntry.Source, at now: Instant) -> [UInt8] {
        add(.operationCompleted(result), source: source, at: now)
    }

    /// Records that the app has read up to a sequence; returns what is appended to the file, nothing when that is not
    /// news.
    public mutating func acknowledge(_ sequence: UInt64) -> [UInt8] {
        let sequence = min(sequence, last)
        guard sequence > acknowledged ?? 0 else { return [] }
        acknowledged = sequence
        let record = JournalCodec.record(acknowledging: sequence)
        fileLength += record.count
        return record
    }

    private mutating func add(
        _ content: JournalEntry.Content, source: JournalEntry.Source, at now: Instant
    ) -> [UInt8] {
        last += 1
        let entry = JournalEntry(
            generation: generation.number, sequence: last, source: source, at: now, content: content)
        let record = JournalCodec.record(entry)
        append(record[...], sequence: last, at: now)
        fileLength += record.count
        forget(at: now)
        return record
    }

    private mutating func append(_ record: ArraySlice<UInt8>, sequence: UInt64, at: Instant) {
        records.append(Record(sequence: sequence, at: at, offset: bytes.count, length: record.count))
        bytes += record
    }

    /// Drops what is beyond the limits.
    public mutating func forget(at now: Instant) {
        let end = bytes.count
        while first < records.count,
            count > Journal.capacity || records[first].at + Journal.memory < now
                || end - records[first].offset > Journal.size
        {
            first += 1
        }
        guard first >= 1024 || first == records.count else { return }  // moving the rest is done seldom
        let start = first < records.count ? records[first].offset : end
        bytes.removeFirst(start)
        records.removeFirst(first)
        for index in records.indices { records[index].offset -= start }
        first = 0
    }

    // MARK: - Reading

    /// The entries after a cursor.
    public func replay(after cursor: UInt64) -> JournalReplay {
        let oldest = live.first?.sequence ?? last + 1
        guard cursor <= last, cursor >= oldest - 1 else { return .gap }
        let missed = live.suffix(Int(last - cursor))
        let entries = missed.compactMap { JournalCodec.entry(bytes[$0.offset..<$0.offset + $0.length], generation) }
        return entries.count == Int(last - cursor) ? .entries(entries) : .gap
    }

    /// Opens a session; an earlier one is closed by it.
    ///
    /// - Parameters:
    ///   - cursor: The last sequence that was read; nil goes on from what was acknowledged.
    ///   - snapshot: The calls as they stand now.
    ///   - now: The time.
    /// - Returns: The session, and what is appended to the file.
    public mutating func open(
        after cursor: UInt64? = nil, snapshot: [Call], at now: Instant
    ) -> (session: JournalSession, record: [UInt8]) {
        forget(at: now)
        sessions += 1
        openSession = sessions
        var start: JournalSession.Start
        var entries: [JournalEntry] = []
        var record: [UInt8] = []
        if let cursor = cursor ?? acknowledged {
            switch replay(after: cursor) {
            case .entries(let missed):
                start = .resumed
                entries = missed
            case .gap:
                start = .resynced
                record = add(.resyncRequired, source: .recovery, at: now)
                if case .entries(let note) = replay(after: last - 1) { entries = note }
            }
        } else {
            start = .fresh
        }
        let session = JournalSession(
            number: sessions, start: start, snapshot: snapshot, entries: entries, cursor: last)
        return (session, record)
    }

    /// Whether a session is the open one: entries go to it alone.
    public func isOpen(_ session: JournalSession) -> Bool { openSession == session.number }

    /// Closes a session; one that is closed already is left.
    public mutating func close(_ session: JournalSession) {
        if isOpen(session) { openSession = nil }
    }
}

// MARK: - The file

extension Journal {
    /// Whether so much of the file is dead that ``image`` should replace it.
    public var needsCompaction: Bool { fileLength > 2 * liveBytes.count + 65_536 }

    /// The whole file, without what is dead.
    public var image: [UInt8] {
        let before = live.first.map { $0.sequence - 1 } ?? last
        return JournalCodec.file(generation, before: before, liveBytes, acknowledged: acknowledged)
    }

    /// The file was replaced with ``image``.
    public mutating func compacted() {
        fileLength = image.count
    }

    private var liveBytes: ArraySlice<UInt8> { live.first.map { bytes[$0.offset...] } ?? [] }

    /// Takes back the record of an entry from the file.
    mutating func restore(_ record: ArraySlice<UInt8>, sequence: UInt64, at: Instant) {
        append(record, sequence: sequence, at: at)
        last = sequence
    }

    /// Takes back from the file how far the app has read.
    mutating func restore(acknowledged sequence: UInt64) {
        acknowledged = sequence
    }

    /// The file is read up to its end.
    mutating func restored(fileLength: Int, at now: Instant) {
        self.fileLength = fileLength
        forget(at: now)
    }
}
