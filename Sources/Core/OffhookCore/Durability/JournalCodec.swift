// SPDX-License-Identifier: MIT

/// The journal's file: a header, then records that are only appended; docs/checkpoint-format.md has the form.
///
public enum JournalCodec {
    /// The schema that is written.
    public static let schema = 1
    /// The longest file that is read, in bytes.
    public static let limit = 8 * 1024 * 1024

    /// A journal that was read.
    public struct Opened: Hashable, Sendable {
        /// The journal.
        public var journal: Journal
        /// How much of the file is good; what follows is a record torn by the end of the process, and is cut off.
        public var length: Int
    }

    /// Reads a file.
    ///
    /// A damaged header is an error; a damaged or torn record ends the journal before it.
    ///
    /// - Throws: ``CheckpointError``; never anything else, and never a trap.
    public static func decode(_ file: [UInt8], at now: Instant) throws(CheckpointError) -> Opened {
        guard file.count <= limit else { throw .tooLarge(file.count) }
        return try ByteReader.reading(file) { (reader: inout ByteReader) throws(CheckpointError) in
            var head = try reader.head()
            try head.readHeader(magic: magic, schema: schema)
            let generation = try head.generation()
            var last = try head.number(UInt64.self)
            guard head.isAtEnd else { throw .damaged }
            var journal = Journal(generation: generation, last: last)
            while let record = reader.journalRecord() {
                switch record.kind {
                case .entry(let at):
                    guard record.sequence > last else { continue }
                    last = record.sequence
                    journal.restore(file[record.place], sequence: last, at: at)
                case .acknowledgement:
                    journal.restore(acknowledged: record.sequence)
                }
            }
            journal.restored(fileLength: reader.offset, at: now)
            return Opened(journal: journal, length: reader.offset)
        }
    }

    /// The first four bytes of the file: "OHJL".
    static let magic: [UInt8] = [0x4F, 0x48, 0x4A, 0x4C]

    /// The whole file of a journal; `records` are those of its entries.
    static func file(
        _ generation: AccountGeneration, before first: UInt64, _ records: ArraySlice<UInt8>, acknowledged: UInt64?
    ) -> [UInt8] {
        var writer = ByteWriter()
        writer.writeHeader(magic: magic, schema: schema)
        writer.write(generation)
        writer.write(first)
        writer.seal()
        return writer.bytes + records + (acknowledged.map(record(acknowledging:)) ?? [])
    }

    /// One entry as a record of the file.
    static func record(_ entry: JournalEntry) -> [UInt8] {
        var writer = ByteWriter()
        writer.beginRecord()
        writer.write(entry)
        writer.sealRecord()
        return writer.bytes
    }

    /// How far the app has read, as a record of the file.
    static func record(acknowledging sequence: UInt64) -> [UInt8] {
        var writer = ByteWriter()
        writer.beginRecord()
        writer.write(acknowledgement: sequence)
        writer.sealRecord()
        return writer.bytes
    }

    /// The entry of a record whose checksum holds; nil when it cannot be read.
    static func entry(_ record: ArraySlice<UInt8>, _ generation: AccountGeneration) -> JournalEntry? {
        try? ByteReader.reading(Array(record)) { (reader: inout ByteReader) throws(CheckpointError) in
            _ = try reader.take(ByteWriter.recordHeaderLength)
            return try reader.journalEntry(of: generation.number)
        }
    }
}
