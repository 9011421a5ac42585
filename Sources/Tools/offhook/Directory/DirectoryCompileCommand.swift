// SPDX-License-Identifier: MIT

import Foundation
import OffhookDirectory
import OffhookDirectoryCompiler
import OffhookTesting

/// `offhook directory compile`.
struct DirectoryCompileCommand {
    private let sources: [ListSource]
    private let output: String
    private let rejects: String?
    private let settings: DirectoryCompiler.Settings
    private let isJSON: Bool

    static let description = CommandDescription(
        name: "directory compile",
        summary: "Compiles lists of numbers into a directory file.",
        discussion: """
            Reads lists of any size, from files or from a pipe, and writes one sorted, checksummed file that a Call \
            Directory extension loads in little memory. Lines that are no numbers are counted by reason and do not stop \
            it, unless not one line is a number: then the destination stays as it is, and the exit code is 1. The destination \
            is replaced at the end, whole or not at all.

            After a list's path, commas and properties say how it is written: spam.csv,region=DE,number=phone. They are:
            """ + "\n" + ListSource.keys.map { "\($0.name)=: \($0.meaning)." }.joined(separator: "\n"),
        arguments: [
            ArgumentDescription(
                name: "LIST",
                help: "A path, or - for standard input; then properties. The first list has the first word.",
                repeats: true)
        ],
        options: [
            OptionDescription(name: "out", value: "FILE", help: "Where the directory is written; required."),
            OptionDescription(
                name: "with", value: "PROPERTY=VALUE", help: "A property of all lists, such as region=DE.",
                repeats: true),
            OptionDescription(
                name: "conflict", value: "RULE",
                help: "Which label wins when lists disagree: first (list), last or all; first unless given."),
            OptionDescription(
                name: "rejects", value: "FILE", help: "Writes every refused line's list, number and reason, as CSV."),
            OptionDescription(
                name: "memory", value: "MIB", help: "Memory for sorting, 1 to 65536 MiB; 192 unless given."),
            OptionDescription(name: "scratch", value: "DIR", help: "Where sorting may need room; /tmp unless given."),
            DirectoryCommands.json,
        ],
        examples: [
            .init(
                line: "offhook directory compile spam.txt,region=DE --out spam.directory",
                meaning: "a list of numbers to block; German ones may lack their country code"),
            .init(
                line: "offhook directory compile codes.patterns names.csv,for=identify,label=2 --out all.directory",
                meaning: "whole ranges to block, and names to show"),
            .init(
                line: "offhook directory compile - --with digits=international --out big.directory",
                meaning: "millions of lines from a pipe"),
        ])

    init(_ parsed: ParsedOptions) throws {
        guard let output = parsed.string("out") else {
            throw UsageError(message: "--out is missing", hint: "Write: offhook directory compile LIST --out FILE")
        }
        self.output = output
        var defaults: [String: String] = [:]
        for property in parsed.values["with"] ?? [] {
            let source = try ListSource("-,\(property)", defaults: [:])
            guard source.path == "-" else {
                throw UsageError(message: "--with takes PROPERTY=VALUE, not '\(property)'", hint: nil)
            }
            let pair = property.split(separator: "=", maxSplits: 1).map(String.init)
            defaults[pair[0]] = pair.count > 1 ? pair[1] : ""
        }
        sources = try parsed.arguments.map { try ListSource($0, defaults: defaults) }
        if sources.filter({ $0.path == "-" }).count > 1 {
            throw UsageError(message: "standard input can be read once", hint: nil)
        }
        rejects = parsed.string("rejects")
        settings = DirectoryCompiler.Settings(
            conflict: try parsed.choice("conflict") ?? .first,
            memory: (try parsed.integer("memory", in: 1...65536) ?? 192) << 20,
            scratchDirectory: parsed.string("scratch") ?? "/tmp")
        isJSON = parsed.has("json")
    }

    /// Compiles, and reports what became of every line.
    func run(_ terminal: Terminal) throws -> ToolStatus {
        let opened = try sources.map { try $0.open() }
        let sizes = sources.map(\.size)
        let progress = ProgressLine(terminal)
        let start = Date()
        let file = try AtomicFile(path: output)
        let rejections = try rejects.map { try AtomicFile(path: $0) }
        try rejections?.append(Array("list,line,reason\n".utf8))
        let report: DirectoryCompiler.Report
        do {
            report = try DirectoryCompiler(settings: settings).compile(
                opened, into: file,
                rejected: { source, rejection in
                    let name = opened[source].name.replacingOccurrences(of: "\"", with: "\"\"")
                    try rejections?.append(Array("\"\(name)\",\(rejection.line),\(rejection.reason)\n".utf8))
                },
                progress: { show($0, progress, opened, sizes) })
        } catch {
            progress.clear()
            throw error
        }
        progress.clear()
        try rejections?.finish()
        // A list read in the wrong way must not take the place of one that was right.
        let isUseless = report.directory.numbers == 0 && report.sources.contains { $0.rejectedCount > 0 }
        if !isUseless { try file.finish() }
        try print(report, isWritten: !isUseless, seconds: Date().timeIntervalSince(start), terminal)
        guard isUseless else { return .success }
        terminal.errorLine("offhook: no line was accepted; \(output) is as it was")
        for (source, report) in zip(opened, report.sources) where report.rejectedCount > 0 {
            terminal.errorLine(Self.hint(source))
        }
        return .verificationFailed
    }

    /// What may be wrong when nothing of a list is understood.
    private static func hint(_ source: ImportSource) -> String {
        let region = source.numbers.defaultRegion == nil ? "; numbers without a country code need region=DE" : ""
        switch source.format {
        case .text: return "\(source.name) was read as one number a line\(region); see format= and number= in --help"
        case .patterns: return "\(source.name) was read as one pattern a line, such as +33162######"
        case .jsonLines: return "\(source.name) was read as one object a line, such as {\"number\": \"+4930123456\"}"
        case .csv(let columns):
            let separator = String(decoding: [columns.separator], as: UTF8.self).debugDescription
            let column =
                switch columns.number {
                case .index(let index): "column \(index + 1)"
                case .named(let name): "column \(name)"
                }
            return "\(source.name) was read with the number in \(column), separated by \(separator)\(region); "
                + "see number= and separator= in --help"
        }
    }

    private func show(
        _ step: DirectoryCompiler.Progress, _ progress: ProgressLine, _ sources: [ImportSource], _ sizes: [Int?]
    ) {
        switch step {
        case .reading(let source, let lines, let bytes):
            let fraction = sizes[source].map { $0 == 0 ? 1 : Double(bytes) / Double($0) }
            progress.show("reading \(sources[source].name)", fraction, "\(lines.grouped) lines")
        case .writing(let entries, let all):
            progress.show("writing", all == 0 ? 1 : Double(entries) / Double(all), "\(entries.grouped) entries")
        }
    }

    // MARK: - Report

    private struct JSONReport: Encodable {
        struct Source: Encodable {
            var name: String
            var lines: Int
            var ignored: Int
            var accepted: Int
            var rejected: [String: Int]
            var numbers: UInt64
            var variants: UInt64
            var duplicates: Int
            var conflicts: Int
        }
        var file: String
        var isWritten: Bool
        var seconds: Double
        var sources: [Source]
        var directory: DirectoryCounts
    }

    private func print(
        _ report: DirectoryCompiler.Report, isWritten: Bool, seconds: Double, _ terminal: Terminal
    ) throws {
        if isJSON {
            let sources = report.sources.map { source in
                JSONReport.Source(
                    name: source.name, lines: source.lines, ignored: source.ignored, accepted: source.accepted,
                    rejected: Dictionary(
                        source.rejected.map { ($0.key.description, $0.value) }, uniquingKeysWith: +),
                    numbers: source.numbers, variants: source.variants, duplicates: source.duplicates,
                    conflicts: source.conflicts)
            }
            return try DirectoryCommands.print(
                JSONReport(
                    file: output, isWritten: isWritten, seconds: seconds, sources: sources,
                    directory: DirectoryCounts(report.directory)),
                terminal)
        }
        for source in report.sources {
            terminal.line(terminal.paint(source.name, .bold))
            var rows = [
                ("lines", source.lines.grouped), ("empty and comments", source.ignored.grouped),
                ("accepted", source.accepted.grouped), ("refused", source.rejectedCount.grouped),
                ("numbers", source.numbers.grouped), ("said before", source.duplicates.grouped),
                ("label lost to another", source.conflicts.grouped),
            ]
            if source.variants > 0 { rows.append(("national variants", source.variants.grouped)) }
            DirectoryCommands.table(rows, terminal)
            for (reason, count) in source.rejected.sorted(by: {
                ($1.value, $0.key.description) < ($0.value, $1.key.description)
            }) {
                let lines = source.examples.filter { $0.reason == reason }.prefix(3).map { "\($0.line)" }
                let places = lines.isEmpty ? "" : ", as in line \(lines.joined(separator: ", "))"
                terminal.line("  " + terminal.paint("\(count.grouped) refused: \(reason)\(places)", .bad))
            }
        }
        guard isWritten else { return }
        terminal.line(terminal.paint(output, .bold))
        DirectoryCommands.table(DirectoryCounts(report.directory).rows, terminal)
        let rate = seconds > 0 ? Int(Double(report.sources.map(\.lines).reduce(0, +)) / seconds) : 0
        terminal.line(
            String(format: "  in %.1f s, ", seconds) + "\(rate.grouped) lines a second"
                + (report.spills > 0 ? "; sorted on disk in \(report.spills.grouped) parts" : ""))
    }
}
