// SPDX-License-Identifier: MIT

import Foundation

// Each operator gives an AnyPublisher; Apple's have a type of their own each, which apps hardly name.

extension Publisher {
    /// Sends what a closure makes of each value.
    public func map<Result>(_ transform: @escaping (Output) -> Result) -> AnyPublisher<Result, Failure> {
        AnyPublisher { receiver in
            attach(Receiver(value: { receiver.value(transform($0)) }, completion: receiver.completion))
        }
    }

    /// Sends what a closure makes of each value, unless that is nil.
    public func compactMap<Result>(_ transform: @escaping (Output) -> Result?) -> AnyPublisher<Result, Failure> {
        AnyPublisher { receiver in
            attach(
                Receiver(
                    value: { if let result = transform($0) { receiver.value(result) } },
                    completion: receiver.completion))
        }
    }

    /// Sends the values that a closure accepts.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        compactMap { isIncluded($0) ? $0 : nil }
    }

    /// Sends a value unless it is the same as the one before.
    public func removeDuplicates(
        by predicate: @escaping (Output, Output) -> Bool
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { receiver in
            let last = Box<Output?>(nil)
            return attach(
                Receiver(
                    value: { value in
                        if let last = last.value, predicate(last, value) { return }
                        last.value = value
                        receiver.value(value)
                    }, completion: receiver.completion))
        }
    }

    /// Sends what a closure makes of its last result and each value.
    public func scan<Result>(
        _ initialResult: Result, _ nextPartialResult: @escaping (Result, Output) -> Result
    ) -> AnyPublisher<Result, Failure> {
        AnyPublisher { receiver in
            let result = Box(initialResult)
            return attach(
                Receiver(
                    value: {
                        result.value = nextPartialResult(result.value, $0)
                        receiver.value(result.value)
                    }, completion: receiver.completion))
        }
    }

    /// Sends all but the first values.
    public func dropFirst(_ count: Int = 1) -> AnyPublisher<Output, Failure> {
        AnyPublisher { receiver in
            let left = Box(count)
            return attach(
                Receiver(
                    value: {
                        if left.value > 0 { left.value -= 1 } else { receiver.value($0) }
                    }, completion: receiver.completion))
        }
    }

    /// Sends so many values, then ends.
    public func prefix(_ maxLength: Int) -> AnyPublisher<Output, Failure> {
        AnyPublisher { receiver in
            let left = Box(maxLength)
            let end = Conduit(receiver)
            if maxLength <= 0 { end.finish(.finished) }
            return attach(
                Receiver(
                    value: {
                        guard left.value > 0 else { return }
                        left.value -= 1
                        end.send($0)
                        if left.value == 0 { end.finish(.finished) }
                    }, completion: end.finish)
            ).also(end.cancel)
        }
    }

    /// Sends the first value, then ends.
    public func first() -> AnyPublisher<Output, Failure> {
        prefix(1)
    }

    /// Sends the first value that a closure accepts, then ends.
    public func first(where predicate: @escaping (Output) -> Bool) -> AnyPublisher<Output, Failure> {
        filter(predicate).prefix(1)
    }

    /// Calls closures beside the subscriber.
    public func handleEvents(
        receiveOutput: ((Output) -> Void)? = nil,
        receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
    ) -> AnyPublisher<Output, Failure> {
        AnyPublisher { receiver in
            attach(
                Receiver(
                    value: {
                        receiveOutput?($0)
                        receiver.value($0)
                    },
                    completion: {
                        receiveCompletion?($0)
                        receiver.completion($0)
                    }))
        }
    }

    /// Sends a value in place of a failure.
    public func replaceError(with output: Output) -> AnyPublisher<Output, Never> {
        AnyPublisher { receiver in
            attach(
                Receiver(
                    value: receiver.value,
                    completion: {
                        if case .failure = $0 { receiver.value(output) }
                        receiver.completion(.finished)
                    }))
        }
    }
}

extension Publisher where Output: Equatable {
    /// Sends a value unless it is equal to the one before.
    public func removeDuplicates() -> AnyPublisher<Output, Failure> {
        removeDuplicates(by: ==)
    }
}

/// Something that a subscription keeps.
final class Box<Value> {
    var value: Value

    init(_ value: Value) {
        self.value = value
    }
}

extension AnyCancellable {
    /// Ends something besides.
    func also(_ body: @escaping () -> Void) -> AnyCancellable {
        AnyCancellable {
            body()
            self.cancel()
        }
    }
}
