// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import OffhookDirectory

@Suite struct DirectoryDamageTests {
    // Everything a reader does with a file.
    private func readAll(_ bytes: [UInt8], kind: DirectoryFileKind = .directory) throws {
        let file = try DirectoryFile(bytes, kind: kind)
        try file.verify()
        _ = try DirectoryLists.entries(file)
        for number: Int64 in [1, 14_085_551_212, 33_162_500_000, .max] { _ = try file.attributes(of: number) }
    }

    @Test("A file cut off anywhere is refused")
    func truncation() throws {
        let bytes = try DirectoryLists.compile(DirectoryLists.first)
        for count in bytes.indices {
            #expect(throws: DirectoryFileError.self) { try DirectoryFile(Array(bytes[..<count])) }
        }
        #expect(throws: DirectoryFileError.truncated) { try DirectoryFile(Array(bytes.dropLast())) }
        #expect(throws: DirectoryFileError.notADirectory) { try DirectoryFile([UInt8]()) }
        #expect(throws: DirectoryFileError.notADirectory) { try DirectoryFile(Array("33162000000\n".utf8)) }
    }

    @Test("A wrong bit anywhere is found")
    func bitFlips() throws {
        let bytes = try DirectoryLists.compile(DirectoryLists.first)
        for index in bytes.indices {
            for bit in 0..<8 {
                var damaged = bytes
                damaged[index] ^= 1 << UInt8(bit)
                #expect(throws: DirectoryFileError.self, "byte \(index), bit \(bit)") { try readAll(damaged) }
            }
        }
    }

    @Test("A file of a later version or of the other kind is refused by name")
    func versionAndKind() throws {
        var bytes = try DirectoryLists.compile(DirectoryLists.first)
        bytes[8] = 2
        bytes.replaceSubrange(12..<16, with: Self.little(Checksum.of(Array(bytes[..<12]))))
        let error = #expect(throws: DirectoryFileError.self) { try DirectoryFile(bytes) }
        #expect(error == .newerVersion(found: 2, supported: 1))
        #expect(error?.description.contains("update the reader") == true)
        let plain = try DirectoryLists.compile(DirectoryLists.first)
        #expect(throws: DirectoryFileError.wrongKind(found: .directory)) { try DirectoryFile(plain, kind: .delta) }
    }

    @Test("Hostile files with right checksums never trap a reader", arguments: UInt64(1)...40)
    func hostileFiles(seed: UInt64) throws {
        print("hostile files: seed \(seed)")
        var random = SeededGenerator(state: seed &* 7_919)
        let original =
            try seed % 2 == 0
            ? DirectoryLists.compile(DirectoryLists.first) : DirectoryLists.compile(random.entries(Int(seed) * 6))
        let start = original.count - DirectoryFormat.trailerBytes
        let index = Int(Self.integer(original, at: start + 48, bytes: 8))
        var refused = 0
        for _ in 0..<250 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let position = Int.random(in: 12..<bytes.count, using: &random)
                let values = [0, 0xFF, bytes[position] ^ 1, .random(in: 0...255, using: &random)]
                bytes[position] = values[Int.random(in: 0..<4, using: &random)]
            }
            Self.seal(&bytes, index: index)
            do { try readAll(bytes) } catch { refused += 1 }
            if let delta = try? DirectoryLists.delta(from: original, to: bytes) {
                _ = try? DirectoryLists.apply(delta, to: original)
            }
            if let delta = try? DirectoryLists.delta(from: bytes, to: original) {
                _ = try? DirectoryLists.apply(delta, to: bytes)
            }
        }
        #expect(refused > 0)
    }

    @Test("What a fuzzer found is read or refused, as it is and with right checksums")
    func fuzzerCases() throws {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        folder.appendPathComponent("Fuzz/Cases/Directory")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(files.count >= 10)
        let base = try DirectoryLists.compile(DirectoryLists.first)
        var sealed = 0
        for file in files {
            var bytes = [UInt8](try Data(contentsOf: file))
            for _ in 0..<2 {
                for kind in [DirectoryFileKind.directory, .delta] { try? readAll(bytes, kind: kind) }
                _ = try? DirectoryLists.apply(bytes, to: base)
                let start = bytes.count - DirectoryFormat.trailerBytes
                guard start >= DirectoryFormat.headerBytes else { break }
                let index = Self.integer(bytes, at: start + 48, bytes: 8)
                guard index <= UInt64(start) else { break }
                Self.seal(&bytes, index: Int(index))
                sealed += 1
            }
        }
        #expect(sealed > 0)
    }

    // Makes the checksums right again, as an attacker would.
    private static func seal(_ bytes: inout [UInt8], index: Int) {
        let start = bytes.count - DirectoryFormat.trailerBytes
        bytes.replaceSubrange(12..<16, with: little(Checksum.of(Array(bytes[..<12]))))
        for at in stride(from: index, to: start, by: DirectoryFormat.indexEntryBytes) {
            let offset = integer(bytes, at: at + 16, bytes: 8)
            let length = integer(bytes, at: at + 24, bytes: 4)
            guard offset <= UInt64(index), length <= UInt64(index) - offset else { continue }
            let sum = Checksum.of(Array(bytes[Int(offset)..<Int(offset + length)]))
            bytes.replaceSubrange(at + 28..<at + 32, with: little(sum))
        }
        let sets = integer(bytes, at: start + 32, bytes: 8)
        let labels = integer(bytes, at: start + 40, bytes: 8)
        if sets <= labels, labels <= UInt64(index) {
            let sums = [
                Checksum.of(Array(bytes[Int(sets)..<Int(labels)])), Checksum.of(Array(bytes[Int(labels)..<index])),
                Checksum.of(Array(bytes[index..<start])),
            ]
            bytes.replaceSubrange(start + 68..<start + 80, with: sums.flatMap(little))
        }
        bytes.replaceSubrange(start + 100..<start + 104, with: little(Checksum.of(Array(bytes[start..<start + 100]))))
    }

    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func integer(_ bytes: [UInt8], at position: Int, bytes count: Int) -> UInt64 {
        (0..<count).reduce(0) { $0 | UInt64(bytes[position + $1]) << UInt64(8 * $1) }
    }
}
