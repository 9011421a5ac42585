// SPDX-License-Identifier: MIT

import Foundation

/// A value behind a lock that threads of the app and of GStreamer share.
///
/// The lock is `NSLock`, whose order ThreadSanitizer sees; of the standard library's `Mutex` it knows nothing on Linux
/// (docs/decisions/0005-locks.md).
final class Locked<Value> {
    private let lock = NSLock()
    private var value: Value

    /// Guards a value.
    init(_ value: sending Value) {
        self.value = value
    }

    /// Runs the closure alone with the value; it must call nothing that may come back for the same lock.
    func withLock<Result>(_ body: (inout Value) throws -> sending Result) rethrows -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}

// Protected by `lock`; a value comes in by sending and goes out by sending.
extension Locked: @unchecked Sendable {}
