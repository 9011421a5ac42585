// SPDX-License-Identifier: MIT

import OffhookDirectory
import OffhookDirectoryCompiler
import OffhookTesting

/// `offhook directory diff`.
struct DirectoryDiffCommand {
    private let old: String
    private let new: String
    private let output: String?
    private let shown: Int
    private let isJSON: Bool

    static let description = CommandDescription(
        name: "directory diff",
        summary: "Compares two directory files, and writes what changed.",
        discussion: """
            Counts what an incremental load would do. With --out the changes are written as a delta file, which \
            --apply turns into the new file again, byte for byte.
            """,
        arguments: [
            ArgumentDescription(name: "OLD", help: "The directory file before; with --apply the one to start from."),
            ArgumentDescription(name: "NEW", help: "The directory file after; with --apply the delta file."),
        ],
        options: [
            OptionDescription(
                name: "out", value: "FILE", help: "Where the delta is written; with --apply, the directory."),
            OptionDescription(name: "apply", help: "Applies a delta instead of making one."),
            OptionDescription(
                name: "show", value: "N", help: "How many changes to print, 0 to 1000000; 0 unless given."),
            DirectoryCommands.json,
        ],
        examples: [
            .init(line: "offhook directory diff may.directory june.directory --show 20", meaning: "what June changed"),
            .init(
                line: "offhook directory diff may.directory june.directory --out june.delta",
                meaning: "a file with the changes alone"),
            .init(
                line: "offhook directory diff may.directory june.delta --apply --out june.directory",
                meaning: "June's file from May's and the delta"),
        ])

    private let applies: Bool

    init(_ parsed: ParsedOptions) throws {
        old = parsed.arguments[0]
        new = parsed.arguments[1]
        output = parsed.string("out")
        applies = parsed.has("apply")
        shown = try parsed.integer("show", in: 0...1_000_000) ?? 0
        isJSON = parsed.has("json")
        if applies, output == nil {
            throw UsageError(message: "--apply needs --out", hint: "Write: --apply --out FILE")
        }
    }

    private struct Change: Encodable {
        struct Attributes: Encodable {
            var blocked: Bool
            var labels: [String]

            init?(_ attributes: DirectoryAttributes) {
                guard attributes != .none else { return nil }
                (blocked, labels) = (attributes.blocked, attributes.labels)
            }
        }
        var first: Int64
        var last: Int64
        /// Missing when the numbers were not listed.
        var before: Attributes?
        var after: Attributes?
    }

    private struct Counts: Encodable {
        var added: UInt64 = 0
        var removed: UInt64 = 0
        var newlyBlocked: UInt64 = 0
        var unblocked: UInt64 = 0
        var relabelled: UInt64 = 0
        var deltaBytes: Int?
        /// As many as --show says.
        var changes: [Change]?
    }

    /// Counts the changes, or applies them.
    func run(_ terminal: Terminal) throws -> ToolStatus {
        let base = try DirectoryCommands.open(old)
        if applies { return try apply(base, terminal) }
        let target = try DirectoryCommands.open(new)
        var counts = Counts()
        var left = shown
        if isJSON, shown > 0 { counts.changes = [] }
        var difference = DirectoryDifference(from: base, to: target)
        while let change = try difference.next() {
            let count = UInt64(change.last - change.first) + 1
            if change.before == .none { counts.added += count }
            if change.after == .none { counts.removed += count }
            if change.after.blocked, !change.before.blocked { counts.newlyBlocked += count }
            if change.before.blocked, !change.after.blocked { counts.unblocked += count }
            if change.before != .none, change.after != .none, change.before.labels != change.after.labels {
                counts.relabelled += count
            }
            if left > 0 {
                left -= 1
                guard !isJSON else {
                    counts.changes?.append(
                        Change(
                            first: change.first, last: change.last, before: .init(change.before),
                            after: .init(change.after)))
                    continue
                }
                let numbers = change.first == change.last ? "+\(change.first)" : "+\(change.first)..\(change.last)"
                terminal.line("\(numbers)  \(Self.words(change.before)) → \(Self.words(change.after))")
            }
        }
        if let output {
            var file = try AtomicFile(path: output)
            counts.deltaBytes = try DirectoryDelta.write(from: base, to: target, into: &file).bytes
            try file.finish()
        }
        if isJSON {
            try DirectoryCommands.print(counts, terminal)
        } else {
            var rows = [
                ("numbers added", counts.added.grouped), ("numbers removed", counts.removed.grouped),
                ("newly blocked", counts.newlyBlocked.grouped), ("unblocked", counts.unblocked.grouped),
                ("relabelled", counts.relabelled.grouped),
            ]
            if let bytes = counts.deltaBytes { rows.append(("bytes of the delta", bytes.grouped)) }
            DirectoryCommands.table(rows, terminal)
        }
        return .success
    }

    private func apply(_ base: DirectoryFile, _ terminal: Terminal) throws -> ToolStatus {
        guard let output else { return .usage }
        let delta = try DirectoryCommands.open(new, kind: .delta)
        var file = try AtomicFile(path: output)
        let summary = try DirectoryDelta.apply(delta, to: base, into: &file)
        try file.finish()
        if isJSON {
            try DirectoryCommands.print(DirectoryCounts(summary), terminal)
        } else {
            terminal.line(terminal.paint(output, .bold))
            DirectoryCommands.table(DirectoryCounts(summary).rows, terminal)
        }
        return .success
    }

    private static func words(_ attributes: DirectoryAttributes) -> String {
        let parts = (attributes.blocked ? ["blocked"] : []) + attributes.labels.map { "“\($0)”" }
        return parts.isEmpty ? "not listed" : parts.joined(separator: ", ")
    }
}
