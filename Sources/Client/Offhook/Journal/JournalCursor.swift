// SPDX-License-Identifier: MIT

public import OffhookCore

/// How far an app has read what it was told: a place in the journal of one stay of one user (R86, R90).
///
/// An app that wants to go on after a restart keeps it, or calls ``CallCenter/acknowledge(_:)`` and lets the call center
/// keep it.
public struct JournalCursor: Hashable, Sendable, Codable {
    /// The stay's number, as in ``AccountGeneration``.
    public var generation: Int
    /// The last entry that was read.
    public var sequence: UInt64

    /// Makes a cursor.
    public init(generation: Int, sequence: UInt64) {
        self.generation = generation
        self.sequence = sequence
    }
}

extension JournalEntry {
    /// The place of the entry: what to acknowledge when it was read.
    public var cursor: JournalCursor { JournalCursor(generation: generation, sequence: sequence) }
}

/// What a stream of the journal brings.
public enum JournalEvent: Hashable, Sendable {
    /// The first element: how the stream begins, the calls as they stand now, and the place from which it goes on.
    case began(JournalSession.Start, [Call], JournalCursor)
    /// Something happened: missed before, or just now.
    case entry(JournalEntry)
}
