// SPDX-License-Identifier: MIT

import OffhookDirectory
import OffhookDirectoryCompiler

/// Lists in memory, and directories compiled from them.
enum Lists {
    static let international = PhoneNumberOptions(digitsAreInternational: true)

    /// A list whose bytes come in pieces of at most `piece` bytes.
    static func source(
        _ text: String, name: String = "list", format: ImportSource.Format = .text,
        purpose: ImportSource.Purpose = .block, numbers: PhoneNumberOptions = international, piece: Int = .max
    ) -> ImportSource {
        source(bytes: Array(text.utf8), name: name, format: format, purpose: purpose, numbers: numbers, piece: piece)
    }

    static func source(
        bytes: [UInt8], name: String = "list", format: ImportSource.Format = .text,
        purpose: ImportSource.Purpose = .block, numbers: PhoneNumberOptions = international, piece: Int = .max
    ) -> ImportSource {
        let pieces = Pieces(bytes, piece: piece)
        return ImportSource(name: name, format: format, purpose: purpose, numbers: numbers) { pieces.next($0) }
    }

    static func compile(
        _ sources: [ImportSource], conflict: LabelConflict = .first, memory: Int = 8 << 20
    ) throws -> (report: DirectoryCompiler.Report, file: [UInt8]) {
        let sink = Collected()
        let report = try DirectoryCompiler(settings: .init(conflict: conflict, memory: memory))
            .compile(sources, into: sink)
        return (report, sink.bytes)
    }

    /// Every number of a directory, with what it says.
    static func numbers(of file: [UInt8]) throws -> [Int64: DirectoryAttributes] {
        var found: [Int64: DirectoryAttributes] = [:]
        var cursor = try DirectoryFile(file).entries()
        while let entry = try cursor.next() {
            for number in entry.first...entry.last { found[number] = entry.attributes }
        }
        return found
    }
}

/// Hands out bytes piece by piece.
final class Pieces {
    private let bytes: [UInt8]
    private let piece: Int
    private var position = 0

    init(_ bytes: [UInt8], piece: Int) {
        self.bytes = bytes
        self.piece = piece
    }

    func next(_ maximum: Int) -> [UInt8] {
        let end = min(bytes.count, position + min(piece, maximum))
        defer { position = end }
        return Array(bytes[position..<end])
    }
}

// Used by one compiler at a time, on its thread.
extension Pieces: @unchecked Sendable {}

/// Keeps what a compiler writes.
final class Collected: DirectorySink {
    var bytes: [UInt8] = []

    func append(_ bytes: [UInt8]) { self.bytes += bytes }
}
