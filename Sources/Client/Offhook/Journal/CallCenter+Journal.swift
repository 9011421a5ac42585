// SPDX-License-Identifier: MIT

/// What happened, without gaps, over restarts of the app (R86).
extension CallCenter {
    /// What happened after a cursor, then what happens: calls that change and operations that end, each once.
    ///
    /// The first element says how the stream begins: `fresh` when nobody has read before, `resumed` when everything after
    /// the cursor follows, `resynced` when something is missing or the cursor is of another user's stay, so that the
    /// calls in it stand for what was missed. Entries are kept for 24 hours, 2,048 of them, 2 MiB.
    ///
    /// One stream of this kind exists at a time; a new one ends the earlier one. It ends too when its reader leaves more
    /// than 4,096 elements untaken, and when another user signs in; open it again with the last cursor. A stream that is
    /// dropped ends no call, and reading again repeats no command (R89).
    ///
    /// - Parameter cursor: The last entry that was read; nil goes on after what was acknowledged.
    /// - Returns: The stream.
    public func events(after cursor: JournalCursor?) -> AsyncStream<JournalEvent> {
        engine.makeSession(after: cursor)
    }

    /// Says that everything up to a cursor was read, so that `events(after: nil)` goes on from there, also after a restart.
    ///
    /// A cursor of another user's stay changes nothing.
    public func acknowledge(_ cursor: JournalCursor) {
        engine.acknowledge(cursor)
    }
}
