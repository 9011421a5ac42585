// SPDX-License-Identifier: MIT

extension SQLiteStore {
    /// 'OFHK': marks the file as ours.
    static let applicationID: Int64 = 0x4F46_484B

    /// The schema this code reads and writes: the number of migrations.
    static var schemaVersion: Int64 { Int64(migrations.count) }

    /// What makes a database of version n one of version n + 1; never changed once released, only added to.
    private static let migrations = [
        """
        CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
        CREATE TABLE user (
            id TEXT PRIMARY KEY, name TEXT NOT NULL, handle_kind TEXT NOT NULL, handle TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX user_handle ON user (handle_kind, handle);
        CREATE TABLE device (
            user TEXT NOT NULL REFERENCES user (id), device TEXT NOT NULL, token TEXT UNIQUE,
            environment TEXT, bundle TEXT, token_at INTEGER, seen_at INTEGER NOT NULL,
            PRIMARY KEY (user, device)
        ) WITHOUT ROWID;
        CREATE TABLE call (
            id TEXT PRIMARY KEY, caller TEXT NOT NULL, caller_device TEXT NOT NULL, callee TEXT NOT NULL,
            state TEXT NOT NULL, created_at INTEGER NOT NULL, rang_at INTEGER, answered_at INTEGER,
            connected_at INTEGER, ended_at INTEGER, reason TEXT, answered_by TEXT, deadline INTEGER,
            machine TEXT NOT NULL
        ) WITHOUT ROWID;
        CREATE INDEX call_live ON call (state) WHERE state <> 'ended';
        """,
        """
        CREATE TABLE block (
            user TEXT NOT NULL, caller TEXT NOT NULL, PRIMARY KEY (user, caller)
        ) WITHOUT ROWID;
        CREATE INDEX call_ended ON call (ended_at) WHERE ended_at IS NOT NULL;
        """,
    ]

    /// Brings an older database, or an empty one, to this code's schema: all of it, or nothing.
    func migrate(from version: Int64) throws(StoreFailure) {
        let database = database
        try database.transaction { () throws(StoreFailure) in
            for migration in SQLiteStore.migrations.dropFirst(Int(version)) { try database.execute(migration) }
            try database.execute(
                """
                PRAGMA application_id = \(SQLiteStore.applicationID);
                PRAGMA user_version = \(SQLiteStore.schemaVersion);
                """)
        }
    }
}
