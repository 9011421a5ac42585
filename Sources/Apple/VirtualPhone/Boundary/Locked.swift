// SPDX-License-Identifier: MIT

import Synchronization

/// State of a framework object, behind one lock: Apple's objects may be used from any thread.
package final class Locked<State>: Sendable {
    fileprivate struct Box<Value> {
        var value: Value
    }

    private let mutex: Mutex<Box<State>>

    /// Guards a state.
    package init(_ state: State) {
        mutex = Mutex(Box(value: state))
    }

    /// Reads or changes the state.
    ///
    /// What comes out must not be used to reach the state's insides later.
    package func withLock<Result>(_ body: (inout State) -> Result) -> Result {
        mutex.withLock { Box(value: body(&$0.value)) }.value
    }
}

// Protected by `mutex`; a result leaves it by value, or as an object of Apple's with a lock of its own.
extension Locked.Box: @unchecked Sendable {}
