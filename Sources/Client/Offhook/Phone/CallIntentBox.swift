// SPDX-License-Identifier: MIT

import OffhookCore

/// Holds the latest wish to call until somebody takes it: one, for 60 s, for one consumer (R124); a value of the engine's.
struct CallIntentBox {
    /// How long a wish is held; older ones are forgotten.
    static let life: TimeSpan = .seconds(60)

    private var held: CallIntent?
    /// The one who waits.
    private var waiting: (id: Int, take: @Sendable (CallIntent?) -> Void)?
    private var count = 0

    /// Whether somebody waits.
    var isAwaited: Bool { waiting != nil }

    /// Takes a wish, in place of an earlier one; hands it over at once when somebody waits.
    mutating func put(_ intent: CallIntent) {
        guard let consumer = waiting else {
            held = intent
            return
        }
        waiting = nil
        consumer.take(intent)
    }

    /// Hands over the wish that is held, or the next one; whoever waited before gets nothing.
    ///
    /// - Returns: Names the wait, for ``cancel(_:)``.
    mutating func take(at now: Instant, _ take: @escaping @Sendable (CallIntent?) -> Void) -> Int {
        count += 1
        waiting?.take(nil)
        waiting = nil
        if let intent = held, now - intent.receivedAt <= CallIntentBox.life {
            take(intent)
        } else {
            waiting = (count, take)
        }
        held = nil
        return count
    }

    /// Ends a wait.
    mutating func cancel(_ id: Int) {
        guard waiting?.id == id else { return }
        waiting?.take(nil)
        waiting = nil
    }

    /// Ends every wait: the call center was stopped.
    mutating func close() {
        waiting?.take(nil)
        waiting = nil
        held = nil
    }
}
