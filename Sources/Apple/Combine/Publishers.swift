// SPDX-License-Identifier: MIT

public import Foundation

/// Sends one value and ends.
public struct Just<Output>: Publisher {
    /// It does not fail.
    public typealias Failure = Never

    /// What it sends.
    public let output: Output

    /// Makes a publisher of one value.
    public init(_ output: Output) {
        self.output = output
    }

    /// Subscribes.
    public func attach(_ receiver: Receiver<Output, Never>) -> AnyCancellable {
        receiver.value(output)
        receiver.completion(.finished)
        return AnyCancellable {}
    }
}

/// Sends nothing; ends at once unless told otherwise.
public struct Empty<Output, Failure: Error>: Publisher {
    private let completeImmediately: Bool

    /// Makes a publisher without values.
    public init(completeImmediately: Bool = true) {
        self.completeImmediately = completeImmediately
    }

    /// Subscribes.
    public func attach(_ receiver: Receiver<Output, Failure>) -> AnyCancellable {
        if completeImmediately { receiver.completion(.finished) }
        return AnyCancellable {}
    }
}

/// Fails at once.
public struct Fail<Output, Failure: Error>: Publisher {
    private let error: Failure

    /// Makes a publisher that fails.
    public init(error: Failure) {
        self.error = error
    }

    /// Subscribes.
    public func attach(_ receiver: Receiver<Output, Failure>) -> AnyCancellable {
        receiver.completion(.failure(error))
        return AnyCancellable {}
    }
}

/// Sends one value, or fails, when a closure says so.
public final class Future<Output, Failure: Error>: Publisher {
    /// Tells the result, once.
    public typealias Promise = (Result<Output, Failure>) -> Void

    private let conduits = Conduits<Output, Failure>()
    private var output: Output?

    /// Runs a closure at once; whoever subscribes gets the result that it tells.
    public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
        attemptToFulfill { result in
            switch result {
            case .success(let value):
                guard self.conduits.withLock({ self.output == nil }) else { return }
                self.conduits.send(value) { self.output = value }
                self.conduits.finish(.finished)
            case .failure(let error): self.conduits.finish(.failure(error))
            }
        }
    }

    /// Subscribes.
    public func attach(_ receiver: Receiver<Output, Failure>) -> AnyCancellable {
        guard let output = conduits.withLock({ output }) else { return conduits.attach(receiver) }
        receiver.value(output)
        receiver.completion(.finished)
        return AnyCancellable {}
    }
}

extension NotificationCenter {
    /// Sends each notification of a name; an object limits it to those that the object posts.
    public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> AnyPublisher<Notification, Never> {
        let sender = Box(object)
        return AnyPublisher { receiver in
            let conduit = Conduit(receiver)
            let line = NotificationLine(conduit)
            let token = self.addObserver(forName: name, object: sender.value, queue: nil) { line.send($0) }
            return AnyCancellable {
                self.removeObserver(token)
                conduit.cancel()
            }
        }
    }
}

/// Lets notifications of any thread into a subscription.
private struct NotificationLine {
    private let conduit: Conduit<Notification, Never>

    init(_ conduit: Conduit<Notification, Never>) {
        self.conduit = conduit
    }

    func send(_ notification: Notification) {
        conduit.send(notification)
    }
}

// The conduit has locks.
extension NotificationLine: @unchecked Sendable {}
