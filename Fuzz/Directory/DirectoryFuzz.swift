// SPDX-License-Identifier: MIT

// What libFuzzer calls, with files to read: as they are, and with their checksums made right, as an attacker would.
// scripts/fuzz-directory compiles it with the sources of OffhookDirectory's files and deltas as one module.

/// Reads one input: whatever the bytes are, nothing traps, and what is taken for whole is written again without a loss.
@_cdecl("LLVMFuzzerTestOneInput") public func fuzzDirectory(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    DirectoryJudge.judge(bytes)
    DirectoryJudge.judge(DirectorySeal.sealed(bytes, base: DirectoryJudge.base.summary.fingerprint))
    return 0
}

/// Bytes in memory that ends where they end, so that AddressSanitizer sees a read behind them.
final class ExactBytes: DirectoryBytes {
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ array: [UInt8]) {
        bytes = .allocate(byteCount: array.count, alignment: 1)
        bytes.copyBytes(from: array)
    }

    deinit { bytes.deallocate() }

    func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(UnsafeRawBufferPointer(bytes)) }
    }
}

// Written once, before anybody reads it.
extension ExactBytes: @unchecked Sendable {}

/// Does everything with a file that a reader does, and checks what must be so.
enum DirectoryJudge {
    /// The directory that deltas are applied to.
    static let base: DirectoryFile = {
        var entries: [DirectoryEntry] = []
        for number: Int64 in 0..<40 {
            let labels = number % 3 == 0 ? ["Caller \(number % 5)"] : []
            let blocked = labels.isEmpty || number % 2 == 0
            let first = 4_930_000_000 + number * number * 300
            let attributes = DirectoryAttributes(blocked: blocked, labels: labels)
            entries.append(DirectoryEntry(first: first, last: first + number % 7 * 30, attributes: attributes))
        }
        guard let bytes = try? written(entries), let file = try? DirectoryFile(bytes) else {
            fatalError("the writer wrote what the reader does not take")
        }
        return file
    }()

    static func judge(_ bytes: [UInt8]) {
        let exact = ExactBytes(bytes)
        if let file = try? DirectoryFile(exact) { read(file) }
        guard let delta = try? DirectoryFile(exact, kind: .delta) else { return }
        try? delta.verify()
        var result: [UInt8] = []
        guard (try? DirectoryDelta.apply(delta, to: base, into: &result)) != nil else { return }
        guard let file = try? DirectoryFile(result), (try? file.verify()) != nil else {
            fatalError("a delta that was applied left no whole directory")
        }
    }

    private static func read(_ file: DirectoryFile) {
        for number: Int64 in [1, 4_930_000_300, Int64.max] { _ = try? file.attributes(of: number) }
        var difference = DirectoryDifference(from: file, to: base)
        var steps = 0
        while steps < 20_000, let _ = try? difference.next() { steps += 1 }
        guard (try? file.verify()) != nil, let entries = try? self.entries(of: file) else { return }
        guard let again = try? written(entries), let copy = try? DirectoryFile(again),
            let copied = try? self.entries(of: copy), joined(copied) == joined(entries)
        else { fatalError("a whole directory was not written again as it was") }
        var delta: [UInt8] = []
        var result: [UInt8] = []
        guard (try? DirectoryDelta.write(from: base, to: copy, into: &delta)) != nil,
            let changes = try? DirectoryFile(delta, kind: .delta),
            (try? DirectoryDelta.apply(changes, to: base, into: &result)) != nil, result == again
        else { fatalError("applying the difference did not give the directory") }
    }

    private static func entries(of file: DirectoryFile) throws -> [DirectoryEntry] {
        var entries: [DirectoryEntry] = []
        var cursor = file.entries()
        while let entry = try cursor.next() { entries.append(entry) }
        return entries
    }

    private static func written(_ entries: [DirectoryEntry]) throws -> [UInt8] {
        var writer = try DirectoryWriter(into: [UInt8]())
        for entry in entries { try writer.append(entry) }
        try writer.finish()
        return writer.sink
    }

    /// Neighbours with equal attributes as one: the same for every division of the same numbers.
    private static func joined(_ entries: [DirectoryEntry]) -> [DirectoryEntry] {
        var joined: [DirectoryEntry] = []
        for entry in entries {
            if let last = joined.last, last.last + 1 == entry.first, last.attributes == entry.attributes {
                joined[joined.count - 1] = DirectoryEntry(
                    first: last.first, last: entry.last, attributes: entry.attributes)
            } else {
                joined.append(entry)
            }
        }
        return joined
    }
}
