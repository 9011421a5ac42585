// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire

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

extension Store {
    /// Adds a user, or changes name and handle of a known one.
    func save(_ user: StoredUser) throws(SQLiteDatabase.Failure) {
        try database.run(
            """
            INSERT INTO user (id, name, handle_kind, handle) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, handle_kind = excluded.handle_kind,
                handle = excluded.handle
            WHERE name <> excluded.name OR handle_kind <> excluded.handle_kind OR handle <> excluded.handle
            """,
            [.text(user.id), .text(user.name), .text(user.handle.kind.rawValue), .text(user.handle.value)])
    }

    func user(_ id: String) throws(SQLiteDatabase.Failure) -> StoredUser? {
        var found: StoredUser?
        try database.run("SELECT id, name, handle_kind, handle FROM user WHERE id = ?", [.text(id)]) { row in
            found = Store.user(row)
        }
        return found
    }

    /// The user behind a handle; a generic handle is also the user's id.
    func user(at handle: Handle) throws(SQLiteDatabase.Failure) -> StoredUser? {
        var found: StoredUser?
        try database.run(
            "SELECT id, name, handle_kind, handle FROM user WHERE handle_kind = ? AND handle = ? ORDER BY id LIMIT 1",
            [.text(handle.kind.rawValue), .text(handle.value)]
        ) { row in found = Store.user(row) }
        if found == nil, handle.kind == .generic { return try user(handle.value) }
        return found
    }

    /// The users behind an id in the order of ids, without one, and whether each has a device with a push token.
    func users(
        after id: String, without user: String, limit: Int
    ) throws(SQLiteDatabase.Failure) -> [(user: StoredUser, hasToken: Bool)] {
        var found: [(user: StoredUser, hasToken: Bool)] = []
        try database.run(
            """
            SELECT id, name, handle_kind, handle,
                EXISTS (SELECT 1 FROM device WHERE device.user = user.id AND token IS NOT NULL)
            FROM user WHERE id > ? AND id <> ? ORDER BY id LIMIT ?
            """,
            [.text(id), .text(user), .integer(Int64(limit))]
        ) { row in found.append((Store.user(row), row.integer(4) == 1)) }
        return found
    }

    private static func user(_ row: SQLiteRow) -> StoredUser {
        StoredUser(
            id: row.text(0) ?? "", name: row.text(1) ?? "",
            handle: Handle(
                kind: Handle.Kind(rawValue: row.text(2) ?? "") ?? .generic, value: row.text(3) ?? ""))
    }

    /// Notes that a device of a user exists.
    func saveDevice(_ party: BrokerParty, seenAt: Instant) throws(SQLiteDatabase.Failure) {
        try database.run(
            """
            INSERT INTO device (user, device, seen_at) VALUES (?, ?, ?)
            ON CONFLICT (user, device) DO UPDATE SET seen_at = excluded.seen_at
            """,
            [.text(party.user), .text(party.device), .integer(seenAt.milliseconds)])
    }

    /// Gives a push token to a device; it belongs to its last registrant alone (R107).
    func register(
        _ push: PushRegistration, for party: BrokerParty, seenAt: Instant
    ) throws(SQLiteDatabase.Failure) {
        let database = database
        try database.transaction { () throws(SQLiteDatabase.Failure) in
            try database.run(
                """
                UPDATE device SET token = NULL, environment = NULL, bundle = NULL
                WHERE token = ? AND NOT (user = ? AND device = ?)
                """,
                [.text(push.token), .text(party.user), .text(party.device)])
            try database.run(
                """
                INSERT INTO device (user, device, token, environment, bundle, token_at, seen_at)
                VALUES (?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (user, device) DO UPDATE SET token = excluded.token, environment = excluded.environment,
                    bundle = excluded.bundle, token_at = excluded.token_at, seen_at = excluded.seen_at
                """,
                [
                    .text(party.user), .text(party.device), .text(push.token), .text(push.environment.rawValue),
                    .text(push.bundle), .integer(seenAt.milliseconds), .integer(seenAt.milliseconds),
                ])
        }
    }

    /// Takes the push token from a device.
    func unregister(_ party: BrokerParty) throws(SQLiteDatabase.Failure) {
        try database.run(
            "UPDATE device SET token = NULL, environment = NULL, bundle = NULL WHERE user = ? AND device = ?",
            [.text(party.user), .text(party.device)])
    }

    /// Forgets a token that APNs refused, unless the device has another one meanwhile, or registered the same one after
    /// APNs last knew it as dead (race 28).
    func forget(
        token: String, of party: BrokerParty, registeredBefore: Int64?
    ) throws(SQLiteDatabase.Failure) {
        try database.run(
            """
            UPDATE device SET token = NULL, environment = NULL, bundle = NULL
            WHERE user = ? AND device = ? AND token = ? AND (? IS NULL OR token_at <= ?)
            """,
            [
                .text(party.user), .text(party.device), .text(token), SQLiteValue(registeredBefore),
                SQLiteValue(registeredBefore),
            ])
    }

    /// The devices of a user, in the order of their ids.
    func devices(of user: String) throws(SQLiteDatabase.Failure) -> [StoredDevice] {
        var devices: [StoredDevice] = []
        try database.run(
            "SELECT device, token, environment, bundle FROM device WHERE user = ? ORDER BY device", [.text(user)]
        ) { row in
            var push: PushRegistration?
            if let token = row.text(1), let bundle = row.text(3),
                let environment = PushRegistration.Environment(rawValue: row.text(2) ?? "")
            {
                push = PushRegistration(token: token, environment: environment, bundle: bundle)
            }
            devices.append(StoredDevice(device: row.text(0) ?? "", push: push))
        }
        return devices
    }
}
