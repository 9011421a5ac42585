// SPDX-License-Identifier: MIT

/// Decides when a sender opens and gives up its connection, without touching any.
///
/// ```
///           needed                opened
///   idle ──────────► connecting ─────────► open
///    ▲  ▲                │ closed, retired   │ retired (GOAWAY, wedged), closed after it worked
///    │  └────────────────┼───────────────────┘
///    └── tick ── resting ◄┘ (over before it ever answered: longer each time)
/// ```
/// Connections are numbered, so that late news of an old one changes nothing.
public struct ConnectionMachine: Sendable {
    /// What happened, with the connection's number.
    public enum Event: Hashable, Sendable {
        /// A push waits and there is no connection for it.
        case needed
        /// TLS and the gateway's first settings are there.
        case opened(Int)
        /// The gateway answered a request, whatever the answer.
        case answered(Int)
        /// The connection shall take no new pushes: it got a GOAWAY, or it cannot be trusted any more.
        case retired(Int)
        /// The connection is over.
        case closed(Int)
        /// ``deadline`` has passed.
        case tick
        /// The sender stops for good.
        case stopped
    }

    /// What to do.
    public enum Effect: Hashable, Sendable {
        /// Open a connection with this number.
        case connect(Int)
        /// Let the open requests of this connection complete, then close it.
        case close(Int)
        /// Come back with a tick at ``deadline``.
        case wake
    }

    /// Where the machine is.
    public enum State: Hashable, Sendable {
        /// No connection, and none is needed. Leaves to: connecting, stopped.
        case idle
        /// The connection is on its way. Leaves to: open, resting, idle, stopped.
        case connecting(Int)
        /// The connection is up. Leaves to: idle, connecting, resting, stopped.
        case open(Int)
        /// The last attempts failed; the next one waits, since Apple takes a hail of connections for an attack.
        /// Leaves to: idle, connecting, stopped.
        case resting(until: Int64)
        /// Over.
        case stopped
    }

    /// The longest rest in milliseconds.
    public static let longestRest: Int64 = 10_000

    /// Where the machine is.
    public private(set) var state = State.idle
    private var count = 0
    /// Connections in a row that never answered.
    private var failures = 0
    private var hasAnswered = false
    private var isNeeded = false

    /// Makes a machine without a connection.
    public init() {}

    /// When to send ``Event/tick``, in milliseconds of the steady clock; nil: not needed.
    public var deadline: Int64? {
        guard case .resting(let until) = state else { return nil }
        return until
    }

    /// Takes an event and says what to do.
    ///
    /// - Parameters:
    ///   - event: What happened.
    ///   - now: Milliseconds of a steady clock.
    /// - Returns: What to do, in this order.
    public mutating func handle(_ event: Event, at now: Int64) -> [Effect] {
        switch event {
        case .needed:
            isNeeded = true
            return connectIfNeeded()
        case .opened(let number):
            guard state == .connecting(number) else { return [] }
            isNeeded = false
            state = .open(number)
            return []
        case .answered(let number):
            if state == .open(number) {
                failures = 0
                hasAnswered = true
            }
            return []
        case .retired(let number):
            guard isCurrent(number) else { return [] }
            // A gateway that sends each connection away as it opens would else be connected to without a pause.
            return [.close(number)] + (hasAnswered ? reconnectIfNeeded() : restAfterFailure(at: now))
        case .closed(let number):
            guard isCurrent(number) else { return [] }
            return restAfterFailure(at: now)
        case .tick:
            guard case .resting(let until) = state else { return [] }
            guard now >= until else { return [.wake] }
            state = .idle
            return connectIfNeeded()
        case .stopped:
            switch state {
            case .connecting(let number), .open(let number):
                state = .stopped
                return [.close(number)]
            case .idle, .resting, .stopped:
                state = .stopped
                return []
            }
        }
    }

    private func isCurrent(_ number: Int) -> Bool {
        switch state {
        case .connecting(number), .open(number): true
        case .idle, .connecting, .open, .resting, .stopped: false
        }
    }

    private mutating func reconnectIfNeeded() -> [Effect] {
        state = .idle
        return connectIfNeeded()
    }

    private mutating func restAfterFailure(at now: Int64) -> [Effect] {
        failures += 1
        // The first loss is nothing special: connections end. Only the second in a row rests.
        guard failures > 1 else { return reconnectIfNeeded() }
        state = .resting(until: now + min(Self.longestRest, 100 << min(Int64(failures - 2), 10)))
        return [.wake]
    }

    private mutating func connectIfNeeded() -> [Effect] {
        switch state {
        case .idle:
            guard isNeeded else { return [] }
            count += 1
            hasAnswered = false
            state = .connecting(count)
            return [.connect(count)]
        case .connecting, .open, .resting, .stopped: return []
        }
    }
}
