// SPDX-License-Identifier: MIT

import Foundation
import OffhookCallDirectory
import OffhookDirectory
import OffhookDirectoryCompiler

/// The lists and files of one size that the directory benchmarks share, in a folder that goes away at the end.
final class DirectoryWork {
    /// Numbers asked for.
    let size: Int
    let folder: URL
    /// The list as it came: messy lines without order, some twice.
    let list: URL
    let directory: URL
    let database: URL
    /// The entries as lines of text and as JSON, once a peer wrote them.
    let text: URL
    let json: URL
    /// What compiling made and cost.
    let summary: DirectorySummary
    let lines: Int
    let buildSeconds: Double

    init(size: Int) throws {
        self.size = size
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        list = folder.appendingPathComponent("list.txt")
        directory = folder.appendingPathComponent("list.directory")
        database = folder.appendingPathComponent("list.sqlite")
        text = folder.appendingPathComponent("sorted.txt")
        json = folder.appendingPathComponent("list.json")
        let sink = try AtomicFile(path: list.path)
        var made = DirectoryList(count: size)
        while true {
            let piece = made.next()
            if piece.isEmpty { break }
            try sink.append(piece)
        }
        try sink.finish()
        (summary, lines, buildSeconds) = try DirectoryWork.build(list, to: directory)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private static func build(_ list: URL, to directory: URL) throws -> (DirectorySummary, Int, Double) {
        let file = try FileHandle(forReadingFrom: list)
        defer { try? file.close() }
        let descriptor = file.fileDescriptor
        let source = ImportSource(
            name: "list", format: .text, purpose: .block,
            numbers: PhoneNumberOptions(internationalPrefix: .ofRegionOrDoubleZero, requiresValid: true)
        ) { maximum in
            [UInt8](unsafeUninitializedCapacity: maximum) { buffer, count in
                count = max(0, read(descriptor, buffer.baseAddress, maximum))
            }
        }
        let before = Stopwatch.threadSeconds()
        let sink = try AtomicFile(path: directory.path)
        let report = try DirectoryCompiler().compile([source], into: sink)
        try sink.finish()
        return (report.directory, report.sources[0].lines, Stopwatch.threadSeconds() - before)
    }

    func open() throws -> DirectoryFile {
        try DirectoryFile(try MappedFile(path: directory.path))
    }

    /// Writes the next version of the list: of its entries one in fifty is gone, one in a hundred has another label, and
    /// about three in a hundred are new.
    func writeChanged(to file: URL) throws {
        var writer = try DirectoryWriter(into: try AtomicFile(path: file.path))
        let blocked = try writer.identifier(of: DirectoryAttributes(blocked: true))
        var cursor = try open().entries()
        var entry = try cursor.next()
        while let current = entry {
            entry = try cursor.next()
            // What happens to an entry depends on its number alone.
            let chance = ((UInt64(current.first) &* 0x9E37_79B9_7F4A_7C15) >> 32) % 100
            if chance >= 2 {
                let attributes =
                    chance > 2
                    ? current.attributes
                    : DirectoryAttributes(blocked: true, labels: ["Relabelled \(current.first % 1000)"])
                try writer.append(DirectoryEntry(first: current.first, last: current.last, attributes: attributes))
            }
            let room = current.last + 1
            if chance >= 97, entry.map({ $0.first > room }) ?? true {
                try writer.append(first: room, last: room, attributes: blocked)
            }
        }
        try writer.finish()
        try writer.sink.finish()
    }

    /// The same numbers without labels: bytes of the file.
    func numbersAlone() throws -> Int {
        var writer = try DirectoryWriter(into: ByteCounter())
        let set = try writer.identifier(of: DirectoryAttributes(blocked: true))
        var cursor = try open().entries()
        while let item = try cursor.nextNumbers() {
            try writer.append(first: item.first, last: item.last, attributes: set)
        }
        return try writer.finish().bytes
    }

    /// What numbers need at least, in bits, when nothing but the density of each ten thousand is known.
    func densityBound() throws -> Double {
        var counts: [Int] = []
        var bucket: Int64 = -1
        var (first, last): (Int64?, Int64) = (nil, 0)
        var cursor = try open().entries()
        while let item = try cursor.nextNumbers() {
            for number in item.first...item.last {
                if number / 10_000 == bucket {
                    counts[counts.count - 1] += 1
                } else {
                    bucket = number / 10_000
                    counts.append(1)
                    if first == nil { first = bucket }
                    last = bucket
                }
            }
        }
        func choose(_ all: Double, _ some: Double) -> Double {
            (lgamma(all + 1) - lgamma(some + 1) - lgamma(all - some + 1)) / log(2)
        }
        let span = Double(last - (first ?? last)) + 1
        var frequency: [Int: Int] = [:]
        for count in counts { frequency[count, default: 0] += 1 }
        var bits = choose(span, Double(counts.count))
        for (count, times) in frequency {
            bits += Double(times) * (choose(10_000, Double(count)) + log2(Double(counts.count) / Double(times)))
        }
        return bits
    }
}

/// Counts bytes and keeps none.
private struct ByteCounter: DirectorySink {
    mutating func append(_ bytes: [UInt8]) {}
}
