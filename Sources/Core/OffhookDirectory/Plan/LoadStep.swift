// SPDX-License-Identifier: MIT

/// What an extension does in one request.
public enum LoadStep: Hashable, Sendable {
    /// Completes the request without a change: the phone has everything.
    case nothing
    /// Adds everything from the beginning, without removals; `isIncremental` is false, or must not be read.
    case full(new: LoadState.Version)
    /// Removes and adds what differs between two versions after a number; nil stands for nothing.
    case changes(old: LoadState.Version?, new: LoadState.Version, after: Int64)
}

extension LoadState {
    /// Whether the phone has a version, and nothing is on its way.
    public func has(_ target: Version) -> Bool {
        attempt == nil && content == .whole(target)
    }

    /// Decides what to do in a request.
    ///
    /// Removing everything and adding it again is never chosen when the phone's list is known: it is what damages its
    /// database (P49).
    ///
    /// - Parameters:
    ///   - target: The version that the phone is to have in the end.
    ///   - isAvailable: Whether the file of a version is still there, to tell what changed.
    ///   - isIncremental: Reads the request's flag. Called at most once, and not at all when a full load is needed: not
    ///     reading it is how an extension says so (D1).
    /// - Returns: What to do; ``begin(_:)`` comes before the request is completed.
    public mutating func step(
        toward target: Version, isAvailable: (Version) -> Bool, isIncremental: () -> Bool
    ) -> LoadStep {
        if attempt != nil {
            // Nobody learned how the last load went.
            attempt = nil
            content = .unknown
        }
        switch content {
        case .unknown: return .full(new: target)
        case .whole(let old):
            if old != target, !isAvailable(old) { return .full(new: target) }
            guard isIncremental() else { return .full(new: target) }
            return old == target ? .nothing : .changes(old: old, new: target, after: 0)
        case .partial(let old, let new, let through):
            guard isAvailable(new), old.map(isAvailable) ?? true else { return .full(new: target) }
            guard isIncremental() else { return .full(new: target) }
            // What was begun is finished first, even when a newer version has come: see ``has(_:)``.
            return .changes(old: old, new: new, after: through)
        }
    }

    /// Notes a load before the request is completed.
    ///
    /// - Parameters:
    ///   - step: What ``step(toward:isAvailable:isIncremental:)`` gave.
    ///   - through: The last number that was dealt with; nil when the step was done to its end.
    ///   - changes: How many calls of add and remove were made.
    public mutating func begin(_ step: LoadStep, through: Int64?, changes: Int) {
        taken = nil
        switch step {
        case .nothing: attempt = Attempt(content: content, isFull: false, changes: 0)
        case .full(let new):
            let result = through.map { Content.partial(old: nil, new: new, through: $0) } ?? .whole(new)
            attempt = Attempt(content: result, isFull: true, changes: changes)
        case .changes(let old, let new, _):
            let result = through.map { Content.partial(old: old, new: new, through: $0) } ?? .whole(new)
            attempt = Attempt(content: result, isFull: false, changes: changes)
        }
    }

    /// The fewest changes that a load is cut down to.
    public static let smallestChunk = 1_000

    /// Notes how the load went; the extension and the app both may, in any order.
    ///
    /// A failure counts although the other process took the load for stored: the phone had the last word. A second
    /// failure of the same load changes nothing.
    public mutating func finish(_ result: LoadResult) {
        switch result {
        case .stored:
            guard let attempt else { return }
            taken = Taken(attempt: attempt, before: content)
            content = attempt.content
            self.attempt = nil
            failures = 0
        case .timedOut, .busy:
            // The load may still go on, or may never have begun: its own end decides.
            failures += 1
        case .expired, .interrupted, .tooManyEntries, .outOfOrder, .duplicate, .removalInFullLoad, .alreadyStored,
            .databaseDamaged, .noSuchExtension, .disabled, .unavailable, .unknown:
            if let taken {
                content = taken.before
                fail(taken.attempt, result)
            } else if let attempt {
                fail(attempt, result)
            }
        }
    }

    private mutating func fail(_ attempt: Attempt, _ result: LoadResult) {
        switch result {
        case .expired, .interrupted, .tooManyEntries:
            chunk = max(LoadState.smallestChunk, min(chunk ?? .max, attempt.changes) / 2)
        case .outOfOrder, .duplicate, .removalInFullLoad, .alreadyStored, .databaseDamaged: content = .unknown
        case .stored, .timedOut, .busy, .noSuchExtension, .disabled, .unavailable, .unknown: break
        }
        // A full load that failed may have taken the old list with it.
        if attempt.isFull { content = .unknown }
        failures += 1
        self.attempt = nil
        taken = nil
    }

    /// Forgets what the phone has: the next load is full.
    public mutating func reset() {
        self = LoadState()
    }
}
