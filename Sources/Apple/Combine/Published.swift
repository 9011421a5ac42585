// SPDX-License-Identifier: MIT

import Foundation

/// A property of a class that sends its value before it changes; `$name` is the publisher.
///
/// In an ``ObservableObject`` a change sends `objectWillChange` first.
@propertyWrapper
public struct Published<Value> {
    /// Sends the property's value now, and each new value before it is stored.
    public struct Publisher: Combine.Publisher {
        /// The property's values.
        public typealias Output = Value
        /// It does not fail.
        public typealias Failure = Never

        let storage: PublishedStorage<Value>

        /// Subscribes.
        public func attach(_ receiver: Receiver<Value, Never>) -> AnyCancellable {
            storage.attach(receiver)
        }
    }

    private var storage: PublishedStorage<Value>

    /// Makes a property with its first value.
    public init(wrappedValue: Value) {
        storage = PublishedStorage(wrappedValue)
    }

    /// Makes a property with its first value.
    public init(initialValue: Value) {
        self.init(wrappedValue: initialValue)
    }

    /// The publisher of the property's values.
    public var projectedValue: Publisher {
        get { Publisher(storage: storage) }
        set { storage = newValue.storage }
    }

    /// Only for properties of classes.
    @available(*, unavailable, message: "@Published is only available on properties of classes")
    public var wrappedValue: Value {
        get { storage.value }
        set { storage.value = newValue }
    }

    /// What the compiler calls for the property of an object.
    public static subscript<EnclosingSelf: AnyObject>(
        _enclosingInstance object: EnclosingSelf,
        wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
        storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
    ) -> Value {
        get { object[keyPath: storageKeyPath].storage.value }
        set {
            let storage = object[keyPath: storageKeyPath].storage
            storage.set(newValue, of: object)
        }
    }
}

// The storage has a lock.
extension Published: @unchecked Sendable where Value: Sendable {}
extension Published.Publisher: @unchecked Sendable where Value: Sendable {}

/// The value of a property that is `@Published`, and those who watch it.
final class PublishedStorage<Value> {
    private let conduits = Conduits<Value, Never>()
    private var current: Value
    /// What is being sent, and not stored yet: a new subscriber gets it.
    private var incoming: Value?
    private weak var owner: AnyObject?
    private var sources: [AnyCancellable] = []

    init(_ value: Value) {
        current = value
    }

    var value: Value {
        get { conduits.withLock { current } }
        set { set(newValue, of: nil) }
    }

    /// objectWillChange first, then the new value to those who watch, then the change (as in Combine).
    func set(_ value: Value, of object: AnyObject?) {
        let object = conduits.withLock {
            if let object { owner = object }
            return object ?? owner
        }
        if let object = object as? any ObservableObject { PublishedStorage.announce(object) }
        conduits.send(value) { incoming = value }
        conduits.withLock {
            current = value
            incoming = nil
        }
    }

    private static func announce<Object: ObservableObject>(_ object: Object) {
        switch object.objectWillChange {
        case let publisher as ObservableObjectPublisher: publisher.send()
        case let subject as PassthroughSubject<Void, Never>: subject.send()
        default: break
        }
    }

    func attach(_ receiver: Receiver<Value, Never>) -> AnyCancellable {
        conduits.attach(receiver) { incoming ?? current }
    }

    /// Takes the values of a publisher, as long as the property lives.
    func follow<Source: Publisher>(_ source: Source) where Source.Output == Value, Source.Failure == Never {
        let source = source.sink { [weak self] in self?.value = $0 }
        conduits.withLock { sources.append(source) }
    }
}
