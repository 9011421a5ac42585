// SPDX-License-Identifier: MIT

import Foundation

/// What the Call Directory keeps over a restart of the phone: a file of switches, and a file of entries an extension.
///
/// A file is written beside the old one, and takes its name when it is complete on the disk: whoever reads finds the old
/// or the new one.
struct DirectoryFolder {
    private static let magic = Data("OHPHDIR1".utf8)

    private struct Switches: Codable {
        struct Extension: Codable {
            var app: String?
            var isEnabled: Bool
            var isCurrent: Bool
            var purgeDate: Date?
        }
        var order: [String]
        var extensions: [String: Extension]
        var isCorrupt: Bool
        var loadCount: Int
    }

    private let folder: URL

    init(_ storage: URL) {
        folder = storage.appendingPathComponent("CallDirectory", isDirectory: true)
    }

    // MARK: - Reading

    /// What was kept; a file that is missing or damaged counts as empty.
    func read() -> DirectoryState {
        var directory = DirectoryState()
        guard let data = try? Data(contentsOf: switchesFile),
            let switches = try? JSONDecoder().decode(Switches.self, from: data)
        else { return directory }
        directory.order = switches.order
        directory.isCorrupt = switches.isCorrupt
        directory.loadCount = switches.loadCount
        for (identifier, kept) in switches.extensions {
            var record = DirectoryExtension(app: kept.app, isEnabled: kept.isEnabled, purgeDate: kept.purgeDate)
            if let lists = readLists(of: identifier) {
                record.isCurrent = kept.isCurrent
                (record.blocking, record.identification) = lists
            }
            directory.extensions[identifier] = record
        }
        return directory
    }

    private func readLists(of identifier: String) -> (blocking: DirectoryList, identification: DirectoryList)? {
        guard var rest = try? Data(contentsOf: file(of: identifier), options: .alwaysMapped),
            rest.prefix(8) == DirectoryFolder.magic
        else { return nil }
        rest = rest.dropFirst(8)
        func take<Number: FixedWidthInteger>(_: Number.Type) -> [Number]? {
            guard let count = [UInt64](littleEndian: rest.prefix(8)).first.flatMap({ Int(exactly: $0) }) else {
                return nil
            }
            rest = rest.dropFirst(8)
            let (size, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Number>.size)
            guard !overflow, rest.count >= size else { return nil }
            defer { rest = rest.dropFirst(size) }
            return [Number](littleEndian: rest.prefix(size))
        }
        guard let blocking = take(Int64.self), let numbers = take(Int64.self), let labels = take(UInt32.self),
            let bytes = take(UInt8.self), let ends = take(UInt32.self), rest.isEmpty,
            let table = LabelTable(bytes: bytes, ends: ends), labels.count == numbers.count,
            labels.allSatisfy({ $0 < table.count }), DirectoryFolder.ascends(blocking), DirectoryFolder.ascends(numbers)
        else { return nil }
        return (DirectoryList(numbers: blocking), DirectoryList(numbers: numbers, labels: labels, table: table))
    }

    private static func ascends(_ numbers: [Int64]) -> Bool {
        var last = Int64.min
        for number in numbers {
            guard number >= last else { return false }
            last = number
        }
        return true
    }

    // MARK: - Writing

    /// Keeps the entries of an extension; nil forgets them.
    func write(_ record: DirectoryExtension?, of identifier: String) {
        guard let record else {
            _ = unlink(file(of: identifier).path)
            return
        }
        replace(file(of: identifier)) { write in
            write(DirectoryFolder.magic)
            write(record.blocking.numbers)
            write(record.identification.numbers)
            write(record.identification.labels)
            write(record.identification.table.bytes)
            write(record.identification.table.ends)
        }
    }

    /// Keeps which extensions there are.
    func writeSwitches(of directory: DirectoryState) {
        let switches = Switches(
            order: directory.order,
            extensions: directory.extensions.mapValues { record in
                Switches.Extension(
                    app: record.app, isEnabled: record.isEnabled, isCurrent: record.isCurrent,
                    purgeDate: record.purgeDate)
            },
            isCorrupt: directory.isCorrupt, loadCount: directory.loadCount)
        guard let data = try? JSONEncoder().encode(switches) else { return }
        replace(switchesFile) { $0(data) }
    }

    private var switchesFile: URL { folder.appendingPathComponent("switches.json") }

    /// Identifiers may hold any character; file names may not.
    private func file(of identifier: String) -> URL {
        let name = identifier.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            let isPlain = scalar.properties.isAlphabetic && byte < 128 || (48...57).contains(byte) || byte == 45
            return isPlain || byte == 46 ? String(scalar) : "%" + String(byte, radix: 16)
        }.joined()
        return folder.appendingPathComponent(name + ".entries")
    }

    private struct Writer {
        let descriptor: Int32
        var isWhole = true

        mutating func callAsFunction(_ data: Data) {
            data.withUnsafeBytes { write($0) }
        }

        mutating func callAsFunction<Number: FixedWidthInteger>(_ numbers: [Number]) {
            withUnsafeBytes(of: UInt64(numbers.count).littleEndian) { write($0) }
            guard Number(1).littleEndian != 1 else { return numbers.withUnsafeBytes { write($0) } }
            numbers.map(\.littleEndian).withUnsafeBytes { write($0) }
        }

        private mutating func write(_ bytes: UnsafeRawBufferPointer) {
            var done = 0
            while isWhole, done < bytes.count {
                let step = Foundation.write(descriptor, bytes.baseAddress?.advanced(by: done), bytes.count - done)
                if step < 0 && errno == EINTR { continue }
                isWhole = step > 0
                done += max(step, 0)
            }
        }
    }

    /// Writes a file whole, or leaves the old one.
    private func replace(_ file: URL, _ body: (inout Writer) -> Void) {
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let temporary = file.path + ".new"
        let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        var writer = Writer(descriptor: descriptor)
        body(&writer)
        let isOnDisk = writer.isWhole && fsync(descriptor) == 0
        close(descriptor)
        guard isOnDisk, rename(temporary, file.path) == 0 else {
            unlink(temporary)
            return
        }
        let parent = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { return }
        fsync(parent)
        close(parent)
    }
}
