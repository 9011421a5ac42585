// SPDX-License-Identifier: MIT

import Combine
import Foundation
import Testing

private final class Model: ObservableObject {
    @Published var name = "a"
    @Published var count = 0
    let plain = 1
}

private final class Child: ObservableObject {
    @Published private(set) var title = ""
    private var cancellables = Set<AnyCancellable>()

    init(_ model: Model) {
        model.$name.map { $0.uppercased() }.removeDuplicates()
            .sink { [weak self] in self?.title = $0 }
            .store(in: &cancellables)
    }
}

private enum Failed: Error { case once }

@Suite struct CombineTests {
    @Test func passthroughSendsInOrderToThoseWhoAreSubscribed() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [String] = []
        subject.send(0)
        let first = subject.sink { seen.append("first \($0)") }
        let second = subject.sink { seen.append("second \($0)") }
        subject.send(1)
        first.cancel()
        subject.send(2)
        withExtendedLifetime(second) {}
        #expect(seen == ["first 1", "second 1", "second 2"])
    }

    @Test func currentValueComesFirst() {
        let subject = CurrentValueSubject<Int, Never>(1)
        var seen: [Int] = []
        let subscription = subject.sink { seen.append($0) }
        subject.value = 2
        subject.send(3)
        withExtendedLifetime(subscription) {}
        #expect(seen == [1, 2, 3] && subject.value == 3)
    }

    @Test func releasedSubscriptionHearsNothing() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        var subscriptions = Set<AnyCancellable>()
        subject.sink { seen.append($0) }.store(in: &subscriptions)
        subject.send(1)
        subscriptions.removeAll()
        subject.send(2)
        _ = subject.sink { seen.append($0 * 10) }
        subject.send(3)
        #expect(seen == [1])
    }

    @Test func endComesOnceAndLast() {
        let subject = PassthroughSubject<Int, Failed>()
        var seen: [String] = []
        let subscription = subject.sink(
            receiveCompletion: { seen.append("\($0)") }, receiveValue: { seen.append("\($0)") })
        subject.send(1)
        subject.send(completion: .failure(.once))
        subject.send(2)
        subject.send(completion: .finished)
        let late = subject.sink(receiveCompletion: { seen.append("late \($0)") }, receiveValue: { _ in })
        withExtendedLifetime((subscription, late)) {}
        #expect(
            seen
                == ["1", "failure(\(Failed.once))", "late failure(\(Failed.once))"].map { text in
                    text.replacingOccurrences(
                        of: "failure(once)", with: "\(Subscribers.Completion<Failed>.failure(.once))")
                })
    }

    @Test func cancellingInsideADeliveryStopsTheNext() {
        let subject = PassthroughSubject<Int, Never>()
        var seen: [Int] = []
        var subscription: AnyCancellable?
        subscription = subject.sink {
            seen.append($0)
            subscription?.cancel()
        }
        subject.send(1)
        subject.send(2)
        #expect(seen == [1])
    }

    @Test func publishedTellsBeforeTheChange() {
        let model = Model()
        var seen: [String] = []
        var subscriptions = Set<AnyCancellable>()
        model.objectWillChange.sink { seen.append("will change, is \(model.name)") }.store(in: &subscriptions)
        model.$name.sink { seen.append("\($0), is \(model.name)") }.store(in: &subscriptions)
        model.name = "b"
        model.count = 1
        #expect(
            seen == ["a, is a", "will change, is a", "b, is a", "will change, is b"] && model.name == "b")
    }

    @Test func objectsHaveTheirOwnPublishers() {
        var models = (0..<200).map { _ in Model() }
        var changes = 0
        let subscription = models[7].objectWillChange.sink { changes += 1 }
        for model in models { model.count += 1 }
        let kept = models[7]
        models = []
        for _ in 0..<200 { Model().count += 1 }
        kept.count += 1
        withExtendedLifetime(subscription) {}
        #expect(changes == 2)
    }

    @Test func viewModelFollowsAModel() {
        let model = Model()
        let child = Child(model)
        var changes = 0
        let subscription = child.objectWillChange.sink { changes += 1 }
        model.name = "b"
        model.name = "B"
        withExtendedLifetime(subscription) {}
        #expect(child.title == "B" && changes == 1)
    }

    @Test func assignFollowsAsLongAsThePropertyLives() {
        let subject = PassthroughSubject<Int, Never>()
        let model = Model()
        subject.assign(to: &model.$count)
        subject.send(5)
        #expect(model.count == 5)
    }

    @Test func operators() {
        let numbers = PassthroughSubject<Int, Never>()
        let letters = CurrentValueSubject<String, Never>("x")
        var seen: [String] = []
        var subscriptions = Set<AnyCancellable>()
        numbers.filter { $0 > 1 }.compactMap { $0 == 3 ? nil : $0 * 2 }.dropFirst()
            .sink { seen.append("even \($0)") }.store(in: &subscriptions)
        numbers.combineLatest(letters).map { "\($0)\($1)" }.sink { seen.append($0) }.store(in: &subscriptions)
        numbers.first { $0 == 2 }
            .sink(receiveCompletion: { _ in seen.append("first ended") }, receiveValue: { seen.append("first \($0)") })
            .store(in: &subscriptions)
        Just(9).merge(with: numbers.prefix(1)).scan(0, +).sink { seen.append("sum \($0)") }.store(in: &subscriptions)
        for number in 1...4 { numbers.send(number) }
        letters.send("y")
        #expect(
            seen == [
                "sum 9", "1x", "sum 10", "2x", "first 2", "first ended", "3x", "even 8", "4x", "4y",
            ])
    }

    @Test func receiveOnAQueueKeepsTheOrder() async {
        let subject = PassthroughSubject<Int, Never>()
        var subscriptions = Set<AnyCancellable>()
        let seen: [Int] = await withCheckedContinuation { continuation in
            var seen: [Int] = []
            subject.receive(on: DispatchQueue.global()).sink(
                receiveCompletion: { _ in continuation.resume(returning: seen) }, receiveValue: { seen.append($0) }
            ).store(in: &subscriptions)
            for number in 0..<1000 { subject.send(number) }
            subject.send(completion: .finished)
        }
        #expect(seen == Array(0..<1000))
    }

    @Test func sendersOfManyThreadsLoseNothing() {
        let subject = CurrentValueSubject<Int, Never>(0)
        nonisolatedCounting(subject)
    }

    private func nonisolatedCounting(_ subject: CurrentValueSubject<Int, Never>) {
        struct Sender: @unchecked Sendable {
            // The subject has locks.
            let subject: CurrentValueSubject<Int, Never>
        }
        let sender = Sender(subject: subject)
        var count = 0
        let subscription = subject.dropFirst().sink { _ in count += 1 }
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<500 { sender.subject.send(1) }
        }
        withExtendedLifetime(subscription) {}
        #expect(count == 4000)
    }

    @Test func notificationsAreValues() {
        let center = NotificationCenter()
        var seen = 0
        let subscription = center.publisher(for: Notification.Name("x")).sink { _ in seen += 1 }
        center.post(name: Notification.Name("x"), object: nil)
        subscription.cancel()
        center.post(name: Notification.Name("x"), object: nil)
        #expect(seen == 1)
    }
}
