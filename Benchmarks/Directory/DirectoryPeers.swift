// SPDX-License-Identifier: MIT

import Foundation
import OffhookDirectory
import OffhookDirectoryCompiler

/// What apps use instead of a directory file, with the same numbers: SQLite, sorted text, JSON; and Roaring bitmaps for
/// the numbers alone.
struct DirectoryPeers {
    /// An entry as JSON.
    struct Entry: Codable {
        var number: Int64
        var label: String?
    }

    /// What one of them costs.
    private struct Cost {
        var build = 0.0
        var bytes = 0.0
        var scan = 0.0
    }

    private let work: DirectoryWork
    private var sqlite = Cost()
    private var text = Cost()
    private var json = Cost()

    /// Builds and scans all of them; `check` is what the sum of all numbers and lengths of labels must be.
    init(_ work: DirectoryWork, check: Int) throws {
        self.work = work
        sqlite.build = try Self.seconds { try Self.writeDatabase(work) }
        sqlite.bytes = try Self.size(work.database)
        let database = try DirectoryDatabase(work.database)
        defer { database.close() }
        sqlite.scan = try Self.seconds {
            guard try database.check() == check else { throw BenchmarkError("SQLite has other entries") }
        }
        text.build = try Self.sort(work)
        try Self.writeText(work)
        text.bytes = try Self.size(work.text)
        text.scan = try Self.seconds {
            guard try SortedText(file: work.text).check() == check else {
                throw BenchmarkError("the text has other entries")
            }
        }
        json.build = try Self.writeJSON(work)
        json.bytes = try Self.size(work.json)
        json.scan = try Self.seconds {
            guard try Self.decode(work.json) == check else { throw BenchmarkError("the JSON has other entries") }
        }
    }

    // MARK: - Rows

    func build(_ row: BenchmarkRow) -> [BenchmarkRow] {
        [
            row.beside("SQLite, sorted input", sqlite.build, better: .lower),
            row.beside("sort -u of the lines", text.build, better: .lower),
            row.beside("JSONEncoder, sorted input", json.build, better: .lower),
        ]
    }

    func bits(_ row: BenchmarkRow) throws -> [BenchmarkRow] {
        var rows = [row.beside("Int64", 64, better: .lower)]
        if PythonPeer.isAvailable, let bits = try roaring() {
            rows.append(row.beside("Roaring, 64 bits", bits, better: .lower))
        }
        return rows
    }

    func bytes(_ row: BenchmarkRow) -> [BenchmarkRow] {
        let numbers = Double(work.summary.numbers)
        return [("SQLite", sqlite), ("sorted text", text), ("JSON", json)].map { name, cost in
            row.beside(name, cost.bytes / numbers, better: .lower)
        }
    }

    func scan(_ row: BenchmarkRow) -> [BenchmarkRow] {
        let items = Double(work.summary.items) / 1e6
        return [("SQLite C API", sqlite), ("lines of sorted text", text), ("JSONDecoder", json)].map { name, cost in
            row.beside(name, items / cost.scan, better: .higher)
        }
    }

    // MARK: - Measuring

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let before = Stopwatch.threadSeconds()
        try body()
        return Stopwatch.threadSeconds() - before
    }

    private static func size(_ file: URL) throws -> Double {
        Double(try file.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
    }

    private func roaring() throws -> Double? {
        let file = work.folder.appendingPathComponent("numbers.int64")
        let sink = try AtomicFile(path: file.path)
        var cursor = try work.open().entries()
        while let item = try cursor.nextNumbers() {
            for number in item.first...item.last {
                try sink.append(withUnsafeBytes(of: number.littleEndian) { [UInt8]($0) })
            }
        }
        try sink.finish()
        return try PythonPeer(script: "roaring_size.py").run([file.path])["bits_per_number"]
    }

    // MARK: - Building

    /// Gives SQLite the numbers in order, which is the cheapest way to fill it.
    static func writeDatabase(_ work: DirectoryWork) throws {
        let file = try work.open()
        let database = try DirectoryDatabase(work.database)
        defer { database.close() }
        var labels: [String] = []
        var known: [UInt32: Int64] = [:]
        var cursor = file.entries()
        try database.insert {
            guard let item = try cursor.nextNumbers() else { return nil }
            if let label = known[item.set] { return (item.first, label) }
            let label = try file.attributes(set: item.set).labels.first
            if let label { labels.append(label) }
            known[item.set] = label == nil ? 0 : Int64(labels.count)
            return (item.first, label == nil ? 0 : Int64(labels.count))
        }
        try database.insert(labels: labels)
    }

    private static func sort(_ work: DirectoryWork) throws -> Double {
        func children() -> Double {
            var usage = rusage()
            getrusage(RUSAGE_CHILDREN.rawValue, &usage)
            return Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
                + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
        }
        let before = children()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "LC_ALL=C", "sort", "-u", "-o", work.folder.appendingPathComponent("lines.txt").path, work.list.path,
        ]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchmarkError("sort failed") }
        return children() - before
    }

    /// Writes the entries as lines of number, tab and label.
    static func writeText(_ work: DirectoryWork) throws {
        let sink = try AtomicFile(path: work.text.path)
        var cursor = try work.open().entries()
        while let entry = try cursor.next() {
            try sink.append(Array("\(entry.first)\t\(entry.attributes.labels.first ?? "")\n".utf8))
        }
        try sink.finish()
    }

    /// Writes the entries as one JSON array, encoded in parts, and gives the seconds that encoding took.
    @discardableResult
    static func writeJSON(_ work: DirectoryWork) throws -> Double {
        let sink = try AtomicFile(path: work.json.path)
        let encoder = JSONEncoder()
        var cursor = try work.open().entries()
        var (entries, isFirst, spent): ([Entry], Bool, Double) = ([], true, 0)
        func flush() throws {
            guard !entries.isEmpty else { return }
            try spent += seconds {
                let array = try encoder.encode(entries)
                try sink.append([UInt8](ascii: isFirst ? "[" : ",") + array.dropFirst().dropLast())
            }
            isFirst = false
            entries.removeAll(keepingCapacity: true)
        }
        while let entry = try cursor.next() {
            entries.append(Entry(number: entry.first, label: entry.attributes.labels.first))
            if entries.count == 50_000 { try flush() }
        }
        try flush()
        try sink.append([UInt8](ascii: "]"))
        try sink.finish()
        return spent
    }

    // MARK: - Scanning

    /// What most apps do.
    private static func decode(_ file: URL) throws -> Int {
        var check = 0
        for entry in try JSONDecoder().decode([Entry].self, from: Data(contentsOf: file)) {
            check &+= Int(entry.number)
            check &+= entry.label?.utf8.count ?? 0
        }
        return check
    }
}

extension [UInt8] {
    fileprivate init(ascii text: StaticString) {
        self = text.withUTF8Buffer { [UInt8]($0) }
    }
}
