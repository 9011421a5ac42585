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
    /// - Returns: What to do; ``begin(_:through:changes:)`` comes before the request is completed.
    public mutating func step(
        toward target: Version, isAvailable: (Version) -> Bool, isIncremental: () -> Bool
    ) -> LoadStep {
        if attempt != nil {
            // Nobody learned how the last load went.
            attempt = nil
            content = .unknown
        } else if isOpen {
            // The last request ended in its middle, and nobody learned of it.
            shrink(changes: nil)
        }
        // The load before this one is settled: failures from now on are this one's.
        taken = nil
        isOpen = true
        requests += 1
        let step = choose(toward: target, isAvailable: isAvailable, isIncremental: isIncremental)
        // The phone may drop its list with the first entry of a full load, and this process may end before its last.
        if case .full = step { content = .unknown }
        return step
    }

    private func choose(
        toward target: Version, isAvailable: (Version) -> Bool, isIncremental: () -> Bool
    ) -> LoadStep {
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
        isOpen = false
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
    ///
    /// - Parameters:
    ///   - result: How the load went.
    ///   - hasBegun: Whether the extension began a request in this load: ``requests`` changed. If not, a failure says
    ///     nothing about the load before.
    public mutating func finish(_ result: LoadResult, hasBegun: Bool = true) {
        guard hasBegun || result == .stored || result == .timedOut || result == .busy else { return }
        switch result {
        case .stored:
            guard let attempt else { return }
            taken = Taken(attempt: attempt, before: content)
            content = attempt.content
            self.attempt = nil
            failures = 0
            if case .whole = content { grow() }
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
            } else if isOpen {
                // It ended before it had given everything, so the phone took nothing.
                isOpen = false
                failures += 1
                if result.isTooMuch { shrink(changes: nil) }
            }
        }
    }

    /// The next load is half as large; nil when nobody knows how large this one was.
    private mutating func shrink(changes: Int?) {
        let known = min(chunk ?? .max, changes ?? DirectoryCapacity.entriesPerExtension)
        chunk = max(LoadState.smallestChunk, known / 2)
    }

    /// An interruption now and then (bug 11) must not mean small loads, which are many, for ever (P49).
    private mutating func grow() {
        guard let known = chunk else { return }
        chunk = known * 2 < DirectoryCapacity.entriesPerExtension ? known * 2 : nil
    }

    /// Notes that the extension gives a request up for a reason of its own, before ``begin(_:through:changes:)``.
    public mutating func cancel() {
        guard isOpen else { return }
        isOpen = false
        failures += 1
    }

    private mutating func fail(_ attempt: Attempt, _ result: LoadResult) {
        switch result {
        case .expired, .interrupted, .tooManyEntries: shrink(changes: attempt.changes)
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

extension LoadResult {
    /// Whether a smaller load may go better.
    fileprivate var isTooMuch: Bool {
        switch self {
        case .expired, .interrupted, .tooManyEntries: return true
        case .stored, .noSuchExtension, .outOfOrder, .duplicate, .disabled, .busy, .removalInFullLoad, .unavailable,
            .alreadyStored, .databaseDamaged, .timedOut, .unknown:
            return false
        }
    }
}
