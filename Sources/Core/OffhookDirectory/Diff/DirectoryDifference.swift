// SPDX-License-Identifier: MIT

/// Tells how the attributes of consecutive numbers differ between two directories.
public struct DirectoryChange: Hashable, Sendable {
    /// The first number.
    public let first: Int64
    /// The last number; equal to ``first`` for a single one.
    public let last: Int64
    /// What the old directory says; ``DirectoryAttributes/none`` if the numbers are new.
    public let before: DirectoryAttributes
    /// What the new directory says; ``DirectoryAttributes/none`` if the numbers were removed.
    public let after: DirectoryAttributes

    /// Makes a change of the numbers `first` to `last`.
    public init(first: Int64, last: Int64, before: DirectoryAttributes, after: DirectoryAttributes) {
        self.first = first
        self.last = last
        self.before = before
        self.after = after
    }
}

/// Walks through the differences of two directories in ascending order, in memory that does not grow with them.
public struct DirectoryDifference: Sendable {
    private let oldFile: DirectoryFile
    private let newFile: DirectoryFile
    private var oldCursor: DirectoryCursor
    private var newCursor: DirectoryCursor
    private var old: DirectoryItem?
    private var new: DirectoryItem?
    private var started = false
    // What single numbers of other shards are like is not compared; they may still come when only one directory has them.
    var shard = DirectoryShard.whole
    private let start: Int64
    private var comparisons = [Comparison](repeating: Comparison(), count: 1024)

    // What is known of one pair of sets, one of the old file and one of the new.
    private struct Comparison {
        var old: UInt32 = .max
        var new: UInt32 = .max
        var areEqual = false
    }

    // A difference by the numbers of the sets; nil where the directory has no entry.
    struct Step {
        var first: Int64
        var last: Int64
        var before: UInt32?
        var after: UInt32?
    }

    /// Begins the comparison of two whole directories.
    ///
    /// - Parameters:
    ///   - old: The directory before.
    ///   - new: The directory after.
    ///   - number: Only numbers after it are compared; 0 for all.
    public init(from old: DirectoryFile, to new: DirectoryFile, after number: Int64 = 0) {
        start = number < Int64.max ? number + 1 : Int64.max
        oldFile = old
        newFile = new
        oldCursor = old.entries(from: start)
        newCursor = new.entries(from: start)
    }

    /// Gives the next difference; nil at the end.
    ///
    /// Neighbours with the same attributes may come one by one.
    ///
    /// - Throws: ``DirectoryFileError/damaged(part:offset:)`` if a block of either file is damaged.
    public mutating func next() throws(DirectoryFileError) -> DirectoryChange? {
        guard let step = try nextStep() else { return nil }
        return try change(step)
    }

    // What the directories say about a step.
    mutating func change(_ step: Step) throws(DirectoryFileError) -> DirectoryChange {
        var before = DirectoryAttributes.none
        var after = DirectoryAttributes.none
        if let set = step.before { before = try oldCursor.attributes(of: set) }
        if let set = step.after { after = try newCursor.attributes(of: set) }
        return DirectoryChange(first: step.first, last: step.last, before: before, after: after)
    }

    mutating func attributes(after set: UInt32) throws(DirectoryFileError) -> DirectoryAttributes {
        try newCursor.attributes(of: set)
    }

    mutating func nextStep() throws(DirectoryFileError) -> Step? {
        if !started {
            started = true
            old = try oldCursor.nextItem()
            new = try newCursor.nextItem()
            // A range may begin before the first number that counts.
            let start = start
            if let item = old, item.first < start { old?.first = start }
            if let item = new, item.first < start { new?.first = start }
        }
        while true {
            switch (old, new) {
            case (nil, nil):
                return nil
            case (let item?, nil):
                old = try oldCursor.nextItem()
                return Step(first: item.first, last: item.last, before: item.set, after: nil)
            case (nil, let item?):
                new = try newCursor.nextItem()
                return Step(first: item.first, last: item.last, before: nil, after: item.set)
            case (let one?, let other?):
                if let step = try step(one, other) { return step }
            }
        }
    }

    // Takes the numbers up to the next place where either item begins or ends; nil if both agree about them.
    private mutating func step(
        _ one: DirectoryItem, _ other: DirectoryItem
    ) throws(DirectoryFileError) -> Step? {
        if one.first < other.first {
            let last = min(one.last, other.first - 1)
            try advanceOld(past: last, one)
            return Step(first: one.first, last: last, before: one.set, after: nil)
        }
        if other.first < one.first {
            let last = min(other.last, one.first - 1)
            try advanceNew(past: last, other)
            return Step(first: other.first, last: last, before: nil, after: other.set)
        }
        let last = min(one.last, other.last)
        if last == one.first, !shard.contains(last) {
            try advanceOld(past: last, one)
            try advanceNew(past: last, other)
            return nil
        }
        let areEqual = try areEqual(one.set, other.set)
        try advanceOld(past: last, one)
        try advanceNew(past: last, other)
        return areEqual ? nil : Step(first: one.first, last: last, before: one.set, after: other.set)
    }

    private mutating func advanceOld(past last: Int64, _ item: DirectoryItem) throws(DirectoryFileError) {
        if last == item.last { old = try oldCursor.nextItem() } else { old?.first = last + 1 }
    }

    private mutating func advanceNew(past last: Int64, _ item: DirectoryItem) throws(DirectoryFileError) {
        if last == item.last { new = try newCursor.nextItem() } else { new?.first = last + 1 }
    }

    private mutating func areEqual(_ one: UInt32, _ other: UInt32) throws(DirectoryFileError) -> Bool {
        let slot = Int(one) & (comparisons.count - 1)
        if comparisons[slot].old != one || comparisons[slot].new != other {
            let areEqual = try oldFile.attributes(set: one) == newFile.attributes(set: other)
            comparisons[slot] = Comparison(old: one, new: other, areEqual: areEqual)
        }
        return comparisons[slot].areEqual
    }
}
