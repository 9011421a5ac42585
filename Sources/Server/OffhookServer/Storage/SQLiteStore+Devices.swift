// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookWire

extension SQLiteStore {
    /// Adds a user, or changes name and handle of a known one.
    func save(_ user: StoredUser) throws(StoreFailure) {
        try change(
            """
            INSERT INTO user (id, name, handle_kind, handle) VALUES (?, ?, ?, ?)
            ON CONFLICT (id) DO UPDATE SET name = excluded.name, handle_kind = excluded.handle_kind,
                handle = excluded.handle
            WHERE name <> excluded.name OR handle_kind <> excluded.handle_kind OR handle <> excluded.handle
            """,
            [.text(user.id), .text(user.name), .text(user.handle.kind.rawValue), .text(user.handle.value)])
    }

    func user(_ id: String) throws(StoreFailure) -> StoredUser? {
        var found: StoredUser?
        try database.run("SELECT id, name, handle_kind, handle FROM user WHERE id = ?", [.text(id)]) { row in
            found = SQLiteStore.user(row)
        }
        return found
    }

    /// The user behind a handle; a generic handle is also the user's id.
    func user(at handle: Handle) throws(StoreFailure) -> StoredUser? {
        var found: StoredUser?
        try database.run(
            "SELECT id, name, handle_kind, handle FROM user WHERE handle_kind = ? AND handle = ? ORDER BY id LIMIT 1",
            [.text(handle.kind.rawValue), .text(handle.value)]
        ) { row in found = SQLiteStore.user(row) }
        if found == nil, handle.kind == .generic { return try user(handle.value) }
        return found
    }

    /// The users behind an id in the order of ids, without one, and whether each has a device with a push token.
    func users(
        after id: String, without user: String, limit: Int
    ) throws(StoreFailure) -> [(user: StoredUser, hasToken: Bool)] {
        var found: [(user: StoredUser, hasToken: Bool)] = []
        try database.run(
            """
            SELECT id, name, handle_kind, handle,
                EXISTS (SELECT 1 FROM device WHERE device.user = user.id AND token IS NOT NULL)
            FROM user WHERE id > ? AND id <> ? ORDER BY id LIMIT ?
            """,
            [.text(id), .text(user), .integer(Int64(limit))]
        ) { row in found.append((SQLiteStore.user(row), row.integer(4) == 1)) }
        return found
    }

    private static func user(_ row: SQLiteRow) -> StoredUser {
        StoredUser(
            id: row.text(0) ?? "", name: row.text(1) ?? "",
            handle: Handle(
                kind: Handle.Kind(rawValue: row.text(2) ?? "") ?? .generic, value: row.text(3) ?? ""))
    }

    func saveDevice(_ party: BrokerParty, seenAt: Instant, limit: Int) throws(StoreFailure) {
        try change(
            """
            INSERT INTO device (user, device, seen_at) VALUES (?, ?, ?)
            ON CONFLICT (user, device) DO UPDATE SET seen_at = excluded.seen_at
            """,
            [.text(party.user), .text(party.device), .integer(seenAt.milliseconds)])
        try change(
            """
            DELETE FROM device WHERE user = ? AND device <> ? AND device NOT IN (
                SELECT device FROM device WHERE user = ? AND device <> ? ORDER BY seen_at DESC, device LIMIT ?)
            """,
            [
                .text(party.user), .text(party.device), .text(party.user), .text(party.device),
                .integer(Int64(limit - 1)),
            ])
    }

    /// Gives a push token to a device; it belongs to its last registrant alone (R107).
    func register(
        _ push: PushRegistration, for party: BrokerParty, seenAt: Instant
    ) throws(StoreFailure) {
        try write { () throws(StoreFailure) in
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
    func unregister(_ party: BrokerParty) throws(StoreFailure) {
        try change(
            "UPDATE device SET token = NULL, environment = NULL, bundle = NULL WHERE user = ? AND device = ?",
            [.text(party.user), .text(party.device)])
    }

    /// Forgets a token that APNs refused, unless the device has another one meanwhile, or registered the same one after
    /// APNs last knew it as dead (race 28).
    func forget(
        token: String, of party: BrokerParty, registeredBefore: Int64?
    ) throws(StoreFailure) {
        try change(
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
    func devices(of user: String) throws(StoreFailure) -> [StoredDevice] {
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

    func isBlocked(_ caller: String, by user: String) throws(StoreFailure) -> Bool {
        var found = false
        try database.run("SELECT 1 FROM block WHERE user = ? AND caller = ?", [.text(user), .text(caller)]) { _ in
            found = true
        }
        return found
    }

    func setBlocked(_ blocked: Bool, _ caller: String, by user: String) throws(StoreFailure) {
        try change(
            blocked
                ? "INSERT OR IGNORE INTO block (user, caller) VALUES (?, ?)"
                : "DELETE FROM block WHERE user = ? AND caller = ?", [.text(user), .text(caller)])
    }

    /// One statement that writes.
    func change(_ sql: String, _ values: [SQLiteValue]) throws(StoreFailure) {
        try write { () throws(StoreFailure) in try database.run(sql, values) }
    }
}
