// SPDX-License-Identifier: MIT

import Foundation

/// One subscription of a subject: delivers one value at a time, and none after its end.
final class Conduit<Output, Failure: Error> {
    /// Held while a value is delivered; the subscriber may send, subscribe or cancel meanwhile.
    private let delivery = NSRecursiveLock()
    private let lock = NSLock()
    private var receiver: Receiver<Output, Failure>?

    init(_ receiver: Receiver<Output, Failure>) {
        self.receiver = receiver
    }

    private var current: Receiver<Output, Failure>? {
        lock.withLock { receiver }
    }

    /// Runs a closure before which nothing is delivered.
    func first(_ body: () -> Void) {
        delivery.lock()
        defer { delivery.unlock() }
        body()
    }

    func send(_ value: Output) {
        delivery.lock()
        defer { delivery.unlock() }
        current?.value(value)
    }

    func finish(_ completion: Subscribers.Completion<Failure>) {
        delivery.lock()
        defer { delivery.unlock() }
        let receiver = lock.withLock {
            defer { self.receiver = nil }
            return self.receiver
        }
        receiver?.completion(completion)
    }

    func cancel() {
        // What the closures hold is released outside the lock.
        let receiver = lock.withLock {
            defer { self.receiver = nil }
            return self.receiver
        }
        withExtendedLifetime(receiver) {}
    }
}

/// The subscriptions of a subject, in the order they were made.
final class Conduits<Output, Failure: Error> {
    private let lock = NSLock()
    private var conduits: [Conduit<Output, Failure>] = []
    private var end: Subscribers.Completion<Failure>?

    /// Adds a subscription; `start` runs at the same moment, and gives what is delivered first.
    func attach(_ receiver: Receiver<Output, Failure>, start: () -> Output? = { nil }) -> AnyCancellable {
        let conduit = Conduit(receiver)
        conduit.first {
            let (end, value) = lock.withLock {
                if self.end == nil { conduits.append(conduit) }
                return (self.end, self.end == nil ? start() : nil)
            }
            if let value { conduit.send(value) }
            if let end { conduit.finish(end) }
        }
        return AnyCancellable {
            conduit.cancel()
            self.lock.withLock { self.conduits.removeAll { $0 === conduit } }
        }
    }

    /// Sends a value to those who are subscribed now; `store` runs at the same moment.
    func send(_ value: Output, store: () -> Void = {}) {
        let receivers = lock.withLock {
            guard end == nil else { return [Conduit<Output, Failure>]() }
            store()
            return conduits
        }
        for conduit in receivers { conduit.send(value) }
    }

    func finish(_ completion: Subscribers.Completion<Failure>) {
        let receivers = lock.withLock {
            guard end == nil else { return [Conduit<Output, Failure>]() }
            end = completion
            defer { conduits = [] }
            return conduits
        }
        for conduit in receivers { conduit.finish(completion) }
    }

    /// Reads or changes what `start` and `store` read and change.
    func withLock<Result>(_ body: () -> Result) -> Result {
        lock.withLock(body)
    }
}
