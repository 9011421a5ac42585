// SPDX-License-Identifier: MIT

import Foundation
import OffhookCallDirectory
import OffhookDirectory
import OffhookNet
import OffhookTesting

/// `offhook directory load`.
struct DirectoryLoadCommand {
    private let path: String
    private let folder: String?
    private let phone: String?
    private let extensions: Int?
    private let memory: Int
    private let isJSON: Bool

    static let description = CommandDescription(
        name: "directory load",
        summary: "Loads a directory file onto a virtual phone.",
        discussion: """
            Publishes the file into the folder that an app shares with its extensions, and has a virtual phone load it. \
            Each extension is a process of its own whose private memory is limited. The second load with the same \
            --folder and --phone sends only what changed. Exits with 1 when an extension does not have its share.
            """,
        arguments: [ArgumentDescription(name: "FILE", help: "A directory file.")],
        options: [
            OptionDescription(
                name: "folder", value: "DIR", help: "The folder that app and extensions share; temporary unless given."),
            OptionDescription(
                name: "phone", value: "DIR", help: "Where the phone keeps what it has; temporary unless given."),
            OptionDescription(
                name: "extensions", value: "N",
                help: "How many extensions the app has, 1 to 64; as many as before, or as needed, unless given."),
            OptionDescription(
                name: "memory-limit", value: "MIB",
                help: "Private memory of an extension beyond what it begins with, 1 to 1024 MiB; 2 unless given."),
            DirectoryCommands.json,
        ],
        examples: [
            .init(line: "offhook directory load spam.directory", meaning: "would a phone take it?"),
            .init(
                line: "offhook directory load june.directory --folder group --phone phone",
                meaning: "the changes since May, when May was loaded in the same way"),
        ])

    init(_ parsed: ParsedOptions) throws {
        path = parsed.arguments[0]
        folder = parsed.string("folder")
        phone = parsed.string("phone")
        extensions = try parsed.integer("extensions", in: 1...64)
        memory = try parsed.integer("memory-limit", in: 1...1024) ?? 2
        isJSON = parsed.has("json")
    }

    /// Loads the file, and reports what each extension did.
    func run(_ terminal: Terminal) async throws -> ToolStatus {
        let summary = try DirectoryCommands.open(path).summary
        guard let needed = DirectoryCapacity.extensions(for: summary) else {
            throw EnvironmentError(
                message: "\(path): \(summary.numbers.grouped) numbers are more than any phone takes: leave ranges out")
        }
        let temporary = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: temporary) }
        func place(_ given: String?, _ name: String) throws -> URL {
            let url =
                given.map { URL(fileURLWithPath: $0, isDirectory: true) } ?? temporary.appendingPathComponent(name)
            do {
                try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            } catch {
                throw EnvironmentError(message: "\(url.path): cannot be made: \(error.localizedDescription)")
            }
            return url
        }
        let shared = DirectoryFolder(try place(folder, "group"))
        let before = (try? shared.target())?.shards ?? 0
        let bench = LoadBench(
            folder: shared, storage: try place(phone, "phone"), extensions: extensions ?? max(needed, before),
            memoryLimit: memory << 20, executable: try LoadBench.thisProgram())
        defer { bench.close() }
        let progress = Guarded(ProgressLine(terminal))
        let report: LoadReport
        do {
            report = try await bench.load(URL(fileURLWithPath: path)) { given in
                let all = summary.blocked + summary.identifications
                let fraction = all == 0 ? 1 : Double(given) / Double(all)
                progress.withLock { $0.show("loading", fraction, "\(given.grouped) entries") }
            }
        } catch let error as DirectoryFolderError {
            progress.withLock { $0.clear() }
            throw EnvironmentError(message: "\(error)")
        }
        progress.withLock { $0.clear() }
        try print(report, terminal)
        return report.isLoaded ? .success : .verificationFailed
    }

    private func print(_ report: LoadReport, _ terminal: Terminal) throws {
        if isJSON { return try DirectoryCommands.print(report, terminal) }
        terminal.line(terminal.paint(path, .bold))
        var rows = [
            ("entries on the phone", report.entries.grouped), ("added", report.added.grouped),
            ("removed", report.removed.grouped), ("requests", report.requests.grouped),
            ("seconds", String(format: "%.2f", report.seconds)),
            ("changes a second", Int(report.changesPerSecond).grouped),
        ]
        if let peak = report.peakMemory { rows.append(("private memory, KiB", (peak >> 10).grouped)) }
        DirectoryCommands.table(rows, terminal)
        for share in report.extensions {
            let counts = "\(share.blocked.grouped) blocked, \(share.labels.grouped) labels"
            let kind = share.requests == 0 ? "" : share.isIncremental ? ", changes alone" : ", the whole list"
            let requests = "\(share.requests) request\(share.requests == 1 ? "" : "s")\(kind)"
            terminal.line(
                terminal.paint(
                    "  \(share.identifier): \(share.result); \(counts); \(requests)", share.isLoaded ? .good : .bad))
            for failure in share.failures { terminal.line(terminal.paint("    \(failure)", .bad)) }
        }
    }
}
