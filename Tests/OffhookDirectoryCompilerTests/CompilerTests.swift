// SPDX-License-Identifier: MIT

import Foundation
import OffhookDirectory
import OffhookDirectoryCompiler
import Testing

@Suite struct CompilerTests {
    @Test("Conflicts: the first list's label wins, or the last one's, or all stay; any list can block, or take out")
    func conflicts() throws {
        func sources() -> [ImportSource] {
            [
                Lists.source("+4930123456;A\n+4930123456;B\n", purpose: .identify(defaultLabel: nil)),
                Lists.source("+4930123456;C\n+4930123457\n", purpose: .block),
                Lists.source("4930123450..4930123499\n", format: .patterns, purpose: .block),
                Lists.source("+4930123459\n", purpose: .exclude),
            ]
        }
        for (policy, labels) in [
            (LabelConflict.first, ["A"]), (.last, ["C"]), (.all, ["A", "B", "C"]),
        ] {
            let (report, file) = try Lists.compile(sources(), conflict: policy)
            let numbers = try Lists.numbers(of: file)
            #expect(numbers[4930123456] == DirectoryAttributes(blocked: true, labels: labels))
            #expect(numbers[4930123459] == nil)
            #expect(numbers.count == 49)
            #expect(report.sources.map(\.conflicts).reduce(0, +) == (policy == .all ? 0 : 2))
        }
    }

    @Test("Bug 18: repeated lines are counted as duplicates, and the counts of every list add up")
    func counts() throws {
        let list = "+4930123456\n+49 30 123456\nx\n\n+4930123457;A\n+4930123457;A\n"
        let (report, _) = try Lists.compile([Lists.source(list), Lists.source(list)])
        #expect(report.sources.map(\.duplicates) == [2, 4])
        for source in report.sources {
            #expect(source.lines == source.ignored + source.accepted + source.rejectedCount)
        }
        #expect(report.directory.numbers == 2)
    }

    @Test("compile, read = the set the lists mean: random overlapping lists against a plain model, all policies")
    func model() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = Random(state: seed)
        for round in 0..<150 {
            let policy = LabelConflict.allCases[round % 3]
            let lists = (0..<Int.random(in: 1...4, using: &random)).map { _ in RandomList(using: &random) }
            let sources = lists.map { $0.source(piece: Int.random(in: 1...200, using: &random)) }
            let (report, file) = try Lists.compile(sources, conflict: policy)
            let expected = RandomList.meaning(of: lists, conflict: policy)
            #expect(try Lists.numbers(of: file) == expected, "seed \(seed), round \(round)")
            #expect(report.directory.numbers == UInt64(expected.count))
            try DirectoryFile(file).verify()
            // Through the scratch file, in other pieces: the same bytes.
            let again = lists.map { $0.source(piece: Int.random(in: 1...7, using: &random)) }
            #expect(try Lists.compile(again, conflict: policy).file == file)
        }
    }

    @Test("Bug 16: what does not fit in memory goes to a scratch file, and the result is the same byte for byte")
    func spilling() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var random = Random(state: seed)
        var list = ""
        for _ in 0..<120_000 {
            list += "49\(Int.random(in: 1_000_000...9_999_999, using: &random));L\(random.next() % 50)\n"
        }
        let small = try Lists.compile([Lists.source(list)], memory: 1 << 20)
        let large = try Lists.compile([Lists.source(list)], memory: 64 << 20)
        #expect(small.report.spills >= 5)
        #expect(large.report.spills == 0)
        #expect(small.file == large.file)
        #expect(small.report.sources == large.report.sources)
    }

    @Test("Bug 17: a compilation that fails leaves the old file as it was, and no other")
    func atomic() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("compile-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("list.ohd").path
        let old = try AtomicFile(path: path)
        _ = try DirectoryCompiler().compile([Lists.source("+4930123456\n")], into: old)
        try old.finish()
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        struct Broken: Error {}
        let failing = ImportSource(name: "pipe", format: .text, purpose: .block) { _ in throw Broken() }
        #expect(throws: Broken.self) {
            let file = try AtomicFile(path: path)
            _ = try DirectoryCompiler().compile([Lists.source("+4930999999\n"), failing], into: file)
            try file.finish()
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["list.ohd"])
        #expect(throws: CompileError.self) { try AtomicFile(path: folder.appendingPathComponent("no/list.ohd").path) }
    }

    @Test("A scratch folder that cannot be written is named, with what to do")
    func scratch() throws {
        let list = String(repeating: "+4930123456\n", count: 50_000)
        let settings = DirectoryCompiler.Settings(memory: 1 << 20, scratchDirectory: "/nonexistent")
        let error = #expect(throws: CompileError.self) {
            try DirectoryCompiler(settings: settings).compile([Lists.source(list)], into: Collected())
        }
        #expect(error?.description.contains("a scratch file in /nonexistent cannot be used") == true)
    }
}
