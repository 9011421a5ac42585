// SPDX-License-Identifier: MIT

import CSQLite
import Foundation

/// SQLite through its C interface, as an app would use it.
struct DirectoryDatabase {
    private let handle: OpaquePointer

    init(_ file: URL) throws {
        var opened: OpaquePointer?
        guard sqlite3_open(file.path, &opened) == SQLITE_OK, let opened else {
            throw BenchmarkError("SQLite cannot open \(file.path)")
        }
        handle = opened
        try run("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF")
    }

    func close() { sqlite3_close(handle) }

    func run(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw BenchmarkError("SQLite: \(String(cString: sqlite3_errmsg(handle)))")
        }
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw BenchmarkError("SQLite: \(String(cString: sqlite3_errmsg(handle)))")
        }
        return statement
    }

    /// Stores numbers with the numbers of their labels; a number that is there keeps its label.
    func insert(_ next: () throws -> (number: Int64, label: Int64)?) throws {
        try run("CREATE TABLE entry(number INTEGER PRIMARY KEY, label INTEGER); BEGIN")
        let statement = try prepare("INSERT OR IGNORE INTO entry VALUES(?, ?)")
        defer { sqlite3_finalize(statement) }
        while let row = try next() {
            sqlite3_bind_int64(statement, 1, row.number)
            if row.label == 0 {
                sqlite3_bind_null(statement, 2)
            } else {
                sqlite3_bind_int64(statement, 2, row.label)
            }
            guard sqlite3_step(statement) == SQLITE_DONE else { throw BenchmarkError("SQLite cannot insert") }
            sqlite3_reset(statement)
        }
        try run("COMMIT")
    }

    /// Stores the labels' texts.
    func insert(labels: [String]) throws {
        try run("CREATE TABLE label(id INTEGER PRIMARY KEY, text TEXT); BEGIN")
        let statement = try prepare("INSERT INTO label VALUES(?, ?)")
        defer { sqlite3_finalize(statement) }
        for (index, label) in labels.enumerated() {
            sqlite3_bind_int64(statement, 1, Int64(index + 1))
            sqlite3_bind_text(statement, 2, label, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
            guard sqlite3_step(statement) == SQLITE_DONE else { throw BenchmarkError("SQLite cannot insert") }
            sqlite3_reset(statement)
        }
        try run("COMMIT")
    }

    /// Walks through all entries in order, with their labels' texts.
    func forEach(_ body: (Int64, String?) -> Void) throws {
        let statement = try prepare(
            "SELECT number, text FROM entry LEFT JOIN label ON label.id = entry.label ORDER BY number")
        defer { sqlite3_finalize(statement) }
        while sqlite3_step(statement) == SQLITE_ROW {
            body(sqlite3_column_int64(statement, 0), sqlite3_column_text(statement, 1).map { String(cString: $0) })
        }
    }

    /// The sum of all numbers and of the lengths of all labels.
    func check() throws -> Int {
        var check = 0
        try forEach { number, label in check &+= Int(number) &+ (label?.utf8.count ?? 0) }
        return check
    }
}
