// SPDX-License-Identifier: MIT

import OffhookDirectory
import OffhookTesting

/// `offhook directory plan`.
struct DirectoryPlanCommand {
    private let path: String
    private let baseline: String?
    private let extensions: Int?
    private let cap: Int
    private let chunk: Int?
    private let isJSON: Bool

    static let description = CommandDescription(
        name: "directory plan",
        summary: "Says how a directory file gets onto a phone.",
        discussion: """
            How many extensions it needs, what each of them loads, in how many requests, and what an update from an older \
            file sends instead of the whole list.
            """,
        arguments: [ArgumentDescription(name: "FILE", help: "The directory file to load.")],
        options: [
            OptionDescription(name: "from", value: "FILE", help: "The directory file that the phone has."),
            OptionDescription(
                name: "extensions", value: "N", help: "How many extensions the app has, 1 to 64; as many as needed."),
            OptionDescription(
                name: "cap", value: "N",
                help: "The most entries of an extension; \(DirectoryCapacity.entriesPerExtension) unless given."),
            OptionDescription(name: "chunk", value: "N", help: "The most changes of a request; no limit unless given."),
            DirectoryCommands.json,
        ],
        examples: [
            .init(line: "offhook directory plan spam.directory", meaning: "the first load"),
            .init(line: "offhook directory plan june.directory --from may.directory", meaning: "an update"),
        ])

    init(_ parsed: ParsedOptions) throws {
        path = parsed.arguments[0]
        baseline = parsed.string("from")
        extensions = try parsed.integer("extensions", in: 1...64)
        cap = try parsed.integer("cap", in: 1...100_000_000) ?? DirectoryCapacity.entriesPerExtension
        chunk = try parsed.integer("chunk", in: 1...100_000_000)
        isJSON = parsed.has("json")
    }

    private struct Plan: Encodable {
        var entries: UInt64
        var extensions: Int
        var shares: [LoadPlan.Share]
    }

    /// Prints the plan.
    func run(_ terminal: Terminal) throws -> ToolStatus {
        let file = try DirectoryCommands.open(path)
        let old = try baseline.map { try DirectoryCommands.open($0) }
        guard let needed = DirectoryCapacity.extensions(for: file.summary, cap: cap) else {
            throw EnvironmentError(
                message: "\(path): \(file.summary.numbers.grouped) numbers are more than any phone takes: "
                    + "leave ranges out, or raise --cap")
        }
        var count = extensions ?? needed
        guard count >= needed else {
            throw EnvironmentError(
                message: "\(path): needs \(needed) extensions of \(cap.grouped) entries, not \(count)")
        }
        var shares = try LoadPlan(from: old, to: file, extensions: count, chunk: chunk).shares
        // Shares are even, but for chance: of a short list with a small cap one may be too large.
        while let largest = shares.map(\.entries).max(), largest > cap {
            guard extensions == nil, count < 64 else {
                throw EnvironmentError(
                    message: "\(path): in \(count) extensions one would have \(largest.grouped) entries, "
                        + "more than \(cap.grouped)")
            }
            count += 1
            shares = try LoadPlan(from: old, to: file, extensions: count, chunk: chunk).shares
        }
        let plan = Plan(
            entries: file.summary.blocked + file.summary.identifications, extensions: count, shares: shares)
        if isJSON {
            try DirectoryCommands.print(plan, terminal)
            return .success
        }
        terminal.line("\(plan.entries.grouped) entries in \(count) extension\(count == 1 ? "" : "s")")
        for (index, share) in plan.shares.enumerated() {
            terminal.line(terminal.paint("extension \(index)", .bold))
            DirectoryCommands.table(
                [
                    ("entries in the end", share.entries.grouped), ("to add", share.adds.grouped),
                    ("to remove", share.removes.grouped), ("requests", share.requests.grouped),
                ], terminal)
        }
        return .success
    }
}
