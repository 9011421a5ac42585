// SPDX-License-Identifier: MIT

import Foundation

/// State behind a lock: Apple's objects may be used from any thread.
///
/// The lock is `NSLock`, whose order ThreadSanitizer sees; of the standard library's `Mutex` it knows nothing on Linux
/// (docs/decisions/0005-locks.md).
package final class Locked<State> {
    private let lock = NSLock()
    private var state: State

    /// Guards a state.
    package init(_ state: State) {
        self.state = state
    }

    /// Reads or changes the state; not to be called again from inside the closure.
    ///
    /// What comes out must not be used to reach the state's insides later.
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body(&state)
    }
}

// Protected by `lock`; a result leaves it by value, or as an object of Apple's with a lock of its own.
extension Locked: @unchecked Sendable {}
