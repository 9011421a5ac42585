// SPDX-License-Identifier: MIT

import OffhookNet

/// The latest events of a gateway, which readers can wait for.
///
/// Give ``add(_:)`` to the gateway as its `onEvent`.
///
/// - Isolation: any thread
public final class GatewayLog: Sendable {
    /// Which events a reader wants.
    public struct Filter: Hashable, Sendable {
        /// Only events with a higher number.
        public var after = 0
        /// Only events of these kinds; empty: all.
        public var kinds: Set<LogEntry.Kind> = []
        /// Only events about this device token; nil: all.
        public var token: String?
        /// At most so many.
        public var limit = 1_000

        /// Wants every event.
        public init() {}

        func matches(_ entry: LogEntry) -> Bool {
            entry.number > after && (kinds.isEmpty || kinds.contains(entry.kind))
                && (token == nil || entry.token == token)
        }
    }

    /// What a reader gets.
    public struct Page: Codable, Hashable, Sendable {
        /// What to give as `after` next time.
        public var next: Int
        /// The number of the oldest event that is kept; those before it are gone.
        public var oldest: Int
        /// The events, oldest first.
        public var events: [LogEntry]
    }

    private struct Waiting {
        let filter: Filter
        let done: @Sendable (Page) -> Void
    }

    private struct State {
        var entries: [LogEntry] = []
        var count = 0
        var waiting: [Int: Waiting] = [:]
        var tickets = 0
    }

    private let capacity: Int
    private let onEntry: (@Sendable (LogEntry) -> Void)?
    private let state = Guarded(State())

    /// Makes an empty log.
    ///
    /// - Parameters:
    ///   - capacity: How many events are kept.
    ///   - onEntry: Told each event, on the gateway's thread.
    public init(capacity: Int = 10_000, onEntry: (@Sendable (LogEntry) -> Void)? = nil) {
        self.capacity = max(1, capacity)
        self.onEntry = onEntry
    }

    /// Adds an event.
    public func add(_ event: GatewayEvent) {
        let (entry, ready) = state.withLock { state -> (LogEntry, [(Waiting, Page)]) in
            state.count += 1
            let entry = LogEntry(event, number: state.count)
            state.entries.append(entry)
            // A quarter at once, so that a full log does not move with each event.
            if state.entries.count > capacity + capacity / 4 { state.entries.removeFirst(capacity / 4 + 1) }
            let ready = state.waiting.filter { $0.value.filter.matches(entry) }
            for ticket in ready.keys { state.waiting[ticket] = nil }
            return (entry, ready.values.map { ($0, Self.page($0.filter, state)) })
        }
        onEntry?(entry)
        for (waiting, page) in ready { waiting.done(page) }
    }

    /// The events that match.
    public func page(_ filter: Filter) -> Page {
        state.withLock { Self.page(filter, $0) }
    }

    /// The events that match; waits for the first one.
    ///
    /// - Parameters:
    ///   - filter: What is wanted.
    ///   - done: Called once, maybe before this returns, or not at all after ``giveUp(_:)``.
    /// - Returns: What ``giveUp(_:)`` takes.
    public func wait(_ filter: Filter, _ done: @escaping @Sendable (Page) -> Void) -> Int {
        let (ticket, page) = state.withLock { state -> (Int, Page?) in
            state.tickets += 1
            let page = Self.page(filter, state)
            guard page.events.isEmpty else { return (state.tickets, page) }
            state.waiting[state.tickets] = Waiting(filter: filter, done: done)
            return (state.tickets, nil)
        }
        if let page { done(page) }
        return ticket
    }

    /// Ends a wait with an empty page; nothing when it is over already.
    public func giveUp(_ ticket: Int) {
        let over = state.withLock { state -> (Waiting, Page)? in
            guard let waiting = state.waiting.removeValue(forKey: ticket) else { return nil }
            return (waiting, Self.page(waiting.filter, state))
        }
        if let (waiting, page) = over { waiting.done(page) }
    }

    /// Forgets the events; their numbers go on.
    public func clear() {
        state.withLock { $0.entries.removeAll() }
    }

    private static func page(_ filter: Filter, _ state: State) -> Page {
        var events: [LogEntry] = []
        for entry in state.entries where filter.matches(entry) {
            if events.count == filter.limit { break }
            events.append(entry)
        }
        let isWhole = events.count < filter.limit
        return Page(
            next: isWhole ? max(filter.after, state.count) : events.last?.number ?? filter.after,
            oldest: state.entries.first?.number ?? state.count + 1, events: events)
    }
}
