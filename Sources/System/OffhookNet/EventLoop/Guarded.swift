// SPDX-License-Identifier: MIT

import CUV
import Synchronization

/// A value behind a lock, whose order ThreadSanitizer understands.
///
/// On Linux the standard library's Mutex is a futex of its own, which ThreadSanitizer does not know: it would report
/// every access behind it as a race. Saying acquire and release inside the lock makes real races findable.
final class Guarded<Value>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: sending Value) {
        mutex = Mutex(value)
    }

    /// Runs the closure alone with the value.
    func withLock<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result {
        let address = Unmanaged.passUnretained(self).toOpaque()
        return mutex.withLock { value in
            cuv_lock_acquired(address)
            defer { cuv_lock_released(address) }
            return body(&value)
        }
    }

    /// Runs the closure alone with the value, unless somebody else does so right now.
    ///
    /// - Returns: Nil when the closure did not run.
    func withLockIfAvailable<Result>(_ body: (inout sending Value) -> sending Result) -> sending Result? {
        let address = Unmanaged.passUnretained(self).toOpaque()
        return mutex.withLockIfAvailable { value in
            cuv_lock_acquired(address)
            defer { cuv_lock_released(address) }
            return body(&value)
        }
    }
}
