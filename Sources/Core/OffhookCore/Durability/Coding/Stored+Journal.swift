// SPDX-License-Identifier: MIT

extension JournalEntry.Source: StoredCode {
    static let choices = byCode()

    var code: UInt8 {
        switch self {
        case .local: 1
        case .platform: 2
        case .signaling: 3
        case .media: 4
        case .recovery: 5
        }
    }
}

/// A record of the journal's file whose checksum holds.
struct JournalRecord {
    enum Kind {
        case entry(at: Instant)
        case acknowledgement
    }

    var kind: Kind
    var sequence: UInt64
    /// Where the whole record is in the file.
    var place: Range<Int>
}

extension ByteWriter {
    /// The length of a record's header: length and checksum of the body.
    static let recordHeaderLength = 12

    mutating func beginRecord() {
        write(UInt32(0))
        write(UInt64(0))
    }

    mutating func write(_ entry: JournalEntry) {
        switch entry.content {
        case .callChanged: write(UInt8(1))
        case .operationCompleted: write(UInt8(2))
        case .resyncRequired: write(UInt8(3))
        }
        write(entry.sequence)
        write(entry.at)
        write(code: entry.source)
        switch entry.content {
        case .callChanged(let call): write(call)
        case .operationCompleted(let result): write(result)
        case .resyncRequired: break
        }
    }

    mutating func write(acknowledgement sequence: UInt64) {
        write(UInt8(4))
        write(sequence)
    }
}

extension ByteReader {
    /// The header of a journal's file, passed over.
    mutating func head() throws(CheckpointError) -> ByteReader {
        guard remaining >= ByteWriter.headerLength else { throw .truncated }
        var head = self
        _ = try head.take(8)
        let length = Int(try head.number(UInt32.self))
        return try part(ByteWriter.headerLength + length)
    }

    /// The next record; nil at the end, and where the file is torn or damaged.
    mutating func journalRecord() -> JournalRecord? {
        var reader = self
        guard let record = try? reader.readRecord() else { return nil }
        self = reader
        return record
    }

    private mutating func readRecord() throws(CheckpointError) -> JournalRecord {
        let start = offset
        let length = Int(try number(UInt32.self))
        let sum = try number(UInt64.self)
        var body = try part(length)
        guard body.checksum == sum else { throw .damaged }
        let kind = try body.number(UInt8.self)
        let sequence = try body.number(UInt64.self)
        let place = start..<offset
        guard kind != 4 else { return JournalRecord(kind: .acknowledgement, sequence: sequence, place: place) }
        guard (1...3).contains(kind) else { throw .damaged }
        return JournalRecord(kind: .entry(at: try body.instant()), sequence: sequence, place: place)
    }

    mutating func journalEntry(of generation: Int) throws(CheckpointError) -> JournalEntry {
        let kind = try number(UInt8.self)
        let sequence = try number(UInt64.self)
        let at = try instant()
        let source = try code(JournalEntry.Source.self)
        let content: JournalEntry.Content =
            switch kind {
            case 1: .callChanged(try call())
            case 2: .operationCompleted(try result())
            case 3: .resyncRequired
            default: throw .damaged
            }
        guard isAtEnd else { throw .damaged }
        return JournalEntry(generation: generation, sequence: sequence, source: source, at: at, content: content)
    }
}
