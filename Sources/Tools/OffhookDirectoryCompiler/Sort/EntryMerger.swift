// SPDX-License-Identifier: MIT

import OffhookDirectory

/// What to do when lists give one number different labels.
public enum LabelConflict: String, Hashable, Sendable, CaseIterable {
    /// The list named first has the last word; in it the narrower range, then the line that comes first.
    case first
    /// The list named last has the last word; in it the narrower range, then the line that comes last.
    case last
    /// All labels are kept, up to ``DirectoryFormat/maximumLabels`` a number; the phone shows one of them.
    case all
}

/// Turns ascending records, which may overlap, into ascending entries, which do not.
///
/// A number is blocked when any list blocks it; exclusions beat everything; ``LabelConflict`` decides between labels.
struct EntryMerger {
    /// A record that covers the current number; `order` is the order in which records came.
    private struct Active {
        var record: SortRecord
        var order: Int
        /// Another record's label has the word before this one's.
        var hasLost = false
    }
    private struct Attributes: Hashable {
        var blocks: Bool
        var labels: [UInt32]
    }

    private(set) var encoder = DirectoryEncoder()
    /// Entries of each list that said nothing new, and entries whose label lost.
    private(set) var duplicates: [Int]
    private(set) var conflicts: [Int]

    private let conflict: LabelConflict
    private let labels: LabelTable
    private var active: [Active] = []
    private var position: Int64 = 0
    private var order = 0
    /// The writer's number for a label alone: at label * 2 + blocks.
    private var single: [UInt32]
    private var several: [Attributes: UInt32] = [:]

    init(labels: LabelTable, sources: Int, conflict: LabelConflict) {
        self.labels = labels
        self.conflict = conflict
        duplicates = Array(repeating: 0, count: sources)
        conflicts = duplicates
        single = Array(repeating: .max, count: 2 * (labels.count + 1))
    }

    /// Takes the next record; its first number is not before that of the record before it.
    mutating func add(_ record: SortRecord) throws {
        if let only = active.first, active.count == 1, only.record.last < record.first {
            // The usual case: the record before is over, and stood alone.
            try write(only.record, from: position)
            active[0] = Active(record: record, order: order)
            position = record.first
        } else {
            try emit(before: record.first)
            var new = Active(record: record, order: order)
            if active.isEmpty { position = record.first } else { count(&new) }
            active.append(new)
        }
        order += 1
    }

    /// The bytes of the file that nobody took yet.
    var hasOutput: Bool { !encoder.output.isEmpty }

    /// Hands the bytes out.
    mutating func takeOutput() -> [UInt8] { encoder.takeOutput() }

    /// Writes what is left and finishes the file.
    mutating func finish() throws -> DirectorySummary {
        try emit(before: Int64.max)
        return try encoder.finish()
    }

    /// Counts a new record that repeats one for the same number, or whose label loses, and those that lose to it.
    private mutating func count(_ new: inout Active) {
        let record = new.record
        if active.contains(where: {
            $0.record.first == record.first && $0.record.last == record.last && $0.record.label == record.label
                && $0.record.flags == record.flags
        }) {
            duplicates[Int(record.source)] += 1
            return
        }
        guard record.label != LabelTable.none, conflict != .all else { return }
        for index in active.indices
        where active[index].record.label != LabelTable.none && active[index].record.label != record.label {
            if beats(active[index], new) {
                new.hasLost = true
            } else if !active[index].hasLost {
                active[index].hasLost = true
                conflicts[Int(active[index].record.source)] += 1
            }
        }
        if new.hasLost { conflicts[Int(record.source)] += 1 }
    }

    /// Writes all numbers before `limit`.
    private mutating func emit(before limit: Int64) throws {
        while !active.isEmpty, position < limit {
            let nearest = active.lazy.map(\.record.last).min() ?? position
            let end = min(nearest, limit - 1)
            if active.count == 1 {
                var record = active[0].record
                record.last = end
                try write(record, from: position)
            } else {
                try write(position, end)
            }
            position = end + 1
            active.removeAll { $0.record.last <= end }
        }
    }

    private mutating func write(_ record: SortRecord, from first: Int64) throws {
        guard record.flags & SortRecord.excludes == 0 else { return }
        let blocks = record.flags & SortRecord.blocks != 0
        try encoder.append(
            first: first, last: record.last, set: identifier(label: record.label, blocks: blocks))
    }

    /// Writes numbers that several records cover.
    private mutating func write(_ first: Int64, _ last: Int64) throws {
        if active.contains(where: { $0.record.flags & SortRecord.excludes != 0 }) { return }
        let blocks = active.contains { $0.record.flags & SortRecord.blocks != 0 }
        let labelled = active.filter { $0.record.label != LabelTable.none }
        let kept: [UInt32]
        switch conflict {
        case .first, .last: kept = labelled.min { beats($0, $1) }.map { [$0.record.label] } ?? []
        case .all:
            var all: [UInt32] = []
            for label in labelled.sorted(by: { beats($0, $1) }).map(\.record.label)
            where !all.contains(label) && all.count < DirectoryFormat.maximumLabels {
                all.append(label)
            }
            kept = all
        }
        guard kept.count > 1 else {
            try encoder.append(
                first: first, last: last, set: identifier(label: kept.first ?? LabelTable.none, blocks: blocks))
            return
        }
        let attributes = Attributes(blocks: blocks, labels: kept.sorted())
        let identifier: UInt32
        if let known = several[attributes] {
            identifier = known
        } else {
            identifier = try encoder.identifier(
                of: DirectoryAttributes(blocked: blocks, labels: kept.map { labels.text(of: $0) }))
            several[attributes] = identifier
        }
        try encoder.append(first: first, last: last, set: identifier)
    }

    /// Whether one record's label has the word before the other's.
    private func beats(_ one: Active, _ other: Active) -> Bool {
        if one.record.source != other.record.source {
            return (one.record.source < other.record.source) != (conflict == .last)
        }
        let (width, otherWidth) = (one.record.last - one.record.first, other.record.last - other.record.first)
        if width != otherWidth { return width < otherWidth }
        // Records with the same first number come in the order of their lines.
        return (one.order < other.order) != (conflict == .last)
    }

    private mutating func identifier(label: UInt32, blocks: Bool) throws -> UInt32 {
        let slot = Int(label) * 2 + (blocks ? 1 : 0)
        if single[slot] != .max { return single[slot] }
        let texts = label == LabelTable.none ? [] : [labels.text(of: label)]
        let identifier = try encoder.identifier(of: DirectoryAttributes(blocked: blocks, labels: texts))
        single[slot] = identifier
        return identifier
    }
}
