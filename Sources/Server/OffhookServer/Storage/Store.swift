// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire

/// Why something could not be read or stored.
struct StoreFailure: Error {
    /// The store's own code; SQLite's extended result code in a ``SQLiteStore``.
    let code: Int32
    let message: String
}

/// A user whom the server knows.
struct StoredUser: Hashable {
    var id: String
    var name: String
    var handle: Handle
}

/// A device that has been seen, and its push token.
struct StoredDevice: Hashable {
    var device: String
    var push: PushRegistration?
}

/// What the server must not forget: users, devices with their push tokens, calls, settings of its own.
///
/// What is written counts when ``commit()`` has returned, and is seen by reads before. All calls come on the server's
/// thread. A failure of a write or a commit takes back everything since the last commit.
protocol Store: AnyObject {
    /// Where it is, for messages.
    var path: String { get }

    /// Whether something was written since the last commit.
    var hasChanges: Bool { get }
    /// Makes everything written since the last commit outlive the process, at once or not at all.
    func commit() throws(StoreFailure)
    /// Lets another server have it; nothing is read or written afterwards.
    func release()

    /// Adds a user, or changes name and handle of a known one.
    func save(_ user: StoredUser) throws(StoreFailure)
    /// A known user.
    func user(_ id: String) throws(StoreFailure) -> StoredUser?
    /// The user behind a handle; a generic handle is also the user's id.
    func user(at handle: Handle) throws(StoreFailure) -> StoredUser?
    /// The users behind an id in the order of ids, without one, and whether each has a device with a push token.
    func users(
        after id: String, without user: String, limit: Int
    ) throws(StoreFailure) -> [(user: StoredUser, hasToken: Bool)]
    /// Whether a user takes no calls from another (race 30).
    func isBlocked(_ caller: String, by user: String) throws(StoreFailure) -> Bool
    /// Sets whether a user takes no calls from another.
    func setBlocked(_ blocked: Bool, _ caller: String, by user: String) throws(StoreFailure)

    /// Notes that a device of a user exists; of more than `limit` devices the longest unseen are forgotten.
    func saveDevice(_ party: BrokerParty, seenAt: Instant, limit: Int) throws(StoreFailure)
    /// Gives a push token to a device; it belongs to its last registrant alone (R107).
    func register(_ push: PushRegistration, for party: BrokerParty, seenAt: Instant) throws(StoreFailure)
    /// Takes the push token from a device.
    func unregister(_ party: BrokerParty) throws(StoreFailure)
    /// Forgets a token that APNs refused, unless the device has another one meanwhile, or registered the same one after
    /// APNs last knew it as dead (race 28).
    func forget(token: String, of party: BrokerParty, registeredBefore: Int64?) throws(StoreFailure)
    /// The devices of a user, in the order of their ids.
    func devices(of user: String) throws(StoreFailure) -> [StoredDevice]

    /// Stores where a call is.
    func save(_ machine: BrokerMachine) throws(StoreFailure)
    /// A stored call; nil if there is none, or if its row cannot be read.
    func call(_ call: CallID) throws(StoreFailure) -> BrokerMachine?
    /// The calls that were not over when the server last wrote; rows that cannot be read are counted, not dropped.
    func liveCalls() throws(StoreFailure) -> (calls: [BrokerMachine], unreadable: Int)
    /// Removes records of calls that ended before a moment, at most so many; returns how many.
    func removeCalls(endedBefore: Instant, limit: Int) throws(StoreFailure) -> Int

    /// A setting that the server made for itself, such as its token secret.
    func setting(_ name: String, orElse make: () -> String) throws(StoreFailure) -> String
}
