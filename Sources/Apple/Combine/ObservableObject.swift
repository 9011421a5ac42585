// SPDX-License-Identifier: MIT

import Foundation

/// An object that tells when it is about to change.
public protocol ObservableObject: AnyObject {
    /// The kind of publisher that tells.
    associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
    where
        ObjectWillChangePublisher.Failure == Never

    /// Sends before each change of a property that is `@Published`.
    var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
    /// Sends before each change of a property that is `@Published`.
    public var objectWillChange: ObservableObjectPublisher {
        WillChangePublishers.publisher(of: self)
    }
}

/// Tells that an object is about to change.
public final class ObservableObjectPublisher: Publisher {
    private let conduits = Conduits<Void, Never>()

    /// Makes a publisher.
    public init() {}

    /// Tells it.
    public func send() {
        conduits.send(())
    }

    /// Subscribes.
    public func attach(_ receiver: Receiver<Void, Never>) -> AnyCancellable {
        conduits.attach(receiver)
    }
}

// Its subscriptions are behind a lock.
extension ObservableObjectPublisher: @unchecked Sendable {}

/// The publishers of the objects that declare none of their own.
private final class WillChangePublishers {
    private struct Entry {
        weak var object: AnyObject?
        let publisher: ObservableObjectPublisher
    }

    private static let shared = WillChangePublishers()
    private let lock = NSLock()
    private var entries: [ObjectIdentifier: Entry] = [:]
    private var sweepAt = 64

    static func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        shared.publisher(of: object)
    }

    private func publisher(of object: AnyObject) -> ObservableObjectPublisher {
        lock.withLock {
            // Another object may have lived at the same address before.
            if let entry = entries[ObjectIdentifier(object)], entry.object === object { return entry.publisher }
            if entries.count >= sweepAt {
                entries = entries.filter { $0.value.object != nil }
                sweepAt = max(64, entries.count * 2)
            }
            let publisher = ObservableObjectPublisher()
            entries[ObjectIdentifier(object)] = Entry(object: object, publisher: publisher)
            return publisher
        }
    }
}

// Protected by `lock`.
extension WillChangePublishers: @unchecked Sendable {}
