// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet
import Testing

@testable import offhook

@Suite(.serialized) struct DirectoryLoadCommandTests {
    private struct Report: Decodable {
        struct Share: Decodable {
            var isLoaded: Bool
            var blocked: Int
            var labels: Int
            var requests: Int
            var isIncremental: Bool
            var peakMemory: Int?
        }
        var isLoaded: Bool
        var entries: Int
        var added: Int
        var removed: Int
        var extensions: [Share]
    }

    private func run(_ arguments: [String]) async -> (status: ToolStatus, output: String, errors: String) {
        let output = Guarded("")
        let errors = Guarded("")
        let terminal = Terminal(
            colour: false, width: 100, write: { text in output.withLock { $0 += text } },
            writeError: { text in errors.withLock { $0 += text } })
        let status = await OffhookTool(terminal: terminal).run(arguments)
        return (status, output.withLock { $0 }, errors.withLock { $0 })
    }

    private func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("load-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    private func compile(_ text: String, in folder: URL) async throws -> String {
        let list = folder.appendingPathComponent("list.patterns").path
        try Data(text.utf8).write(to: URL(fileURLWithPath: list))
        let file = folder.appendingPathComponent("list.directory").path
        let compiled = await run(["directory", "compile", list, "--out", file])
        #expect(compiled.status == .success, "\(compiled.errors)")
        return file
    }

    private func load(_ arguments: [String]) async throws -> Report {
        let loaded = await run(["directory", "load", "--json"] + arguments)
        #expect(loaded.status == .success, "\(loaded.errors)\(loaded.output)")
        return try JSONDecoder().decode(Report.self, from: Data(loaded.output.utf8))
    }

    @Test("R109: load has extensions in processes of their own load a file; the second load sends only the changes")
    func loads() async throws {
        try await withFolder { folder in
            let places = [
                "--folder", folder.appendingPathComponent("group").path,
                "--phone", folder.appendingPathComponent("phone").path, "--extensions", "2",
            ]
            let first = try await compile("4930000..4930999\n4940000..4940099\tAcme\n", in: folder)
            let whole = try await load([first] + places)
            #expect(whole.isLoaded)
            #expect((whole.entries, whole.added, whole.removed) == (1200, 1200, 0))
            #expect(whole.extensions.map(\.isIncremental) == [false, false])
            #expect(whole.extensions.allSatisfy { $0.blocked > 300 && $0.labels > 20 })
            let second = try await compile("4930001..4931000\n4940000..4940099\tAcme\n", in: folder)
            let changes = try await load([second] + places)
            #expect((changes.entries, changes.added, changes.removed) == (1200, 1, 1))
            #expect(changes.extensions.map(\.isIncremental) == [true, true])
        }
    }

    @Test("P48: an extension stays within 2 MiB of private memory")
    func memory() async throws {
        try await withFolder { folder in
            let lines = (0..<40_000).map { "\(4_930_000_000 + $0 * 7)\tCaller \($0 % 500)\n" }.joined()
            let report = try await load([try await compile(lines, in: folder)])
            #expect(report.extensions.map(\.requests) == [1])
            #expect(try #require(report.extensions.first?.peakMemory) <= 2 << 20)
            #expect(report.entries == 80_000)
        }
    }

    @Test("load says how it went in words; what is no directory, or a list no phone takes, is an error")
    func words() async throws {
        try await withFolder { folder in
            let file = try await compile("4930000..4930009\n", in: folder)
            let loaded = await run(["directory", "load", file])
            #expect(loaded.status == .success, "\(loaded.errors)")
            #expect(loaded.output.contains("com.example.app.directory0: loaded; 10 blocked, 0 labels; 1 request"))
            #expect(await run(["directory", "load", "/nonexistent"]).status == .environment)
            #expect(await run(["directory", "load", file, "--extensions", "65"]).status == .usage)
            let huge = try await compile("490000000000..499999999999\n", in: folder)
            let refused = await run(["directory", "load", huge])
            #expect(refused.status == .environment)
            #expect(refused.errors.contains("more than any phone takes"))
        }
    }
}
