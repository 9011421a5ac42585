// SPDX-License-Identifier: MIT

/// The only time in which audio may run: between didActivate and didDeactivate, and not while interrupted (S1, R53, R70).
///
/// ```
///            activated            interrupted
///   closed ────────────► open ───────────────────► interrupted
///      ▲                  │ ▲                        │  │
///      │                  │ └────────────────────────┘  │
///      │                  │  interruptionEnded,         │
///      │                  │  activated                  │
///      └──────────────────┴─────────────────────────────┘
///               deactivated, reset
/// ```
///
/// Invariant: `open` and `close` alternate, beginning with `open`.
public struct AudioWindow: Hashable, Sendable, Codable {
    /// Where the window is.
    public enum State: String, Hashable, Sendable, Codable {
        /// No audio may run. Leaves to: open.
        case closed
        /// Audio may run. Leaves to: closed, interrupted.
        case open
        /// The session is active, and another sound has it for a while (V7). Leaves to: open, closed.
        case interrupted
    }

    /// What happens to the window.
    public enum Event: String, Hashable, Sendable, Codable, CaseIterable {
        /// CallKit activated the session.
        case activated
        /// CallKit deactivated the session.
        case deactivated
        /// The session was interrupted (R53).
        case interrupted
        /// The interruption is over.
        case interruptionEnded
        /// The media services were reset: what ran must start anew (R53).
        case servicesReset
        /// CallKit dropped everything (R22).
        case reset
    }

    /// What the window orders.
    public enum Effect: String, Hashable, Sendable, Codable {
        /// Open every session's audio switch.
        case open
        /// Close every session's audio switch.
        case close
    }

    /// Where the window is.
    public private(set) var state: State = .closed

    /// Makes a closed window.
    public init() {}

    /// Whether audio may run.
    public var isOpen: Bool { state == .open }

    /// Takes one event.
    public mutating func handle(_ event: Event) -> [Effect] {
        switch (event, state) {
        case (.activated, .closed), (.activated, .interrupted), (.interruptionEnded, .interrupted):
            state = .open
            return [.open]
        case (.interrupted, .open):
            state = .interrupted
            return [.close]
        case (.servicesReset, .open):
            return [.close, .open]
        case (.deactivated, .open), (.reset, .open):
            state = .closed
            return [.close]
        case (.deactivated, .interrupted), (.reset, .interrupted):
            state = .closed
            return []
        case (.activated, .open), (.interruptionEnded, .closed), (.interruptionEnded, .open), (.interrupted, .closed),
            (.interrupted, .interrupted), (.servicesReset, .closed), (.servicesReset, .interrupted),
            (.deactivated, .closed), (.reset, .closed):
            return []
        }
    }
}
