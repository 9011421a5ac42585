// SPDX-License-Identifier: MIT

/// Reads a directory file where it lies: looks numbers up and walks through the entries in order.
///
/// Opening checks everything but the blocks; a block is checked whenever it is read. Whatever the bytes are, nothing
/// traps: damage is thrown.
public struct DirectoryFile: Sendable {
    /// What the file holds, by its own count; ``verify()`` recounts.
    public let summary: DirectorySummary
    /// Whether it is a whole directory or a delta.
    public let kind: DirectoryFileKind
    /// In a delta: the fingerprints of the directory it applies to and of the one that results; 0 otherwise.
    public let transition: (base: UInt64, target: UInt64)

    let bytes: any DirectoryBytes
    let table: AttributeTableReader
    let indexOffset: Int

    /// Opens a whole directory.
    ///
    /// - Throws: ``DirectoryFileError``.
    public init(_ bytes: any DirectoryBytes) throws(DirectoryFileError) {
        try self.init(bytes, kind: .directory)
    }

    /// Opens a file of the given kind.
    ///
    /// - Throws: ``DirectoryFileError``; ``DirectoryFileError/wrongKind(found:)`` if it is of the other kind.
    public init(_ bytes: any DirectoryBytes, kind: DirectoryFileKind) throws(DirectoryFileError) {
        let checked: Result<Layout, DirectoryFileError> = bytes.withBytes { file in
            do throws(DirectoryFileError) {
                return .success(try Layout(file, kind: kind))
            } catch {
                return .failure(error)
            }
        }
        let layout = try checked.get()
        self.bytes = bytes
        self.kind = kind
        summary = layout.summary
        transition = (layout.trailer.base, layout.trailer.target)
        table = layout.table
        indexOffset = layout.index
    }

    // The place of block `number`, which exists.
    func place(_ number: Int, in file: UnsafeRawBufferPointer) -> BlockPlace {
        let at = indexOffset + number * BlockPlace.size
        return BlockPlace(
            first: Int64(littleEndian: file.loadUnaligned(fromByteOffset: at, as: Int64.self)),
            last: Int64(littleEndian: file.loadUnaligned(fromByteOffset: at + 8, as: Int64.self)),
            offset: UInt64(littleEndian: file.loadUnaligned(fromByteOffset: at + 16, as: UInt64.self)),
            length: UInt32(littleEndian: file.loadUnaligned(fromByteOffset: at + 24, as: UInt32.self)),
            checksum: UInt32(littleEndian: file.loadUnaligned(fromByteOffset: at + 28, as: UInt32.self)))
    }

    // The first block whose last number is not before `number`; the number of blocks if there is none.
    func blockNumber(reaching number: Int64) -> Int {
        bytes.withBytes { file in
            var low = 0
            var high = summary.blocks
            while low < high {
                let middle = (low + high) / 2
                if place(middle, in: file).last < number { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    /// Finds what the directory says about a number: nil if it has no entry.
    ///
    /// - Throws: ``DirectoryFileError/damaged(part:offset:)`` if the number's block is damaged.
    /// - Complexity: O(log blocks), and the decoding of one block of at most 4,096 items.
    public func attributes(of number: Int64) throws(DirectoryFileError) -> DirectoryAttributes? {
        var cursor = DirectoryCursor(self, from: number)
        guard let item = try cursor.nextItem(), item.first <= number else { return nil }
        return try attributes(set: item.set)
    }

    /// Begins a walk through the entries that end at `number` or later, in ascending order.
    public func entries(from number: Int64 = 1) -> DirectoryCursor {
        DirectoryCursor(self, from: number)
    }

    /// Gives the attributes of a set by its number: 0 ..< ``DirectorySummary/attributeSets``.
    ///
    /// - Throws: ``DirectoryFileError/damaged(part:offset:)`` if the table is damaged or has no such set.
    public func attributes(set: UInt32) throws(DirectoryFileError) -> DirectoryAttributes {
        let found = bytes.withBytes { file in
            Int(set) < summary.attributeSets ? table.attributes(of: set, in: file) : nil
        }
        guard let found else {
            throw DirectoryFileError.damaged(part: .attributes, offset: table.sets.lowerBound)
        }
        return found
    }

    /// Reads the whole file and compares it with its own counts.
    ///
    /// - Throws: ``DirectoryFileError/damaged(part:offset:)`` if a block is damaged or the counts are wrong.
    public func verify() throws(DirectoryFileError) {
        var found = DirectorySummary()
        // At most 64 labels and a bit.
        var counts: [UInt8] = []
        counts.reserveCapacity(summary.attributeSets)
        for set in 0..<summary.attributeSets {
            let attributes = try attributes(set: UInt32(set))
            counts.append(UInt8(attributes.labels.count) << 1 | (attributes.blocked ? 1 : 0))
        }
        var cursor = DirectoryCursor(self, from: 1)
        while let item = try cursor.nextItem() {
            let count = UInt64(counts[Int(item.set)])
            found.items += 1
            found.numbers += item.length
            found.blocked += (count & 1) * item.length
            found.identifications &+= (count >> 1) &* item.length
        }
        guard found.items == summary.items, found.numbers == summary.numbers, found.blocked == summary.blocked,
            found.identifications == summary.identifications
        else {
            throw DirectoryFileError.damaged(
                part: .trailer, offset: summary.bytes - DirectoryFormat.trailerBytes)
        }
    }
}

extension DirectoryFile {
    // What opening finds out, with everything but the blocks checked.
    struct Layout {
        let trailer: DirectoryTrailer
        let summary: DirectorySummary
        let table: AttributeTableReader
        let index: Int

        init(_ file: UnsafeRawBufferPointer, kind: DirectoryFileKind) throws(DirectoryFileError) {
            try Layout.checkHeader(file, kind: kind)
            let end = file.count - DirectoryFormat.trailerBytes
            guard end >= DirectoryFormat.headerBytes,
                file.suffix(DirectoryFormat.endMagic.count).elementsEqual(DirectoryFormat.endMagic)
            else { throw .truncated }
            guard let (trailer, summary) = DirectoryTrailer.read(file) else {
                throw .damaged(part: .trailer, offset: end)
            }
            guard trailer.setsOffset >= UInt64(DirectoryFormat.headerBytes),
                trailer.setsOffset <= trailer.labelsOffset, trailer.labelsOffset <= trailer.indexOffset,
                trailer.indexOffset <= UInt64(end),
                summary.attributeSets <= DirectoryFormat.maximumSets,
                end - Int(trailer.indexOffset) == summary.blocks * BlockPlace.size
            else { throw .damaged(part: .trailer, offset: end) }
            self.trailer = trailer
            self.summary = summary
            index = Int(trailer.indexOffset)
            table = AttributeTableReader(
                setCount: summary.attributeSets, labelCount: summary.labels,
                sets: Int(trailer.setsOffset)..<Int(trailer.labelsOffset), labels: Int(trailer.labelsOffset)..<index)
            try checkSections(file, end: end, kind: kind)
        }

        private static func checkHeader(
            _ file: UnsafeRawBufferPointer, kind: DirectoryFileKind
        ) throws(DirectoryFileError) {
            let magic = DirectoryFormat.magic
            guard file.prefix(magic.count).elementsEqual(magic.prefix(file.count)), !file.isEmpty else {
                throw .notADirectory
            }
            var reader = ByteReader(file, from: magic.count, to: DirectoryFormat.headerBytes)
            guard let version = reader.integer(UInt16.self), let found = reader.integer(UInt16.self),
                let checksum = reader.integer(UInt32.self)
            else { throw .truncated }
            guard checksum == Checksum.of(UnsafeRawBufferPointer(rebasing: file[..<12])), version > 0 else {
                throw .damaged(part: .header, offset: 0)
            }
            guard version <= DirectoryFormat.version else {
                throw .newerVersion(found: Int(version), supported: DirectoryFormat.version)
            }
            guard let foundKind = DirectoryFileKind(rawValue: found) else { throw .damaged(part: .header, offset: 0) }
            guard foundKind == kind else { throw .wrongKind(found: foundKind) }
        }

        private func checkSections(
            _ file: UnsafeRawBufferPointer, end: Int, kind: DirectoryFileKind
        ) throws(DirectoryFileError) {
            func checksum(_ range: Range<Int>) -> UInt32 {
                Checksum.of(UnsafeRawBufferPointer(rebasing: file[range]))
            }
            guard checksum(table.sets) == trailer.setsChecksum else {
                throw .damaged(part: .attributes, offset: table.sets.lowerBound)
            }
            guard checksum(table.labels) == trailer.labelsChecksum else {
                throw .damaged(part: .labels, offset: table.labels.lowerBound)
            }
            guard checksum(index..<end) == trailer.indexChecksum else { throw .damaged(part: .index, offset: index) }
            if let part = table.damage(in: file, kind: kind) {
                throw .damaged(part: part, offset: part == .labels ? table.labels.lowerBound : table.sets.lowerBound)
            }
            var offset = UInt64(DirectoryFormat.headerBytes)
            var previous: Int64 = 0
            for number in 0..<summary.blocks {
                let at = index + number * BlockPlace.size
                var reader = ByteReader(file, from: at, to: end)
                guard let first = reader.integer(Int64.self), let last = reader.integer(Int64.self),
                    reader.integer(UInt64.self) == offset, let length = reader.integer(UInt32.self),
                    first > previous, last >= first, UInt64(last) <= DirectoryFormat.maximumNumber,
                    UInt64(length) <= trailer.setsOffset - offset
                else { throw .damaged(part: .index, offset: at) }
                offset += UInt64(length)
                previous = last
            }
            guard offset == trailer.setsOffset else { throw .damaged(part: .index, offset: index) }
        }
    }
}
