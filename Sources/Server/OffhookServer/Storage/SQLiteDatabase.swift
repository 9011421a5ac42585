// SPDX-License-Identifier: MIT

import CSQLite

/// One connection to a SQLite file; bound to the thread that uses it.
final class SQLiteDatabase {
    typealias Failure = StoreFailure

    let path: String
    private let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens or creates the file; `:memory:` is a database of this connection alone.
    init(path: String) throws(Failure) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard code == SQLITE_OK, let opened else {
            let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw Failure(code: code, message: message)
        }
        self.path = path
        handle = opened
        waitForLocks(milliseconds: 5000)
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// How long to wait for another program's lock on the file before giving up.
    func waitForLocks(milliseconds: Int32) {
        sqlite3_busy_timeout(handle, milliseconds)
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool {
        sqlite3_get_autocommit(handle) == 0
    }

    /// Whether closing writes the log back into the file and removes the log.
    func setCheckpointOnClose(_ on: Bool) {
        _ = csqlite_set_checkpoint_on_close(handle, on ? 1 : 0)
    }

    var failure: Failure {
        Failure(code: sqlite3_extended_errcode(handle), message: String(cString: sqlite3_errmsg(handle)))
    }

    /// Runs statements that take no values and give no rows.
    func execute(_ sql: String) throws(Failure) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
    }

    /// Runs a statement with values for its question marks; gives every row to `row`.
    func run(
        _ sql: String, _ values: [SQLiteValue] = [], row: (SQLiteRow) -> Void = { _ in }
    ) throws(Failure) {
        let statement = try prepared(sql)
        defer { statement.reset() }
        try statement.bind(values, in: self)
        while try statement.step(in: self) { row(SQLiteRow(statement: statement)) }
    }

    /// The number of rows that the last statement changed.
    var changes: Int {
        Int(sqlite3_changes64(handle))
    }

    /// Runs the work so that all of it happens, or nothing; within an open transaction it becomes a part of that one.
    func transaction(_ work: () throws(Failure) -> Void) throws(Failure) {
        let isPart = isInTransaction
        try execute(isPart ? "SAVEPOINT part" : "BEGIN IMMEDIATE")
        do {
            try work()
            try execute(isPart ? "RELEASE part" : "COMMIT")
        } catch {
            // A full disk may have ended the transaction already.
            if isInTransaction { try? execute(isPart ? "ROLLBACK TO part; RELEASE part" : "ROLLBACK") }
            throw error
        }
    }

    private func prepared(_ sql: String) throws(Failure) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        var prepared: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let prepared else { throw failure }
        let statement = SQLiteStatement(handle: prepared)
        statements[sql] = statement
        return statement
    }
}

extension StoreFailure {
    /// Whether the file is no database, or a damaged one.
    var isDamage: Bool {
        let primary = code & 0xFF
        return primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB
    }
}
