// SPDX-License-Identifier: MIT

import CSQLite

/// A value for a statement's question mark.
enum SQLiteValue {
    case null
    case integer(Int64)
    case text(String)

    init(_ text: String?) {
        self = text.map { .text($0) } ?? .null
    }

    init(_ integer: Int64?) {
        self = integer.map { .integer($0) } ?? .null
    }
}

/// A prepared statement, kept for reuse.
final class SQLiteStatement {
    let handle: OpaquePointer

    init(handle: OpaquePointer) {
        self.handle = handle
    }

    deinit {
        sqlite3_finalize(handle)
    }

    func bind(_ values: [SQLiteValue], in database: SQLiteDatabase) throws(SQLiteDatabase.Failure) {
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            let code: Int32
            switch value {
            case .null: code = sqlite3_bind_null(handle, index)
            case .integer(let number): code = sqlite3_bind_int64(handle, index, number)
            case .text(let text): code = csqlite_bind_text(handle, index, text, UInt64(text.utf8.count))
            }
            guard code == SQLITE_OK else { throw database.failure }
        }
    }

    /// Goes to the next row: false when there is none.
    func step(in database: SQLiteDatabase) throws(SQLiteDatabase.Failure) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw database.failure
        }
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}

/// The row a statement stands on; valid until the next step.
struct SQLiteRow {
    let statement: SQLiteStatement

    /// A column as text, repaired where it is no UTF-8; nil for NULL.
    func text(_ column: Int32) -> String? {
        guard let bytes = sqlite3_column_text(statement.handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement.handle, column))
        return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// A column as an integer; nil for NULL.
    func integer(_ column: Int32) -> Int64? {
        guard sqlite3_column_type(statement.handle, column) != SQLITE_NULL else { return nil }
        return sqlite3_column_int64(statement.handle, column)
    }
}
