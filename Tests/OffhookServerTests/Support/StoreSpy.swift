// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire

@testable import OffhookServer

/// A store that tells a test of its commits, or fails as it is told.
final class StoreSpy: Store {
    /// What a test wants of the store; used on the server's thread and the test's.
    final class Orders: Sendable {
        private let failure = Guarded<StoreFailure?>(nil)
        /// Told on the server's thread after every commit of changes.
        let committed: @Sendable () -> Void

        init(committed: @escaping @Sendable () -> Void = {}) {
            self.committed = committed
        }

        /// From now on every commit of changes fails so; nil: none.
        func fail(_ failure: StoreFailure?) {
            self.failure.withLock { $0 = failure }
        }

        var now: StoreFailure? { failure.withLock { $0 } }
    }

    private let store: SQLiteStore
    private let orders: Orders

    init(_ configuration: ServerConfiguration, _ orders: Orders) throws(ServerError) {
        store = try SQLiteStore(path: configuration.database, fullSync: false)
        self.orders = orders
    }

    var path: String { store.path }
    var hasChanges: Bool { store.hasChanges }

    func commit() throws(StoreFailure) {
        guard store.hasChanges else { return }
        if let failure = orders.now {
            store.rollBack()
            throw failure
        }
        try store.commit()
        orders.committed()
    }

    func release() { store.release() }
    func save(_ user: StoredUser) throws(StoreFailure) { try store.save(user) }
    func user(_ id: String) throws(StoreFailure) -> StoredUser? { try store.user(id) }
    func user(at handle: Handle) throws(StoreFailure) -> StoredUser? { try store.user(at: handle) }
    func users(
        after id: String, without user: String, limit: Int
    ) throws(StoreFailure) -> [(user: StoredUser, hasToken: Bool)] {
        try store.users(after: id, without: user, limit: limit)
    }
    func isBlocked(_ caller: String, by user: String) throws(StoreFailure) -> Bool {
        try store.isBlocked(caller, by: user)
    }
    func setBlocked(_ blocked: Bool, _ caller: String, by user: String) throws(StoreFailure) {
        try store.setBlocked(blocked, caller, by: user)
    }
    func saveDevice(_ party: BrokerParty, seenAt: Instant, limit: Int) throws(StoreFailure) {
        try store.saveDevice(party, seenAt: seenAt, limit: limit)
    }
    func register(_ push: PushRegistration, for party: BrokerParty, seenAt: Instant) throws(StoreFailure) {
        try store.register(push, for: party, seenAt: seenAt)
    }
    func unregister(_ party: BrokerParty) throws(StoreFailure) { try store.unregister(party) }
    func forget(token: String, of party: BrokerParty, registeredBefore: Int64?) throws(StoreFailure) {
        try store.forget(token: token, of: party, registeredBefore: registeredBefore)
    }
    func devices(of user: String) throws(StoreFailure) -> [StoredDevice] { try store.devices(of: user) }
    func save(_ machine: BrokerMachine) throws(StoreFailure) { try store.save(machine) }
    func call(_ call: CallID) throws(StoreFailure) -> BrokerMachine? { try store.call(call) }
    func liveCalls() throws(StoreFailure) -> (calls: [BrokerMachine], unreadable: Int) { try store.liveCalls() }
    func removeCalls(endedBefore: Instant, limit: Int) throws(StoreFailure) -> Int {
        try store.removeCalls(endedBefore: endedBefore, limit: limit)
    }
    func setting(_ name: String, orElse make: () -> String) throws(StoreFailure) -> String {
        try store.setting(name, orElse: make)
    }
}
