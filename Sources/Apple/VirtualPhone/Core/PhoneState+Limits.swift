// SPDX-License-Identifier: MIT

import Foundation

/// How an action that is no longer pending went.
enum ClosedAction: Hashable, Sendable {
    /// Fulfilled or failed.
    case completed
    /// Its deadline passed (T8).
    case timedOut
    /// Its call or its process ended before.
    case dropped
}

/// The actions that were closed last: enough to tell a second completion from a stray one, in bounded memory.
struct ClosedActions: Hashable, Sendable {
    private static let generation = 4096
    private var newer: [UUID: ClosedAction] = [:]
    private var older: [UUID: ClosedAction] = [:]

    subscript(action: UUID) -> ClosedAction? {
        newer[action] ?? older[action]
    }

    mutating func note(_ action: UUID, _ how: ClosedAction) {
        if newer.count >= ClosedActions.generation {
            older = newer
            newer = [:]
        }
        newer[action] = how
    }
}

/// A warning that is given once.
struct GivenWarning: Hashable, Sendable {
    var process: UUID
    var provider: UUID
    var what: String
}

extension Array {
    /// Forgets the oldest elements above a limit; some more than need be, so that it happens seldom.
    ///
    /// - Returns: How many were forgotten.
    @discardableResult
    mutating func keepLast(_ limit: Int) -> Int {
        let limit = Swift.max(1, limit)
        guard count > limit else { return 0 }
        let surplus = Swift.min(count - limit + limit / 8, count - 1)
        removeFirst(surplus)
        return surplus
    }
}
