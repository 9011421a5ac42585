// SPDX-License-Identifier: MIT

/// Writes a directory file from ascending entries, in memory that does not grow with their number.
///
/// What grows are the tables: each different label and combination once, and 32 bytes per 4,096 items. The bytes depend
/// only on the numbers and their attributes, not on how they were divided into entries: consecutive numbers with the
/// same attributes become a range when there are 64 of them, and single items otherwise.
public struct DirectoryWriter<Sink: DirectorySink> {
    /// Where the bytes go.
    public private(set) var sink: Sink

    var encoder: DirectoryEncoder
    private var failed = false

    /// Begins a file; the first bytes are written at once.
    ///
    /// - Throws: what the sink throws.
    public init(into sink: Sink) throws {
        try self.init(into: sink, encoder: DirectoryEncoder(kind: .directory, base: 0, target: 0))
    }

    init(into sink: Sink, encoder: DirectoryEncoder) throws {
        self.sink = sink
        self.encoder = encoder
        try drain()
    }

    /// Adds an entry; its numbers come after those of the entry before it.
    ///
    /// - Throws: ``DirectoryWriteError`` for an entry that does not fit, which leaves the writer as it was; what the
    ///   sink throws, after which nothing more can be written.
    public mutating func append(_ entry: DirectoryEntry) throws {
        guard !failed else { throw DirectoryWriteError.finished }
        try encoder.append(entry)
        if !encoder.output.isEmpty { try drain() }
    }

    /// Gives a number for the attributes, the same for equal ones, for ``append(first:last:attributes:)``.
    ///
    /// The number holds for this writer only; it is not the number of the set in the file.
    ///
    /// - Throws: ``DirectoryWriteError`` if the attributes do not fit.
    public mutating func identifier(of attributes: DirectoryAttributes) throws -> UInt32 {
        try encoder.identifier(of: attributes)
    }

    /// Adds an entry by the number ``identifier(of:)`` gave for its attributes: the fast way for millions.
    ///
    /// - Throws: as ``append(_:)``.
    /// - Precondition: this writer's ``identifier(of:)`` gave `attributes`.
    public mutating func append(first: Int64, last: Int64, attributes: UInt32) throws {
        guard !failed else { throw DirectoryWriteError.finished }
        try encoder.append(first: first, last: last, set: attributes)
        if !encoder.output.isEmpty { try drain() }
    }

    /// Writes the tables, the index and the trailer; without them no reader takes the file.
    ///
    /// - Returns: what the file holds.
    /// - Throws: ``DirectoryWriteError/finished`` the second time; what the sink throws.
    @discardableResult
    public mutating func finish() throws -> DirectorySummary {
        guard !failed else { throw DirectoryWriteError.finished }
        let summary = try encoder.finish()
        try drain()
        return summary
    }

    private mutating func drain() throws {
        do {
            try sink.append(encoder.takeOutput())
        } catch {
            failed = true
            throw error
        }
    }
}
