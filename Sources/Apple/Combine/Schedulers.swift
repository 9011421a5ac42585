// SPDX-License-Identifier: MIT

public import Dispatch
public import Foundation

/// Where and when code runs.
public protocol Scheduler {
    /// Runs a closure soon.
    func run(_ action: @escaping @Sendable () -> Void)
}

extension DispatchQueue: Scheduler {
    /// Runs a closure on the queue.
    public func run(_ action: @escaping @Sendable () -> Void) {
        async(execute: action)
    }
}

extension OperationQueue: Scheduler {
    /// Runs a closure on the queue; the main one is the main dispatch queue here.
    public func run(_ action: @escaping @Sendable () -> Void) {
        if self === OperationQueue.main { DispatchQueue.main.async(execute: action) } else { addOperation(action) }
    }
}

extension RunLoop: Scheduler {
    /// Runs a closure on the main dispatch queue: in a test on Linux no run loop runs.
    public func run(_ action: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async(execute: action)
    }
}

/// Runs closures at once.
public struct ImmediateScheduler: Scheduler, Sendable {
    /// The only one.
    public static let shared = ImmediateScheduler()

    /// Runs a closure at once.
    public func run(_ action: @escaping @Sendable () -> Void) {
        action()
    }
}

extension Publisher {
    /// Delivers values and the end on a queue, in their order.
    ///
    /// A queue that is not serial keeps the order too: one delivery follows the other.
    public func receive<Target: Scheduler>(on scheduler: Target) -> AnyPublisher<Output, Failure> {
        AnyPublisher { receiver in
            let line = Line(receiver)
            return attach(
                Receiver(
                    value: { value in line.add(.value(value), on: scheduler) },
                    completion: { completion in line.add(.end(completion), on: scheduler) })
            ).also(line.conduit.cancel)
        }
    }
}

/// What waits to be delivered elsewhere.
private final class Line<Output, Failure: Error> {
    enum Item {
        case value(Output)
        case end(Subscribers.Completion<Failure>)
    }

    let conduit: Conduit<Output, Failure>
    private let lock = NSLock()
    private var items: [Item] = []

    init(_ receiver: Receiver<Output, Failure>) {
        conduit = Conduit(receiver)
    }

    func add(_ item: Item, on scheduler: some Scheduler) {
        lock.withLock { items.append(item) }
        scheduler.run { self.deliverNext() }
    }

    private func deliverNext() {
        conduit.first {
            let item = lock.withLock { items.isEmpty ? nil : items.removeFirst() }
            switch item {
            case .value(let value): conduit.send(value)
            case .end(let completion): conduit.finish(completion)
            case nil: break
            }
        }
    }
}

// Protected by `lock`; the conduit has locks of its own.
extension Line: @unchecked Sendable {}
