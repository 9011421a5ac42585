// SPDX-License-Identifier: MIT

import OffhookDirectory
import OffhookTesting

/// `offhook directory inspect`.
struct DirectoryInspectCommand {
    private let path: String
    private let labels: Int
    private let isJSON: Bool

    static let description = CommandDescription(
        name: "directory inspect",
        summary: "Shows what a directory file holds.",
        discussion: """
            Counts numbers, ranges and labels, shows how many numbers each country code has, and the most frequent \
            labels. Reads the whole file once.
            """,
        arguments: [ArgumentDescription(name: "FILE", help: "A directory file.")],
        options: [
            OptionDescription(
                name: "labels", value: "N", help: "How many labels to show, 0 to 10000; 10 unless given."),
            DirectoryCommands.json,
        ],
        examples: [
            .init(line: "offhook directory inspect spam.directory", meaning: "counts, countries and labels")
        ])

    init(_ parsed: ParsedOptions) throws {
        path = parsed.arguments[0]
        labels = try parsed.integer("labels", in: 0...10000) ?? 10
        isJSON = parsed.has("json")
    }

    private struct Found: Encodable {
        struct Count: Encodable {
            var name: String
            var numbers: UInt64
        }
        var counts: DirectoryCounts
        var ranges: UInt64
        var numbersInRanges: UInt64
        var first: Int64?
        var last: Int64?
        var countryCodes: [Count]
        var frequentLabels: [Count]
    }

    /// Prints what is in the file.
    func run(_ terminal: Terminal) throws -> ToolStatus {
        let file = try DirectoryCommands.open(path)
        let found = try read(file)
        if isJSON {
            try DirectoryCommands.print(found, terminal)
            return .success
        }
        terminal.line(terminal.paint(path, .bold))
        var rows = found.counts.rows
        rows.append(("ranges", found.ranges.grouped))
        rows.append(("numbers in ranges", found.numbersInRanges.grouped))
        if let first = found.first, let last = found.last {
            rows += [("first number", "\(first)"), ("last number", "\(last)")]
        }
        DirectoryCommands.table(rows, terminal)
        chart("Numbers by country code", found.countryCodes.map { ("+\($0.name)", $0.numbers) }, terminal)
        chart("Most frequent labels", found.frequentLabels.map { ($0.name, $0.numbers) }, terminal)
        return .success
    }

    private func read(_ file: DirectoryFile) throws -> Found {
        var (ranges, inRanges): (UInt64, UInt64) = (0, 0)
        var codes: [Int: UInt64] = [:]
        var sets = [UInt64](repeating: 0, count: file.summary.attributeSets)
        var (first, last): (Int64?, Int64?)
        var cursor = file.entries()
        while let item = try cursor.nextNumbers() {
            let count = UInt64(item.last - item.first) + 1
            if count > 1 {
                ranges += 1
                inRanges += count
            }
            // A range lies within one country code as a rule; its first number stands for it.
            codes[PhoneNumber(rawValue: item.first)?.countryCode ?? 0, default: 0] += count
            sets[Int(item.set)] += count
            if first == nil { first = item.first }
            last = item.last
        }
        var labelled: [String: UInt64] = [:]
        for (set, count) in sets.enumerated() where count > 0 {
            for label in try file.attributes(set: UInt32(set)).labels { labelled[label, default: 0] += count }
        }
        let frequent = labelled.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(labels)
        return Found(
            counts: DirectoryCounts(file.summary), ranges: ranges, numbersInRanges: inRanges, first: first, last: last,
            countryCodes: codes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map {
                .init(name: $0.key == 0 ? "?" : "\($0.key)", numbers: $0.value)
            },
            frequentLabels: frequent.map { .init(name: $0.key, numbers: $0.value) })
    }

    private func chart(_ title: String, _ rows: [(String, UInt64)], _ terminal: Terminal) {
        guard let most = rows.map(\.1).max(), most > 0 else { return }
        terminal.line()
        terminal.line(terminal.paint(title, .bold))
        let shown = rows.prefix(max(labels, 15))
        let names = min(shown.map(\.0.count).max() ?? 0, 30)
        let values = shown.map { $0.1.grouped.count }.max() ?? 0
        for (name, count) in shown {
            let bar = ProgressLine.bar(Double(count) / Double(most), width: 40)
            let name = name.count > names ? String(name.prefix(names - 1)) + "…" : name
            terminal.line(
                "  " + TextWrap.pad(name, to: names + 2) + TextWrap.padLeft(count.grouped, to: values) + "  "
                    + terminal.paint(bar, .accent))
        }
        if rows.count > shown.count { terminal.line("  and \((rows.count - shown.count).grouped) more") }
    }
}
