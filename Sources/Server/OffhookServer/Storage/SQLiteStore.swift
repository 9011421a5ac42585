// SPDX-License-Identifier: MIT

import Glibc

/// A store in a file of SQLite in WAL mode.
///
/// With `synchronous=NORMAL` every commit survives the death of the process (kill -9), because it is in the system's
/// page cache; a power cut can take the last ones, never the file. `FULL` syncs every commit. Writes open a transaction
/// that ``commit()`` ends, so that what many calls change in one turn of the loop is one commit. Bound to the server's
/// thread.
final class SQLiteStore: Store {
    let database: SQLiteDatabase
    /// Held while this store is in use.
    private let lock: DatabaseLock

    var path: String { database.path }

    /// Opens or creates the database.
    ///
    /// - Throws: ``ServerError`` of code `corruptDatabase` for a damaged or foreign file, which is left as it is, or
    ///   `storage` for one that cannot be opened; both name the file.
    init(path: String, fullSync: Bool) throws(ServerError) {
        try SQLiteStore.checkHeader(path)
        lock = try DatabaseLock(database: path)
        do {
            database = try SQLiteDatabase(path: path)
        } catch {
            throw SQLiteStore.error(error, path: path, doing: "opened")
        }
        do {
            database.setCheckpointOnClose(false)
            try prepare(fullSync: fullSync)
            database.setCheckpointOnClose(true)
            // The server's thread must not stand still for another program's lock: who asked is told to try again.
            database.waitForLocks(milliseconds: 50)
        } catch let failure as StoreFailure {
            throw SQLiteStore.error(failure, path: path, doing: "read")
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
        guard fault == nil else { throw SQLiteStore.damaged(database.path) }
        let application = try pragma("application_id")
        let version = try pragma("user_version")
        let tables = try count("SELECT count(*) FROM sqlite_schema")
        guard application == SQLiteStore.applicationID || (application == 0 && tables == 0) else {
            throw ServerError(
                .corruptDatabase,
                "The file \(database.path) is a database of another program; it was not touched. "
                    + "Give --database another file.")
        }
        guard version <= SQLiteStore.schemaVersion else {
            throw ServerError(
                .storage,
                "The database file \(database.path) has schema \(version), newer than this server's "
                    + "\(SQLiteStore.schemaVersion); it was not touched. Start the newer server, or give --database another file."
            )
        }
        try database.execute("PRAGMA journal_mode=WAL")
        try database.execute("PRAGMA synchronous=\(fullSync ? "FULL" : "NORMAL")")
        try database.execute("PRAGMA foreign_keys=ON")
        if version < SQLiteStore.schemaVersion { try migrate(from: version) }
    }

    /// Opens the transaction that the next commit ends, unless it is open; a failed write takes it all back.
    func write(_ work: () throws(StoreFailure) -> Void) throws(StoreFailure) {
        do {
            if !database.isInTransaction { try database.execute("BEGIN IMMEDIATE") }
            try work()
        } catch {
            rollBack()
            throw error
        }
    }

    var hasChanges: Bool { database.isInTransaction }

    func commit() throws(StoreFailure) {
        guard database.isInTransaction else { return }
        do {
            try database.execute("COMMIT")
        } catch {
            rollBack()
            throw error
        }
    }

    /// Takes back everything since the last commit.
    func rollBack() {
        // A full disk may have ended the transaction already.
        if database.isInTransaction { try? database.execute("ROLLBACK") }
    }

    func release() {
        lock.release()
    }

    private func pragma(_ name: String) throws(StoreFailure) -> Int64 {
        try count("PRAGMA \(name)")
    }

    private func count(_ sql: String) throws(StoreFailure) -> Int64 {
        var result: Int64 = 0
        try database.run(sql) { row in result = row.integer(0) ?? 0 }
        return result
    }

    /// A setting that the server made for itself, such as its token secret.
    func setting(_ name: String, orElse make: () -> String) throws(StoreFailure) -> String {
        var found: String?
        try database.run("SELECT value FROM setting WHERE name = ?", [.text(name)]) { row in found = row.text(0) }
        if let found { return found }
        let value = make()
        try write { () throws(StoreFailure) in
            try database.run("INSERT INTO setting (name, value) VALUES (?, ?)", [.text(name), .text(value)])
        }
        return value
    }
}

extension SQLiteStore {
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

    static func error(_ failure: StoreFailure, path: String, doing what: String) -> ServerError {
        if failure.isDamage { return damaged(path) }
        return ServerError(
            .storage,
            "The database file \(path) cannot be \(what): \(failure.message). "
                + "Check its folder, owner, mode and free space.")
    }
}
