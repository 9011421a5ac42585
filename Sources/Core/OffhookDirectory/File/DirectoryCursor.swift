// SPDX-License-Identifier: MIT

/// Walks through a directory's entries in ascending order, one block of at most 4,096 items in memory at a time.
///
/// A range comes as one entry. Consecutive single numbers are not joined.
public struct DirectoryCursor: Sendable {
    private let file: DirectoryFile
    private var decoder = BlockDecoder()
    private var block: Int
    private var index = 0
    private var range = 0
    private let start: Int64
    private var cache: [CachedSet]

    private struct CachedSet {
        var set: UInt32
        var attributes: DirectoryAttributes
    }

    // A power of two: frequent sets have low numbers.
    private static var cacheSize: Int { 1024 }

    init(_ file: DirectoryFile, from number: Int64) {
        self.file = file
        start = number
        block = file.blockNumber(reaching: number)
        cache = []
    }

    /// Gives the next entry; nil at the end.
    ///
    /// - Throws: ``DirectoryFileError/damaged(part:offset:)`` if the next block is damaged; the call after that goes on
    ///   with the block after it.
    public mutating func next() throws(DirectoryFileError) -> DirectoryEntry? {
        guard let item = try nextItem() else { return nil }
        return DirectoryEntry(first: item.first, last: item.last, attributes: try attributes(of: item.set))
    }

    /// Gives the next entry with the number of its attribute set; nil at the end.
    ///
    /// Cheaper than ``next()``: the caller asks ``DirectoryFile/attributes(set:)`` once per set it has not seen.
    ///
    /// - Throws: as ``next()``.
    public mutating func nextNumbers() throws(DirectoryFileError) -> (first: Int64, last: Int64, set: UInt32)? {
        guard let item = try nextItem() else { return nil }
        return (item.first, item.last, item.set)
    }

    @inline(__always)
    mutating func nextItem() throws(DirectoryFileError) -> DirectoryItem? {
        if index == decoder.count {
            guard try nextBlock() else { return nil }
        }
        let item = decoder.item(index, range: range)
        if item.last != item.first { range += 1 }
        index += 1
        return item
    }

    private mutating func nextBlock() throws(DirectoryFileError) -> Bool {
        while block < file.summary.blocks {
            let number = block
            block += 1
            index = 0
            range = 0
            let damagedAt = file.bytes.withBytes { bytes -> Int? in
                let place = file.place(number, in: bytes)
                let whole = decoder.decode(bytes, place: place, setCount: file.summary.attributeSets)
                return whole ? nil : Int(place.offset)
            }
            if let damagedAt { throw .damaged(part: .block, offset: damagedAt) }
            // Only the first block can begin with items before the start.
            while index < decoder.count {
                let item = decoder.item(index, range: range)
                if item.last >= start { return true }
                if item.last != item.first { range += 1 }
                index += 1
            }
        }
        return false
    }

    // The set's attributes, from a small cache: most labels that come were there not long ago.
    mutating func attributes(of set: UInt32) throws(DirectoryFileError) -> DirectoryAttributes {
        if cache.isEmpty {
            cache = Array(repeating: CachedSet(set: .max, attributes: .none), count: Self.cacheSize)
        }
        let slot = Int(set) & (Self.cacheSize - 1)
        if cache[slot].set != set {
            cache[slot] = CachedSet(set: set, attributes: try file.attributes(set: set))
        }
        return cache[slot].attributes
    }
}
