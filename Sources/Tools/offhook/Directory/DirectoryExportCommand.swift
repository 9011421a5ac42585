// SPDX-License-Identifier: MIT

import Foundation
import OffhookDirectory
import OffhookDirectoryCompiler

/// `offhook directory export`.
struct DirectoryExportCommand {
    /// What to write.
    enum Format: String, CaseIterable {
        /// `first,last,blocked,labels`, one line an entry.
        case csv
        /// The input of the database tool of Apple's Live Caller ID Lookup service: identities as protobuf text.
        case live
    }

    private let path: String
    private let output: String?
    private let format: Format
    private let cacheMinutes: Int
    private let limit: UInt64
    private let isJSON: Bool

    static let description = CommandDescription(
        name: "directory export",
        summary: "Writes a directory file as CSV, or for Live Caller ID Lookup.",
        discussion: """
            csv has a line for each number or range, with several labels separated by |. live is the input of \
            ConstructDatabase, the tool that makes the databases of Apple's Live Caller ID Lookup service: one identity a \
            number, the first label as its name. Ranges are written number by number there, so there is a limit.
            """,
        arguments: [ArgumentDescription(name: "FILE", help: "A directory file.")],
        options: [
            OptionDescription(name: "format", value: "NAME", help: "csv or live; csv unless given."),
            OptionDescription(name: "out", value: "FILE", help: "Where to write; standard output unless given."),
            OptionDescription(
                name: "cache", value: "MINUTES",
                help: "live: how long a phone keeps an answer, 1 to 525600 minutes; 1440 unless given."),
            OptionDescription(
                name: "limit", value: "N", help: "live: the most numbers to write; 50000000 unless given."),
            OptionDescription(name: "json", help: "With --out: prints what was written as one JSON object."),
        ],
        examples: [
            .init(line: "offhook directory export spam.directory --out spam.csv", meaning: "for a spreadsheet"),
            .init(
                line: "offhook directory export spam.directory --format live --out input.txtpb",
                meaning: "for ConstructDatabase"),
        ])

    init(_ parsed: ParsedOptions) throws {
        path = parsed.arguments[0]
        output = parsed.string("out")
        format = try parsed.choice("format") ?? .csv
        cacheMinutes = try parsed.integer("cache", in: 1...525_600) ?? 1440
        limit = try parsed.integer("limit", in: 1...UInt64(Int64.max)) ?? 50_000_000
        isJSON = parsed.has("json")
        if isJSON, output == nil {
            throw UsageError(message: "--json needs --out", hint: "The entries go to standard output without it")
        }
    }

    private struct Report: Encodable {
        var file: String
        var format: String
        var entries: UInt64
        var numbers: UInt64
        var bytes: Int
    }

    /// Writes the entries.
    func run(_ terminal: Terminal) throws -> ToolStatus {
        let file = try DirectoryCommands.open(path)
        if format == .live, file.summary.numbers > limit {
            throw EnvironmentError(
                message: "\(path): \(file.summary.numbers.grouped) numbers are more than --limit \(limit.grouped)")
        }
        let sink = try output.map { try AtomicFile(path: $0) }
        let progress = ProgressLine(terminal, isShown: sink == nil ? false : true)
        var buffer = format == .csv ? "first,last,blocked,labels\n" : ""
        var bytes = 0
        func flush() throws {
            bytes += buffer.utf8.count
            if let sink { try sink.append(Array(buffer.utf8)) } else { terminal.write(buffer) }
            buffer = ""
        }
        var cursor = file.entries()
        var done: UInt64 = 0
        while let entry = try cursor.next() {
            switch format {
            case .csv: buffer += Self.csv(entry)
            case .live: for number in entry.first...entry.last { buffer += live(number, entry.attributes) }
            }
            done += 1
            if buffer.utf8.count > 1 << 16 {
                try flush()
                progress.show("exporting", Double(done) / Double(max(1, file.summary.items)), "\(done.grouped) entries")
            }
        }
        try flush()
        progress.clear()
        try sink?.finish()
        if isJSON, let output {
            try DirectoryCommands.print(
                Report(
                    file: output, format: format.rawValue, entries: done, numbers: file.summary.numbers, bytes: bytes),
                terminal)
        }
        return .success
    }

    private static func csv(_ entry: DirectoryEntry) -> String {
        let labels = entry.attributes.labels.joined(separator: "|")
        let isPlain = !labels.contains { ",\"\r\n".contains($0) }
        let field = isPlain ? labels : "\"" + labels.replacingOccurrences(of: "\"", with: "\"\"") + "\""
        return "\(entry.first),\(entry.last),\(entry.attributes.blocked ? 1 : 0),\(field)\n"
    }

    private func live(_ number: Int64, _ attributes: DirectoryAttributes) -> String {
        let name = attributes.labels.first.map { "    name: \"\(Self.escaped($0))\"\n" } ?? ""
        let block = attributes.blocked ? "    block: true\n" : ""
        return
            "identities {\n  key: \"+\(number)\"\n  value {\n\(name)    cache_expiry_minutes: \(cacheMinutes)\n\(block)"
            + "  }\n}\n"
    }

    /// A string of protobuf's text format.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": escaped += "\\\""
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\0"..<" ", "\u{7F}":
                let octal = String(scalar.value, radix: 8)
                escaped += "\\" + String(repeating: "0", count: 3 - octal.count) + octal
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
