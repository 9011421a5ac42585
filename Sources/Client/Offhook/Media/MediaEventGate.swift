// SPDX-License-Identifier: MIT

import Foundation

/// The events of one media session, until the session is closed; for media engines.
///
/// An engine's own threads say events while Offhook closes the session on another. A mark alone does not keep clause M3
/// of ``MediaContract``: the event that passed it arrives after `close()` has returned. So the gate waits: while an
/// event is being taken, ``close()`` does not return, except on the thread that takes it.
///
/// - Isolation: any thread
public final class MediaEventGate {
    private let lock = NSRecursiveLock()
    private let events: @Sendable (MediaEvent) -> Void
    private var isShut = false

    /// Makes an open gate.
    ///
    /// - Parameter events: What ``MediaEngine/makeSession(_:events:)`` was given.
    public init(_ events: @escaping @Sendable (MediaEvent) -> Void) {
        self.events = events
    }

    /// Whether ``close()`` was called.
    public var isClosed: Bool {
        lock.lock()
        defer { lock.unlock() }
        return isShut
    }

    /// Says an event; after ``close()`` it does nothing.
    public func send(_ event: MediaEvent) {
        lock.lock()
        defer { lock.unlock() }
        if !isShut { events(event) }
    }

    /// Ends the events; a second call does no harm.
    ///
    /// When this returns no event is being taken, and none follows.
    public func close() {
        lock.lock()
        defer { lock.unlock() }
        isShut = true
    }
}

// Protected by `lock`.
extension MediaEventGate: @unchecked Sendable {}
