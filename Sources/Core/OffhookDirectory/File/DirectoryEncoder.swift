// SPDX-License-Identifier: MIT

/// Turns ascending entries into the bytes of a file; whoever calls takes them from `output` as they come.
package struct DirectoryEncoder {
    /// The bytes that nobody took yet.
    package private(set) var output: [UInt8] = []
    private let kind: DirectoryFileKind
    private var fingerprints: (base: UInt64, target: UInt64) = (0, 0)
    private var table = AttributeTable()
    private var known: [DirectoryAttributes] = []
    // Of each of them, twice the count of its labels, and one more if it blocks.
    private var counts: [UInt8] = []
    private var identifiers: [DirectoryAttributes: UInt32] = [:]
    private var stored: [UInt32] = []
    private var run: DirectoryItem?
    private var previous: Int64 = 0
    private var block = BlockEncoder()
    private var blockFirst: Int64 = 0
    private var blockLast: Int64 = 0
    private var index: [UInt8] = []
    private var summary = DirectorySummary()
    private var open = true

    /// Begins a directory.
    package init() {
        self.init(kind: .directory, base: 0, target: 0)
    }

    init(kind: DirectoryFileKind, base: UInt64, target: UInt64) {
        self.kind = kind
        fingerprints = (base, target)
        var header = DirectoryFormat.magic
        header.appendInteger(UInt16(DirectoryFormat.version))
        header.appendInteger(kind.rawValue)
        header.appendInteger(Checksum.of(header))
        write(header)
    }

    mutating func append(_ entry: DirectoryEntry) throws {
        guard open else { throw DirectoryWriteError.finished }
        guard kind == .delta || entry.attributes != .none else {
            throw DirectoryWriteError.noAttributes(number: entry.first)
        }
        try append(first: entry.first, last: entry.last, set: identifier(of: entry.attributes))
    }

    /// A number for the attributes that holds for this writer; the same for equal attributes.
    package mutating func identifier(of attributes: DirectoryAttributes) throws -> UInt32 {
        if let identifier = identifiers[attributes] { return identifier }
        for label in attributes.labels {
            let bytes = label.utf8.count
            guard (1...DirectoryFormat.maximumLabelBytes).contains(bytes) else {
                throw DirectoryWriteError.invalidLabel(bytes: bytes)
            }
        }
        guard attributes.labels.count <= DirectoryFormat.maximumLabels, table.hasRoom,
            known.count < DirectoryFormat.maximumSets
        else { throw DirectoryWriteError.tooManyLabels }
        let identifier = UInt32(known.count)
        known.append(attributes)
        counts.append(UInt8(attributes.labels.count) << 1 | (attributes.blocked ? 1 : 0))
        stored.append(.max)
        identifiers[attributes] = identifier
        return identifier
    }

    /// Adds consecutive numbers with the attributes of that number; they come after those before.
    package mutating func append(first: Int64, last: Int64, set: UInt32) throws {
        guard open else { throw DirectoryWriteError.finished }
        guard first >= 1, first <= last, UInt64(last) <= DirectoryFormat.maximumNumber else {
            throw DirectoryWriteError.invalidNumbers(first: first, last: last)
        }
        guard first > previous else { throw DirectoryWriteError.notAscending(previous: previous, next: first) }
        if let current = run {
            if current.set == set, current.last + 1 == first {
                run?.last = last
                previous = last
                return
            }
            flush(current)
        }
        run = DirectoryItem(first: first, last: last, set: set)
        previous = last
    }

    private mutating func flush(_ run: DirectoryItem) {
        let set = storedSet(run.set)
        let count = UInt64(counts[Int(run.set)])
        summary.numbers += run.length
        summary.blocked += (count & 1) * run.length
        summary.identifications += (count >> 1) * run.length
        if run.length >= DirectoryFormat.rangeLength {
            store(DirectoryItem(first: run.first, last: run.last, set: set))
        } else {
            for number in run.first...run.last {
                store(DirectoryItem(first: number, last: number, set: set))
            }
        }
    }

    // The set's number in the file: sets are numbered in the order of their first items.
    private mutating func storedSet(_ identifier: UInt32) -> UInt32 {
        let index = Int(identifier)
        if stored[index] == .max { stored[index] = table.append(known[index]) }
        return stored[index]
    }

    private mutating func store(_ item: DirectoryItem) {
        if block.items.isEmpty { blockFirst = item.first }
        block.append(item)
        blockLast = item.last
        summary.items += 1
        if block.isFull { endBlock() }
    }

    private mutating func endBlock() {
        guard !block.items.isEmpty else { return }
        let bytes = block.finish()
        index.appendInteger(blockFirst)
        index.appendInteger(blockLast)
        index.appendInteger(UInt64(summary.bytes))
        index.appendInteger(UInt32(bytes.count))
        index.appendInteger(Checksum.of(bytes))
        summary.blocks += 1
        write(bytes)
    }

    private mutating func write(_ bytes: [UInt8]) {
        output += bytes
        summary.bytes += bytes.count
    }

    /// Hands the bytes out.
    package mutating func takeOutput() -> [UInt8] {
        defer { output = [] }
        return output
    }

    /// Ends the file with the tables, the index and the trailer.
    package mutating func finish() throws -> DirectorySummary {
        guard open else { throw DirectoryWriteError.finished }
        if let last = run { flush(last) }
        run = nil
        endBlock()
        let sections = table.sections
        var trailer = DirectoryTrailer()
        summary.labels = table.labelCount
        summary.attributeSets = table.setCount
        trailer.setsOffset = UInt64(summary.bytes)
        write(sections.sets)
        trailer.labelsOffset = UInt64(summary.bytes)
        write(sections.labels)
        trailer.indexOffset = UInt64(summary.bytes)
        write(index)
        trailer.setsChecksum = Checksum.of(sections.sets)
        trailer.labelsChecksum = Checksum.of(sections.labels)
        trailer.indexChecksum = Checksum.of(index)
        trailer.base = fingerprints.base
        trailer.target = fingerprints.target
        summary.fingerprint = trailer.fingerprint(of: summary)
        write(trailer.encoded(summary))
        open = false
        return summary
    }
}
