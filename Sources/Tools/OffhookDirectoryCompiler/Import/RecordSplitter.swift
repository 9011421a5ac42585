// SPDX-License-Identifier: MIT

/// Cuts a stream of bytes, in pieces of any size, into records: lines, or CSV records whose quoted fields may hold
/// line ends.
///
/// Memory is bounded by ``longestRecord``: the rest of a longer record is dropped, and the record is marked.
struct RecordSplitter {
    /// The longest record in bytes.
    static let longestRecord = 65_536

    /// Whether a quote keeps the line end after it from ending the record.
    let quotes: Bool
    private var pending: [UInt8] = []
    private var isInQuotes = false
    private var isTooLong = false
    private var isFirst = true
    /// The line on which the next record begins, from 1.
    private(set) var line = 1
    private var ends = 0

    init(quotes: Bool) {
        self.quotes = quotes
    }

    /// Cuts the next bytes; `body` gets each whole record without its line end, and the line it begins on; nil for one
    /// that was too long.
    mutating func feed(
        _ bytes: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>?, _ line: Int) throws -> Void
    ) rethrows {
        var start = 0
        if isFirst, !bytes.isEmpty {
            isFirst = false
            // A byte order mark, as spreadsheet programs write it.
            if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { start = 3 }
        }
        var position = start
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if quotes, byte == UInt8(ascii: "\"") { isInQuotes.toggle() }
            guard byte == UInt8(ascii: "\n") else { continue }
            ends += 1
            if isInQuotes {
                // A quote that nothing closes must not swallow the list.
                if pending.count + position - start <= RecordSplitter.longestRecord { continue }
                isInQuotes = false
                isTooLong = true
            }
            let piece = UnsafeBufferPointer(rebasing: bytes[start..<position - 1])
            start = position
            try finish(piece, body)
        }
        let rest = bytes[start...]
        if pending.count + rest.count > RecordSplitter.longestRecord {
            isTooLong = true
            pending.removeAll(keepingCapacity: true)
        } else {
            pending.append(contentsOf: rest)
        }
    }

    /// Hands over the last record, when the stream does not end with a line end.
    mutating func end(_ body: (UnsafeBufferPointer<UInt8>?, _ line: Int) throws -> Void) rethrows {
        guard !pending.isEmpty || isTooLong else { return }
        ends += 1
        try finish(UnsafeBufferPointer(start: nil, count: 0), body)
    }

    private mutating func finish(
        _ piece: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>?, _ line: Int) throws -> Void
    ) rethrows {
        let first = line
        line += ends
        ends = 0
        defer {
            pending.removeAll(keepingCapacity: true)
            isTooLong = false
        }
        if isTooLong || pending.count + piece.count > RecordSplitter.longestRecord { return try body(nil, first) }
        if pending.isEmpty { return try body(RecordSplitter.withoutReturn(piece), first) }
        pending.append(contentsOf: piece)
        try pending.withUnsafeBufferPointer { try body(RecordSplitter.withoutReturn($0), first) }
    }

    private static func withoutReturn(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        bytes.last == UInt8(ascii: "\r") ? UnsafeBufferPointer(rebasing: bytes.dropLast()) : bytes
    }
}
