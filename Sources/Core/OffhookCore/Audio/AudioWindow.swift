// SPDX-License-Identifier: MIT

/// The only time in which audio may run: between didActivate and didDeactivate (S1, R70).
///
/// ```
///            activated
///   closed ────────────► open
///      ▲                  │
///      └──────────────────┘
///       deactivated, reset
/// ```
///
/// Invariant: `open` and `close` alternate, beginning with `open`.
public struct AudioWindow: Hashable, Sendable, Codable {
    /// Where the window is.
    public enum State: String, Hashable, Sendable, Codable {
        /// No audio may run. Leaves to: open.
        case closed
        /// Audio may run. Leaves to: closed.
        case open
    }

    /// What happens to the window.
    public enum Event: String, Hashable, Sendable, Codable, CaseIterable {
        /// CallKit activated the session.
        case activated
        /// CallKit deactivated the session.
        case deactivated
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
        switch event {
        case .activated:
            switch state {
            case .closed:
                state = .open
                return [.open]
            case .open:
                return []
            }
        case .deactivated, .reset:
            switch state {
            case .closed:
                return []
            case .open:
                state = .closed
                return [.close]
            }
        }
    }
}
