// SPDX-License-Identifier: MIT

import Foundation

extension Publisher {
    /// Sends the values of both, in the order they come; ends when both have ended.
    public func merge<Other: Publisher>(with other: Other) -> AnyPublisher<Output, Failure>
    where Other.Output == Output, Other.Failure == Failure {
        AnyPublisher { receiver in
            let conduit = Conduit(receiver)
            let running = Box(2)
            let inner = Receiver<Output, Failure>(value: conduit.send) { completion in
                conduit.first { ended(completion, running, conduit) }
            }
            let both = [attach(inner), other.attach(inner)]
            return AnyCancellable {
                conduit.cancel()
                for one in both { one.cancel() }
            }
        }
    }

    /// Sends the last values of both, once both have one, whenever one of them sends.
    public func combineLatest<Other: Publisher>(_ other: Other) -> AnyPublisher<(Output, Other.Output), Failure>
    where Other.Failure == Failure {
        AnyPublisher { receiver in
            let conduit = Conduit(receiver)
            let running = Box(2)
            let left = Box<Output?>(nil)
            let right = Box<Other.Output?>(nil)
            let send = {
                if let left = left.value, let right = right.value { conduit.send((left, right)) }
            }
            let end: (Subscribers.Completion<Failure>) -> Void = { completion in
                conduit.first { ended(completion, running, conduit) }
            }
            let both = [
                attach(
                    Receiver(
                        value: { value in
                            conduit.first {
                                left.value = value
                                send()
                            }
                        }, completion: end)),
                other.attach(
                    Receiver(
                        value: { value in
                            conduit.first {
                                right.value = value
                                send()
                            }
                        }, completion: end)),
            ]
            return AnyCancellable {
                conduit.cancel()
                for one in both { one.cancel() }
            }
        }
    }

    /// Sends the last values of three, once all have one, whenever one of them sends.
    public func combineLatest<Second: Publisher, Third: Publisher>(
        _ second: Second, _ third: Third
    ) -> AnyPublisher<(Output, Second.Output, Third.Output), Failure>
    where Second.Failure == Failure, Third.Failure == Failure {
        combineLatest(second).combineLatest(third).map { ($0.0, $0.1, $1) }
    }
}

private func ended<Output, Failure: Error>(
    _ completion: Subscribers.Completion<Failure>, _ running: Box<Int>, _ conduit: Conduit<Output, Failure>
) {
    running.value -= 1
    if case .failure = completion { return conduit.finish(completion) }
    if running.value == 0 { conduit.finish(.finished) }
}
