// SPDX-License-Identifier: MIT

/// What code that begins to watch calls gets first: where things stand, and what it has missed (R86).
public struct JournalSession: Hashable, Sendable {
    /// How a session begins.
    public enum Start: String, Hashable, Sendable, CaseIterable {
        /// Nobody has read the journal before: the snapshot is all.
        case fresh
        /// Every entry after the cursor is there.
        case resumed
        /// Entries after the cursor are missing: the snapshot stands for them.
        case resynced
    }

    /// Counts the sessions; only the latest one is open.
    public var number: Int
    /// How it begins.
    public var start: Start
    /// The calls as they stand now.
    public var snapshot: [Call]
    /// The entries after the cursor, oldest first; after a gap the one that says so.
    public var entries: [JournalEntry]
    /// The sequence from which the entries that follow go on.
    public var cursor: UInt64
}

/// What a journal has after a cursor (R86).
public enum JournalReplay: Hashable, Sendable {
    /// Every entry after the cursor, oldest first.
    case entries([JournalEntry])
    /// Entries are missing: forgotten, or the cursor is of another journal.
    case gap
}
