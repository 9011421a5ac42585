// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// Takes a session's events from any thread and hands them to the engine queue, in order and in small batches.
///
/// Between two batches other work of the queue has its turn: an engine that floods delays a push by one batch at most.
final class MediaMailbox {
    /// How many events may wait; one more fails the session.
    static let limit = 1000
    /// How many events are handed over at once.
    static let batch = 32

    private let lock = NSLock()
    private let queue: DispatchQueue
    private let engine: String
    private let deliver: @Sendable (MediaEvent) -> Void
    private var events: [MediaEvent] = []
    private var isScheduled = false
    private var isClosed = false

    /// Makes an open mailbox; `deliver` is called on the queue.
    init(queue: DispatchQueue, engine: String, deliver: @escaping @Sendable (MediaEvent) -> Void) {
        self.queue = queue
        self.engine = engine
        self.deliver = deliver
    }

    /// Takes an event; never waits and never calls back.
    func put(_ event: MediaEvent) {
        let isFirst = locked {
            guard !isClosed else { return false }
            if events.count < MediaMailbox.limit {
                events.append(event)
            } else {
                isClosed = true
                let message = "\(engine) sent more than \(MediaMailbox.limit) events at once; it must send fewer."
                events = [.failed(MediaFailure(.engine, message))]
            }
            guard !isScheduled else { return false }
            isScheduled = true
            return true
        }
        if isFirst { schedule() }
    }

    /// Throws away what waits, and what will come (M3).
    func close() {
        locked {
            isClosed = true
            events = []
        }
    }

    private func schedule() {
        queue.async { self.handOver() }
    }

    private func handOver() {
        for _ in 0..<MediaMailbox.batch {
            guard let event = locked({ events.isEmpty ? nil : events.removeFirst() }) else { break }
            deliver(event)
        }
        let hasMore = locked {
            isScheduled = !events.isEmpty
            return isScheduled
        }
        if hasMore { schedule() }
    }

    private func locked<Result>(_ body: () -> Result) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return body()
    }
}

// Protected by `lock`.
extension MediaMailbox: @unchecked Sendable {}
