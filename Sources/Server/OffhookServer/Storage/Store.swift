// SPDX-License-Identifier: MIT

import Glibc

/// What the server must not forget: users, devices with their push tokens, calls.
///
/// SQLite in WAL mode. With `synchronous=NORMAL` every commit survives the death of the process (kill -9), because it
/// is in the system's page cache; a power cut can take the last ones, never the file. `FULL` syncs every commit.
/// Bound to the server's thread.
final class Store {
    let database: SQLiteDatabase
    /// Held while this store is in use.
    let lock: DatabaseLock

    /// 'OFHK': marks the file as ours.
    private static let applicationID: Int64 = 0x4F46_484B
    /// The schema this code reads and writes.
    private static let schemaVersion: Int64 = 1

    /// Opens or creates the database.
    ///
    /// - Throws: ``ServerError`` of code `corruptDatabase` for a damaged or foreign file, which is left as it is, or
    ///   `storage` for one that cannot be opened; both name the file.
    init(path: String, fullSync: Bool) throws(ServerError) {
        try Store.checkHeader(path)
        lock = try DatabaseLock(database: path)
        do {
            database = try SQLiteDatabase(path: path)
        } catch {
            throw Store.error(error, path: path, doing: "opened")
        }
        do {
            database.setCheckpointOnClose(false)
            try prepare(fullSync: fullSync)
            database.setCheckpointOnClose(true)
        } catch let failure as SQLiteDatabase.Failure {
            throw Store.error(failure, path: path, doing: "read")
        } catch let error as ServerError {
            throw error
        } catch {
            throw ServerError(.storage, "The database file \(path) cannot be used: \(error)")
        }
    }

    private func prepare(fullSync: Bool) throws {
        var fault: String?
        try database.run("PRAGMA quick_check(1)") { row in
            if let answer = row.text(0), answer != "ok" { fault = answer }
        }
        guard fault == nil else { throw Store.damaged(database.path) }
        let application = try pragma("application_id")
        let version = try pragma("user_version")
        let tables = try count("SELECT count(*) FROM sqlite_schema")
        guard application == Store.applicationID || (application == 0 && tables == 0) else {
            throw ServerError(
                .corruptDatabase,
                "The file \(database.path) is a database of another program; it was not touched. "
                    + "Give --database another file.")
        }
        guard version <= Store.schemaVersion else {
            throw ServerError(
                .storage,
                "The database file \(database.path) has schema \(version), newer than this server's "
                    + "\(Store.schemaVersion); it was not touched. Start the newer server, or give --database another file."
            )
        }
        try database.execute("PRAGMA journal_mode=WAL")
        try database.execute("PRAGMA synchronous=\(fullSync ? "FULL" : "NORMAL")")
        try database.execute("PRAGMA foreign_keys=ON")
        if version < Store.schemaVersion { try migrate() }
    }

    private func migrate() throws(SQLiteDatabase.Failure) {
        let database = database
        try database.transaction { () throws(SQLiteDatabase.Failure) in
            try database.execute(
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
                PRAGMA application_id = \(Store.applicationID);
                PRAGMA user_version = \(Store.schemaVersion);
                """)
        }
    }

    private func pragma(_ name: String) throws(SQLiteDatabase.Failure) -> Int64 {
        try count("PRAGMA \(name)")
    }

    private func count(_ sql: String) throws(SQLiteDatabase.Failure) -> Int64 {
        var result: Int64 = 0
        try database.run(sql) { row in result = row.integer(0) ?? 0 }
        return result
    }

    /// A setting that the server made for itself, such as its token secret.
    func setting(_ name: String, orElse make: () -> String) throws(SQLiteDatabase.Failure) -> String {
        var found: String?
        try database.run("SELECT value FROM setting WHERE name = ?", [.text(name)]) { row in found = row.text(0) }
        if let found { return found }
        let value = make()
        try database.run("INSERT INTO setting (name, value) VALUES (?, ?)", [.text(name), .text(value)])
        return value
    }
}

extension Store {
    /// Looks at the first bytes without SQLite, so that a file that is no database is not even opened for writing.
    private static func checkHeader(_ path: String) throws(ServerError) {
        guard path != ":memory:" else { return }
        // Non-blocking: a named pipe would wait for a writer.
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            guard errno == ENOENT else {
                throw ServerError(
                    .storage,
                    "The database file \(path) cannot be opened: \(String(cString: strerror(errno))). "
                        + "Check its owner and mode, or give --database another file.")
            }
            try createPrivately(path)
            return
        }
        defer { close(file) }
        var status = stat()
        if fstat(file, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw ServerError(
                .storage,
                "\(path) is \(status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "a device or pipe"), no file. "
                    + "Give --database a file, which is made when it is missing.")
        }
        var header = [UInt8](repeating: 0, count: 16)
        let count = read(file, &header, header.count)
        if count == 0 { return }
        guard count == 16, header.elementsEqual("SQLite format 3\0".utf8) else {
            if count < 0 {
                throw ServerError(
                    .storage,
                    "The database file \(path) cannot be read: \(String(cString: strerror(errno))). "
                        + "Give --database a file.")
            }
            throw damaged(path)
        }
    }

    /// Push tokens and the token secret are in the file: only its owner may read it.
    private static func createPrivately(_ path: String) throws(ServerError) {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else {
            throw ServerError(
                .storage,
                "The database file \(path) cannot be created: \(String(cString: strerror(errno))). "
                    + "Create its folder, or give --database another file.")
        }
        close(file)
    }

    static func damaged(_ path: String) -> ServerError {
        ServerError(
            .corruptDatabase,
            "The database file \(path) is damaged or no database; it was not touched. Put a backup in its place "
                + "(with the -wal file of the same moment, or none), or move it away to start with an empty one.")
    }

    static func error(_ failure: SQLiteDatabase.Failure, path: String, doing what: String) -> ServerError {
        if failure.isDamage { return damaged(path) }
        return ServerError(
            .storage,
            "The database file \(path) cannot be \(what): \(failure.message). "
                + "Check its folder, owner, mode and free space.")
    }
}
