// SPDX-License-Identifier: MIT

import CUV
import Synchronization

/// A value behind a lock, whose order ThreadSanitizer understands.
///
/// It is the standard library's `Mutex` with two words more: on Linux that is a futex of its own, which
/// ThreadSanitizer does not know, and would report every access behind as a race. Saying acquire and release inside the
/// lock makes real races findable (docs/decisions/0005-locks.md). Change the value, take out what is to be done, and do
/// it after the lock: the closure must call nothing that may come back for the same lock.
///
/// - Isolation: any thread
public final class Guarded<Value>: Sendable {
    private let mutex: Mutex<Value>

    /// Guards a value.
    public init(_ value: sending Value) {
        mutex = Mutex(value)
    }

    /// Runs the closure alone with the value; waits until nobody else has it.
    ///
    /// - Parameter body: Gets the value, to read or to change.
    /// - Returns: What the closure returned.
    /// - Throws: What the closure throws, with what it has changed by then kept.
    public func withLock<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        let address = Unmanaged.passUnretained(self).toOpaque()
        return try mutex.withLock { value throws(Failure) in
            cuv_lock_acquired(address)
            defer { cuv_lock_released(address) }
            return try body(&value)
        }
    }

    /// Runs the closure alone with the value, unless somebody else has it right now.
    ///
    /// - Parameter body: Gets the value, to read or to change.
    /// - Returns: What the closure returned; nil when it did not run.
    /// - Throws: What the closure throws, with what it has changed by then kept.
    public func withLockIfAvailable<Result, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        let address = Unmanaged.passUnretained(self).toOpaque()
        return try mutex.withLockIfAvailable { value throws(Failure) in
            cuv_lock_acquired(address)
            defer { cuv_lock_released(address) }
            return try body(&value)
        }
    }
}
