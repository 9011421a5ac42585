// SPDX-License-Identifier: MIT

/// Carries out a ``LoadStep``: reads one or two directories and makes the calls for one shard.
///
/// Removals come before additions, so that a relabelled number is never there twice (D10). Memory does not grow with the
/// lists: two blocks of at most 4,096 items.
public struct DirectoryLoad: Sendable {
    /// What was done.
    public struct Outcome: Hashable, Sendable {
        /// The last number dealt with, when the limit came before the end; nil: everything was done.
        public var through: Int64?
        /// Calls made.
        public var changes: Int

        /// Describes what was done.
        public init(through: Int64? = nil, changes: Int = 0) {
            self.through = through
            self.changes = changes
        }
    }

    private let old: DirectoryFile
    private let oldShard: DirectoryShard?
    private let new: DirectoryFile
    private let shard: DirectoryShard
    private let start: Int64

    /// Prepares a load.
    ///
    /// - Parameters:
    ///   - old: What the phone has, with its shard; nil stands for nothing.
    ///   - new: What it is to have.
    ///   - shard: Whose share is loaded.
    ///   - number: Only numbers after it are dealt with; 0 for all.
    /// - Throws: ``DirectoryFileError``.
    public init(
        from old: (file: DirectoryFile, shard: DirectoryShard?)?, to new: DirectoryFile, shard: DirectoryShard,
        after number: Int64 = 0
    ) throws {
        if let old {
            self.old = old.file
            oldShard = old.shard
        } else {
            var writer = try DirectoryWriter(into: [UInt8]())
            try writer.finish()
            self.old = try DirectoryFile(writer.sink)
            oldShard = shard
        }
        self.new = new
        self.shard = shard
        start = number
    }

    /// Makes the calls.
    ///
    /// - Parameters:
    ///   - limit: The most calls; nil for no limit. One number's calls are never divided.
    ///   - receiver: Takes them.
    /// - Returns: What was done, and whether something is left.
    /// - Throws: ``DirectoryFileError`` when a file is damaged; some calls may have been made then, and the request must
    ///   be cancelled.
    public func run<Receiver: DirectoryReceiver>(
        limit: Int?, into receiver: inout Receiver
    ) throws(DirectoryFileError) -> Outcome {
        var outcome = Outcome(through: nil, changes: 0)
        if limit == nil, old.summary.numbers == 0 {
            // Nothing to remove and nothing to leave for later.
            try walk(through: nil) { number, before, after in
                outcome.changes += LoadCalls(before, after).count
                add(number, LoadCalls(before, after), after, into: &receiver)
                return true
            }
            return outcome
        }
        var hasRemovals = false
        try walk(through: nil) { number, before, after in
            let calls = LoadCalls(before, after)
            if calls.count == 0 { return true }
            if let limit, outcome.changes > 0, outcome.changes + calls.count > limit {
                outcome.through = number - 1
                return false
            }
            outcome.changes += calls.count
            hasRemovals = hasRemovals || calls.removesBlocked || calls.removesIdentification
            return true
        }
        if hasRemovals {
            try walk(through: outcome.through) { number, before, after in
                let calls = LoadCalls(before, after)
                if calls.removesBlocked { receiver.removeBlocked(number) }
                if calls.removesIdentification { receiver.removeIdentification(number) }
                return true
            }
        }
        try walk(through: outcome.through) { number, before, after in
            add(number, LoadCalls(before, after), after, into: &receiver)
            return true
        }
        return outcome
    }

    @inline(__always)
    private func add<Receiver: DirectoryReceiver>(
        _ number: Int64, _ calls: LoadCalls, _ after: DirectoryAttributes, into receiver: inout Receiver
    ) {
        if calls.addsBlocked { receiver.addBlocked(number) }
        if calls.labels > 0 {
            for label in after.labels { receiver.addIdentification(number, label: label) }
        }
    }

    private func walk(
        through end: Int64?, _ body: (Int64, DirectoryAttributes, DirectoryAttributes) -> Bool
    ) throws(DirectoryFileError) {
        let end = end ?? Int64.max
        var difference = DirectoryDifference(from: old, to: new, after: start)
        difference.shard = shard
        // With other shards than before, numbers move although nothing about them changed.
        if oldShard != shard { return try walkMoved(through: end, body) }
        while let step = try difference.nextStep() {
            if step.first > end { return }
            // Most numbers are another extension's: what the lists say about those is not looked up.
            if step.first == step.last, !shard.contains(step.first) { continue }
            let change = try difference.change(step)
            for number in change.first...min(change.last, end) where shard.contains(number) {
                if !body(number, change.before, change.after) { return }
            }
        }
    }

    /// All numbers of both files: for the rare load after the number of extensions changed.
    private func walkMoved(
        through end: Int64, _ body: (Int64, DirectoryAttributes, DirectoryAttributes) -> Bool
    ) throws(DirectoryFileError) {
        var (left, right) = (old.entries(from: start + 1), new.entries(from: start + 1))
        var (before, after) = (try left.next(), try right.next())
        var number = start
        while true {
            let next = [before, after].compactMap { $0 }.map { max($0.first, number + 1) }.min()
            guard let next, next <= end else { return }
            number = next
            let was = before.map { $0.first <= number } == true && oldShard?.contains(number) == true
            let becomes = after.map { $0.first <= number } == true && shard.contains(number)
            let old = was ? before?.attributes ?? .none : .none
            let new = becomes ? after?.attributes ?? .none : .none
            if !body(number, old, new) { return }
            if let entry = before, entry.last <= number { before = try left.next() }
            if let entry = after, entry.last <= number { after = try right.next() }
        }
    }
}
