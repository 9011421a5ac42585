// SPDX-License-Identifier: MIT

/// Finds the fields of CSV records (RFC 4180): where the columns are, and what stands in them.
struct CSVFields {
    /// Places of the columns once they are known.
    struct Places {
        var number: Int
        var label: Int?
        var block: Int?
    }

    private let columns: CSVColumns
    private(set) var places: Places?
    private(set) var isHeaderPending: Bool
    /// The columns' names, once the header line was read.
    private(set) var header: [String] = []
    /// The bytes of fields in quotes, without the quotes.
    private var unquoted: [UInt8] = []
    private var ranges: [(range: Range<Int>, isUnquoted: Bool)] = []

    init(_ columns: CSVColumns) {
        self.columns = columns
        isHeaderPending = columns.hasHeader
        guard case .index(let number) = columns.number else { return }
        places = Places(number: number, label: CSVFields.index(columns.label), block: CSVFields.index(columns.block))
    }

    private static func index(_ column: CSVColumns.Column?) -> Int? {
        guard case .index(let index) = column else { return nil }
        return index
    }

    /// Reads the header line.
    ///
    /// - Returns: The names that are missing in it.
    mutating func readHeader(_ record: UnsafeBufferPointer<UInt8>) -> [String] {
        isHeaderPending = false
        guard split(record) else { return ["a well-formed header line"] }
        for field in ranges.indices {
            header.append(withField(field, of: record) { String(decoding: $0, as: UTF8.self) })
        }
        let names = header.map { $0.lowercased() }
        var missing: [String] = []
        func place(_ column: CSVColumns.Column?) -> Int? {
            switch column {
            case nil: return nil
            case .index(let index): return index
            case .named(let name):
                if let index = names.firstIndex(of: name.lowercased()) { return index }
                missing.append(name)
                return nil
            }
        }
        let (number, label, block) = (place(columns.number), place(columns.label), place(columns.block))
        places = number.map { Places(number: $0, label: label, block: block) }
        return missing
    }

    /// Finds the fields of a record; false when its quotes do not match.
    mutating func split(_ record: UnsafeBufferPointer<UInt8>) -> Bool {
        ranges.removeAll(keepingCapacity: true)
        unquoted.removeAll(keepingCapacity: true)
        let quote = UInt8(ascii: "\"")
        var position = 0
        while true {
            if position < record.count, record[position] == quote {
                let start = unquoted.count
                position += 1
                while true {
                    guard position < record.count else { return false }
                    if record[position] == quote {
                        position += 1
                        guard position < record.count, record[position] == quote else { break }
                    }
                    unquoted.append(record[position])
                    position += 1
                }
                ranges.append((start..<unquoted.count, true))
                guard position == record.count || record[position] == columns.separator else { return false }
            } else {
                let start = position
                while position < record.count, record[position] != columns.separator {
                    if record[position] == quote { return false }
                    position += 1
                }
                ranges.append((start..<position, false))
            }
            if position == record.count { return true }
            position += 1
        }
    }

    /// How many fields the record has.
    var count: Int { ranges.count }

    /// Gives a field of the record that was split last.
    func withField<Result>(
        _ index: Int, of record: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        let (range, isUnquoted) = ranges[index]
        guard isUnquoted else { return try body(UnsafeBufferPointer(rebasing: record[range])) }
        return try unquoted.withUnsafeBufferPointer { try body(UnsafeBufferPointer(rebasing: $0[range])) }
    }
}
