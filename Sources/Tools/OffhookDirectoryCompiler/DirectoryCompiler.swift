// SPDX-License-Identifier: MIT

public import OffhookDirectory

/// Compiles lists of any size into a directory file, in bounded memory.
///
/// The lists are read once and as streams, so a pipe is as good as a file. What grows is the table of different labels;
/// everything else stays within ``Settings/memory``, and goes to a scratch file beyond it.
public struct DirectoryCompiler: Sendable {
    /// The most lists of one directory.
    public static let maximumSources = 65_535

    /// How to compile.
    public struct Settings: Hashable, Sendable {
        /// What to do when lists give one number different labels.
        public var conflict: LabelConflict
        /// Bytes for sorting, at least 1 MiB; 192 MiB unless given.
        public var memory: Int
        /// The folder for the scratch file.
        public var scratchDirectory: String

        /// Describes how to compile.
        public init(
            conflict: LabelConflict = .first, memory: Int = 192 << 20, scratchDirectory: String = "/tmp"
        ) {
            self.conflict = conflict
            self.memory = max(1 << 20, memory)
            self.scratchDirectory = scratchDirectory
        }
    }

    /// How far it is.
    public enum Progress: Hashable, Sendable {
        /// A list is being read: its place in the order of lists, and the lines and bytes of it so far.
        case reading(source: Int, lines: Int, bytes: Int)
        /// The directory is being written: entries so far, of at most so many.
        case writing(entries: Int, of: Int)
    }

    /// What became of everything.
    public struct Report: Hashable, Sendable {
        /// One report a list, in the order of lists.
        public var sources: [SourceReport]
        /// What the directory holds.
        public var directory: DirectorySummary
        /// How many times the memory was full and went to the scratch file.
        public var spills: Int
    }

    /// How to compile.
    public var settings: Settings
    private static let pieceBytes = 1 << 18

    /// Makes a compiler.
    public init(settings: Settings = Settings()) {
        self.settings = settings
    }

    /// Compiles the lists.
    ///
    /// - Parameters:
    ///   - sources: The lists, those with the first word first.
    ///   - sink: Takes the file.
    ///   - rejected: Called for every refused line, with the list's place in the order of lists.
    ///   - progress: Called now and then.
    /// - Returns: The counts; the lines of each list add up.
    /// - Throws: ``CompileError``; what a list's `read` and the sink throw.
    public func compile<Sink: DirectorySink>(
        _ sources: [ImportSource], into sink: Sink,
        rejected: (Int, SourceReport.Rejection) throws -> Void = { _, _ in },
        progress: (Progress) throws -> Void = { _ in }
    ) throws -> Report {
        guard (1...DirectoryCompiler.maximumSources).contains(sources.count) else {
            throw CompileError.sourceCount(sources.count)
        }
        let sorter = ExternalSorter(memory: settings.memory, directory: settings.scratchDirectory)
        var labels = LabelTable()
        var reports: [SourceReport] = []
        var count = 0
        for (index, source) in sources.enumerated() {
            let report = try read(
                source, index: index, labels: &labels, rejected: { try rejected(index, $0) }, progress: progress
            ) { record in
                count += 1
                try sorter.add(record)
            }
            reports.append(report)
        }
        do {
            var sink = sink
            var merger = EntryMerger(labels: labels, sources: sources.count, conflict: settings.conflict)
            var written = 0
            try sorter.sorted { record in
                try merger.add(record)
                if merger.hasOutput { try sink.append(merger.takeOutput()) }
                written += 1
                if written & 0xFFFF == 0 { try progress(.writing(entries: written, of: count)) }
            }
            let summary = try merger.finish()
            try sink.append(merger.takeOutput())
            try progress(.writing(entries: count, of: count))
            for index in reports.indices {
                reports[index].duplicates = merger.duplicates[index]
                reports[index].conflicts = merger.conflicts[index]
            }
            return Report(sources: reports, directory: summary, spills: sorter.spills)
        } catch let error as DirectoryWriteError {
            throw CompileError.refused(error)
        }
    }

    private func read(
        _ source: ImportSource, index: Int, labels: inout LabelTable,
        rejected: (SourceReport.Rejection) throws -> Void, progress: (Progress) throws -> Void,
        into emit: (SortRecord) throws -> Void
    ) throws -> SourceReport {
        var reader = ListReader(source, index: UInt16(index))
        var splitter = RecordSplitter(quotes: reader.quotes)
        var bytes = 0
        while true {
            let piece = try source.read(DirectoryCompiler.pieceBytes)
            if piece.isEmpty { break }
            bytes += piece.count
            try piece.withUnsafeBufferPointer { piece in
                try splitter.feed(piece) { record, line in
                    try reader.read(record, line: line, labels: &labels, into: emit)
                    if let rejection = reader.takeRejection() { try rejected(rejection) }
                }
            }
            if !reader.missingColumns.isEmpty { break }
            try progress(.reading(source: index, lines: reader.report.lines, bytes: bytes))
        }
        try splitter.end { record, line in
            try reader.read(record, line: line, labels: &labels, into: emit)
            if let rejection = reader.takeRejection() { try rejected(rejection) }
        }
        guard reader.missingColumns.isEmpty else {
            throw CompileError.missingColumns(
                source: source.name, names: reader.missingColumns, found: reader.fields?.header ?? [])
        }
        try progress(.reading(source: index, lines: reader.report.lines, bytes: bytes))
        return reader.report
    }
}
