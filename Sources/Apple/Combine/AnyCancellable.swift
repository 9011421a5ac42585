// SPDX-License-Identifier: MIT

import Foundation

/// Something that can be ended.
public protocol Cancellable {
    /// Ends it.
    func cancel()
}

extension Cancellable {
    /// Keeps it in a set.
    public func store(in set: inout Set<AnyCancellable>) {
        AnyCancellable(self).store(in: &set)
    }
}

/// A subscription: ends when it is cancelled or released.
public final class AnyCancellable: Cancellable, Hashable {
    private let lock = NSLock()
    private var action: (() -> Void)?

    /// Makes one that calls a closure when it ends, once.
    public init(_ cancel: @escaping () -> Void) {
        action = cancel
    }

    /// Makes one that ends another.
    public init<Other: Cancellable>(_ canceller: Other) {
        action = canceller.cancel
    }

    deinit {
        cancel()
    }

    /// Ends the subscription: nothing that is sent from now on arrives.
    public func cancel() {
        let action = lock.withLock {
            defer { self.action = nil }
            return self.action
        }
        action?()
    }

    /// Keeps it in a set.
    public func store(in set: inout Set<AnyCancellable>) {
        set.insert(self)
    }

    /// Keeps it in a collection.
    public func store<Collection: RangeReplaceableCollection>(
        in collection: inout Collection
    ) where Collection.Element == AnyCancellable {
        collection.append(self)
    }

    /// Whether it is the same object.
    public static func == (left: AnyCancellable, right: AnyCancellable) -> Bool {
        left === right
    }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
