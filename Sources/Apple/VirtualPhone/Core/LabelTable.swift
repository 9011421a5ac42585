// SPDX-License-Identifier: MIT

/// Labels in one run of UTF-8, numbered by their place: millions of them cost no object each.
struct LabelTable: Hashable, Sendable {
    private(set) var bytes: [UInt8] = []
    private(set) var ends: [UInt32] = []

    init() {}

    /// Takes what was stored; nil when it does not fit together.
    init?(bytes: [UInt8], ends: [UInt32]) {
        var last: UInt32 = 0
        for end in ends {
            guard end >= last else { return nil }
            last = end
        }
        guard Int(last) == bytes.count else { return nil }
        self.bytes = bytes
        self.ends = ends
    }

    var count: Int { ends.count }

    subscript(index: UInt32) -> String {
        let index = Int(index)
        guard index < ends.count else { return "" }
        let start = index == 0 ? 0 : Int(ends[index - 1])
        return String(decoding: bytes[start..<Int(ends[index])], as: UTF8.self)
    }

    mutating func append(_ label: String) -> UInt32 {
        bytes.append(contentsOf: label.utf8)
        ends.append(UInt32(truncatingIfNeeded: bytes.count))
        return UInt32(ends.count - 1)
    }

    /// Adds the labels of another table behind its own; returns what is to be added to their numbers.
    mutating func append(_ other: LabelTable) -> UInt32 {
        let shift = UInt32(bytes.count)
        let first = UInt32(ends.count)
        bytes.append(contentsOf: other.bytes)
        ends.append(contentsOf: other.ends.lazy.map { $0 + shift })
        return first
    }
}
