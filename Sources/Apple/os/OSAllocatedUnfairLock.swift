// SPDX-License-Identifier: MIT

import Foundation

/// A lock with the state it protects.
public struct OSAllocatedUnfairLock<State> {
    /// Who holds a lock.
    public enum Ownership: Hashable, Sendable {
        /// The calling thread.
        case owner
        /// Another thread or nobody.
        case notOwner
    }

    private final class Storage {
        let lock = NSLock()
        var state: State

        init(_ state: State) {
            self.state = state
        }
    }

    private let storage: Storage

    /// Makes a lock around a state that need not be sendable.
    public init(uncheckedState initialState: State) {
        storage = Storage(initialState)
    }

    /// Runs a closure with the state, whose result need not be sendable.
    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        storage.lock.lock()
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }

    /// Runs a closure with the state.
    public func withLock<Result: Sendable>(_ body: @Sendable (inout State) throws -> Result) rethrows -> Result {
        try withLockUnchecked(body)
    }

    /// Runs a closure with the state, unless somebody holds the lock.
    ///
    /// - Returns: nil when somebody does.
    public func withLockIfAvailable<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result? {
        guard storage.lock.try() else { return nil }
        defer { storage.lock.unlock() }
        return try body(&storage.state)
    }
}

extension OSAllocatedUnfairLock where State: Sendable {
    /// Makes a lock around a state.
    public init(initialState: State) {
        self.init(uncheckedState: initialState)
    }
}

extension OSAllocatedUnfairLock where State == Void {
    /// Makes a lock around nothing.
    public init() {
        self.init(uncheckedState: ())
    }

    /// Takes the lock.
    public func lock() {
        storage.lock.lock()
    }

    /// Gives the lock back, on the thread that took it.
    public func unlock() {
        storage.lock.unlock()
    }

    /// Takes the lock, unless somebody holds it.
    ///
    /// - Returns: Whether it was taken.
    public func lockIfAvailable() -> Bool {
        storage.lock.try()
    }

    /// Runs a closure while the lock is held.
    public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }
}

// Protected by the lock in the storage.
extension OSAllocatedUnfairLock: @unchecked Sendable {}
