// SPDX-License-Identifier: MIT

/// A publisher that the app feeds.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
    /// Sends a value.
    func send(_ value: Output)
    /// Ends it; nothing is sent afterwards.
    func send(completion: Subscribers.Completion<Failure>)
}

extension Subject where Output == Void {
    /// Sends that something happened.
    public func send() {
        send(())
    }
}

/// Sends what it is given to those who are subscribed at that moment.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
    private let conduits = Conduits<Output, Failure>()

    /// Makes a subject.
    public init() {}

    /// Sends a value, to each subscriber in the order they came, before it returns.
    public func send(_ value: Output) {
        conduits.send(value)
    }

    /// Ends it.
    public func send(completion: Subscribers.Completion<Failure>) {
        conduits.finish(completion)
    }

    /// Subscribes.
    public func attach(_ receiver: Receiver<Output, Failure>) -> AnyCancellable {
        conduits.attach(receiver)
    }
}

/// Holds a value, and sends it first to each subscriber.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
    private let conduits = Conduits<Output, Failure>()
    private var current: Output

    /// Makes a subject with its first value.
    public init(_ value: Output) {
        current = value
    }

    /// The value; setting it sends it.
    public var value: Output {
        get { conduits.withLock { current } }
        set { send(newValue) }
    }

    /// Holds and sends a value.
    public func send(_ value: Output) {
        conduits.send(value) { current = value }
    }

    /// Ends it.
    public func send(completion: Subscribers.Completion<Failure>) {
        conduits.finish(completion)
    }

    /// Subscribes.
    public func attach(_ receiver: Receiver<Output, Failure>) -> AnyCancellable {
        conduits.attach(receiver) { current }
    }
}
