// SPDX-License-Identifier: MIT

/// Sends values over time, then ends or fails.
///
/// There is no demand: a subscriber gets every value. So an app's own publishers and subscribers, which Apple's protocol
/// has `receive(subscriber:)` for, do not compile here; subjects, operators and `sink` are what there is.
public protocol Publisher<Output, Failure> {
    /// What it sends.
    associatedtype Output
    /// How it may fail; `Never` when it does not.
    associatedtype Failure: Error

    /// Subscribes.
    ///
    /// - Returns: Ends the subscription when cancelled or released.
    func attach(_ receiver: Receiver<Output, Failure>) -> AnyCancellable
}

/// Who subscribed: what becomes of values and of the end.
public struct Receiver<Input, Failure: Error> {
    /// Takes a value.
    public let value: (Input) -> Void
    /// Takes the end; afterwards nothing comes.
    public let completion: (Subscribers.Completion<Failure>) -> Void

    /// Describes a subscriber.
    public init(
        value: @escaping (Input) -> Void, completion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
        self.value = value
        self.completion = completion
    }
}

/// The names around subscribers.
public enum Subscribers {
    /// How a publisher ended.
    public enum Completion<Failure: Error> {
        /// It has nothing more.
        case finished
        /// It failed.
        case failure(Failure)
    }
}

extension Subscribers.Completion: Sendable {}
extension Subscribers.Completion: Equatable where Failure: Equatable {}
extension Subscribers.Completion: Hashable where Failure: Hashable {}

/// A publisher whose kind is not told.
public struct AnyPublisher<Output, Failure: Error>: Publisher {
    private let subscribe: (Receiver<Output, Failure>) -> AnyCancellable

    /// Hides a publisher's kind.
    public init<Source: Publisher>(_ publisher: Source) where Source.Output == Output, Source.Failure == Failure {
        subscribe = publisher.attach
    }

    init(_ subscribe: @escaping (Receiver<Output, Failure>) -> AnyCancellable) {
        self.subscribe = subscribe
    }

    /// Subscribes.
    public func attach(_ receiver: Receiver<Output, Failure>) -> AnyCancellable {
        subscribe(receiver)
    }
}

extension Publisher {
    /// The publisher without its kind.
    public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
        AnyPublisher(self)
    }

    /// Calls closures with each value and with the end.
    ///
    /// - Returns: Keep it: when it is released, nothing comes any more.
    public func sink(
        receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
        receiveValue: @escaping (Output) -> Void
    ) -> AnyCancellable {
        attach(Receiver(value: receiveValue, completion: receiveCompletion))
    }
}

extension Publisher where Failure == Never {
    /// Calls a closure with each value.
    ///
    /// - Returns: Keep it: when it is released, nothing comes any more.
    public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
        attach(Receiver(value: receiveValue, completion: { _ in }))
    }

    /// Writes each value into a property of an object, which is retained.
    public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
        sink { object[keyPath: keyPath] = $0 }
    }

    /// Writes each value into a property that is `@Published`, as long as that lives.
    public func assign(to published: inout Published<Output>.Publisher) {
        published.storage.follow(self)
    }
}
