// SPDX-License-Identifier: MIT

public import OffhookCore

/// When to ask the phone for a reload of one extension: not too often, not twice at once, and later after failures.
///
/// Many reloads are what damages the phone's database (P49), so wishes that come close together become one reload.
public struct ReloadSchedule: Hashable, Sendable {
    /// How often to reload.
    public struct Policy: Hashable, Sendable {
        /// The least time between two reloads that both went well.
        public var interval: TimeSpan = .seconds(60)
        /// The time after the first failure; it doubles with each further one.
        public var firstDelay: TimeSpan = .seconds(5)
        /// The longest time after failures.
        public var longestDelay: TimeSpan = .seconds(3600)
        /// Failures in a row after which nothing is tried before the next wish.
        public var maximumFailures = 8

        /// Makes the defaults.
        public init() {}
    }

    /// What happens to it.
    public enum Event: Hashable, Sendable {
        /// The list changed, or the app wants the phone to have it: a wish.
        case wanted
        /// The reload came back; `isComplete` is false when more parts are to come.
        case finished(LoadResult, isComplete: Bool)
        /// The user switched the extension on or off.
        case enabled(Bool)
        /// The deadline has come.
        case tick
    }

    /// What to do.
    public enum Effect: Hashable, Sendable {
        /// Ask the phone to reload the extension.
        case reload
        /// Ask the user to switch the extension on.
        case askToEnable
        /// Stop, and show the user why.
        case giveUp(LoadResult)
    }

    /// Where it is; each case says what it leaves to.
    public enum State: Hashable, Sendable {
        /// Nothing is wanted. Leaves to: loading, waiting.
        case idle
        /// A reload is wanted, not before a time. Leaves to: loading.
        case waiting(until: TimeSpan)
        /// The phone reloads; another wish came meanwhile or not. Leaves to: idle, waiting, disabled, stopped.
        case loading(again: Bool)
        /// The user has to switch the extension on first. Leaves to: loading.
        case disabled
        /// It makes no sense to go on. Leaves to: loading, with the next wish.
        case stopped(LoadResult)
    }

    /// How often to reload.
    public let policy: Policy
    /// Where it is.
    public private(set) var state = State.idle
    private var failures = 0
    private var lastSuccess: TimeSpan?

    /// Makes a schedule.
    public init(policy: Policy = Policy()) {
        self.policy = policy
    }

    /// When to send ``Event/tick``, as a duration since the moment that all times count from; nil when nothing waits.
    public var deadline: TimeSpan? {
        switch state {
        case .waiting(let time): return time
        case .idle, .loading, .disabled, .stopped: return nil
        }
    }

    /// Handles one event.
    public mutating func handle(_ event: Event, at now: TimeSpan) -> [Effect] {
        switch event {
        case .wanted: return wanted(at: now)
        case .finished(let result, let isComplete): return finished(result, isComplete: isComplete, at: now)
        case .enabled(let isOn): return enabled(isOn)
        case .tick: return tick(at: now)
        }
    }

    private mutating func wanted(at now: TimeSpan) -> [Effect] {
        switch state {
        case .idle:
            let earliest = lastSuccess.map { $0 + policy.interval } ?? now
            if earliest <= now { return load() }
            state = .waiting(until: earliest)
            return []
        case .waiting: return []
        case .loading:
            state = .loading(again: true)
            return []
        case .disabled: return [.askToEnable]
        case .stopped:
            failures = 0
            return load()
        }
    }

    private mutating func load() -> [Effect] {
        state = .loading(again: false)
        return [.reload]
    }

    private mutating func finished(_ result: LoadResult, isComplete: Bool, at now: TimeSpan) -> [Effect] {
        guard case .loading(let again) = state else { return [] }
        switch result {
        case .stored:
            failures = 0
            lastSuccess = now
            if !isComplete { return load() }
            state = again ? .waiting(until: now + policy.interval) : .idle
            return []
        case .disabled:
            state = .disabled
            return [.askToEnable]
        case .noSuchExtension, .databaseDamaged:
            state = .stopped(result)
            return [.giveUp(result)]
        case .expired, .interrupted, .outOfOrder, .duplicate, .tooManyEntries, .busy, .removalInFullLoad, .unavailable,
            .alreadyStored, .timedOut, .unknown:
            failures += 1
            if failures >= policy.maximumFailures {
                state = .stopped(result)
                return [.giveUp(result)]
            }
            state = .waiting(until: now + delay)
            return []
        }
    }

    /// Doubles with each failure.
    private var delay: TimeSpan {
        var delay = policy.firstDelay
        for _ in 1..<max(2, failures) where failures > 1 && delay < policy.longestDelay { delay = delay * 2 }
        return min(delay, policy.longestDelay)
    }

    private mutating func enabled(_ isOn: Bool) -> [Effect] {
        switch state {
        case .disabled: return isOn ? load() : []
        case .idle, .waiting, .loading, .stopped: return []
        }
    }

    private mutating func tick(at now: TimeSpan) -> [Effect] {
        switch state {
        case .waiting(let time): return time <= now ? load() : []
        case .idle, .loading, .disabled, .stopped: return []
        }
    }
}
