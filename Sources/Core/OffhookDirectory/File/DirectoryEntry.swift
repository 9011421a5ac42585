// SPDX-License-Identifier: MIT

/// Names what the phone does with a number: block its calls, show labels for them, or both.
public struct DirectoryAttributes: Hashable, Sendable {
    /// Whether calls from the number are blocked.
    public let blocked: Bool

    /// The names shown for the number, each once, ascending by their UTF-8 bytes; empty when it is only blocked.
    public let labels: [String]

    /// Neither blocked nor labelled: in a delta, the number is removed; a directory has no such entry.
    public static let none = DirectoryAttributes(blocked: false)

    /// Makes attributes; the labels are put in order and repeated ones dropped.
    public init(blocked: Bool, labels: [String] = []) {
        self.blocked = blocked
        guard labels.count > 1 else {
            self.labels = labels
            return
        }
        var kept: [String] = []
        for label in labels.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        where kept.last.map({ !$0.utf8.elementsEqual(label.utf8) }) ?? true {
            kept.append(label)
        }
        self.labels = kept
    }

    /// Compares the labels by their bytes, not by Unicode equivalence: the file keeps what it was given.
    public static func == (one: DirectoryAttributes, other: DirectoryAttributes) -> Bool {
        one.blocked == other.blocked && one.labels.count == other.labels.count
            && zip(one.labels, other.labels).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }

    /// Hashes what ``==(_:_:)`` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(blocked)
        hasher.combine(labels.count)
        for label in labels {
            for byte in label.utf8 { hasher.combine(byte) }
            hasher.combine(UInt8(0xFF))
        }
    }
}

/// Holds consecutive phone numbers with the same attributes; most entries are one number.
public struct DirectoryEntry: Hashable, Sendable {
    /// The first number, country code and digits without "+": 1 to Int64.max - 1 (rule D4).
    public let first: Int64

    /// The last number; equal to ``first`` for a single one.
    public let last: Int64

    /// What the phone does with each of the numbers.
    public let attributes: DirectoryAttributes

    /// Makes an entry of one number.
    public init(number: Int64, attributes: DirectoryAttributes) {
        self.init(first: number, last: number, attributes: attributes)
    }

    /// Makes an entry of the numbers `first` to `last`; the writer refuses an entry whose last lies before its first.
    public init(first: Int64, last: Int64, attributes: DirectoryAttributes) {
        self.first = first
        self.last = last
        self.attributes = attributes
    }
}
