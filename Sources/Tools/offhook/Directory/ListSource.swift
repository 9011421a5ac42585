// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import OffhookDirectory
import OffhookDirectoryCompiler

/// A list named on the command line: a path, or `-` for standard input, and what is special about it:
/// `spam.csv,region=DE,number=phone,block=yes`.
struct ListSource {
    /// A list's format by its name on the command line.
    enum Format: String, CaseIterable {
        case text, csv, jsonl, patterns
    }

    /// What a list is for, by its name on the command line.
    enum Purpose: String, CaseIterable {
        case block, identify, exclude
    }

    /// What may be said of a list, with its meaning for the help.
    static let keys: [(name: String, meaning: String)] = [
        ("format", "text, csv, jsonl or patterns; by the file's ending unless given (.csv, .jsonl, .patterns)"),
        ("for", "block, identify or exclude: what its numbers are there for"),
        ("region", "two letters of ISO 3166: whose numbers have no country code"),
        ("digits", "international: digits without + begin with the country code; national unless given"),
        ("idd", "what stands for +: region, zeros (00 too) or none"),
        ("valid", "yes: numbers without a place in a numbering plan are refused"),
        ("national", "yes: domestic numbers in their national form too"),
        ("number", "the CSV column of the number, by name or place from 1"),
        ("label", "the CSV column of the label; elsewhere the label of lines without one"),
        ("block", "the CSV column that says whether to block"),
        ("separator", "what separates CSV fields: comma, semicolon or tab"),
    ]

    let path: String
    private let values: [String: String]

    /// Reads a list's words; `defaults` are those given for all lists.
    init(_ words: String, defaults: [String: String]) throws {
        var parts = words.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        // A comma may be part of the path: only what looks like a known key belongs to the rest.
        var values = defaults
        while parts.count > 1, let last = parts.last {
            let pair = last.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2 else { break }
            guard ListSource.keys.contains(where: { $0.name == pair[0] }) else {
                let meant = Suggestion.nearest(to: pair[0], among: ListSource.keys.map(\.name))
                throw UsageError(
                    message: "a list has no property '\(pair[0])'",
                    hint: meant.map { "Did you mean '\($0)'?" } ?? "See: offhook directory compile --help")
            }
            values[pair[0]] = pair[1]
            parts.removeLast()
        }
        path = parts.joined(separator: ",")
        self.values = values
        guard !path.isEmpty else {
            throw UsageError(message: "a list needs a path, or - for standard input", hint: nil)
        }
        // What is wrong with the words is said before any file is opened.
        _ = (try format(), try purpose(), try numbers())
    }

    /// Opens the list.
    func open() throws -> ImportSource {
        let file: Int32
        if path == "-" {
            file = STDIN_FILENO
        } else {
            file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
            guard file >= 0 else {
                throw EnvironmentError(message: "\(path): cannot be read: \(String(cString: strerror(errno)))")
            }
        }
        let path = path
        return ImportSource(
            name: path == "-" ? "standard input" : path, format: try format(), purpose: try purpose(),
            numbers: try numbers()
        ) { maximum in
            while true {
                var bytes = [UInt8](repeating: 0, count: maximum)
                let count = read(file, &bytes, maximum)
                if count >= 0 { return Array(bytes.prefix(count)) }
                if errno != EINTR {
                    throw CompileError.reading(source: path, reason: String(cString: strerror(errno)))
                }
            }
        }
    }

    /// The size of the list in bytes; nil for a pipe.
    var size: Int? {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    private func format() throws -> ImportSource.Format {
        switch try choice("format", Format.self) ?? ListSource.format(of: path) {
        case .text: return .text
        case .jsonl: return .jsonLines
        case .patterns: return .patterns
        case .csv:
            return .csv(
                CSVColumns(
                    number: column("number") ?? .index(0), label: column("label"), block: column("block"),
                    separator: try separator()))
        }
    }

    static func format(of path: String) -> Format {
        switch URL(fileURLWithPath: path).pathExtension.lowercased() {
        case "csv", "tsv": return .csv
        case "jsonl", "ndjson", "json": return .jsonl
        case "patterns": return .patterns
        default: return .text
        }
    }

    private func column(_ name: String) -> CSVColumns.Column? {
        values[name].map { value in
            if let place = Int(value), place > 0 { return .index(place - 1) }
            return .named(value)
        }
    }

    private func separator() throws -> UInt8 {
        enum Separator: String, CaseIterable { case comma, semicolon, tab }
        switch try choice("separator", Separator.self) {
        case .comma: return UInt8(ascii: ",")
        case .semicolon: return UInt8(ascii: ";")
        case .tab: return UInt8(ascii: "\t")
        case nil: return path.lowercased().hasSuffix(".tsv") ? UInt8(ascii: "\t") : UInt8(ascii: ",")
        }
    }

    private func purpose() throws -> ImportSource.Purpose {
        switch try choice("for", Purpose.self) ?? .block {
        case .block: return .block
        case .exclude: return .exclude
        case .identify:
            // In CSV, `label` names a column.
            if case .csv = try format() { return .identify(defaultLabel: nil) }
            return .identify(defaultLabel: values["label"])
        }
    }

    private func numbers() throws -> PhoneNumberOptions {
        enum Digits: String, CaseIterable { case national, international }
        enum Prefix: String, CaseIterable { case region, zeros, none }
        var options = PhoneNumberOptions()
        if let code = values["region"] {
            guard let region = PhoneRegion(code) else {
                throw UsageError(message: "there is no region '\(code)'", hint: "Write two letters, such as region=DE")
            }
            options.defaultRegion = region
        }
        options.digitsAreInternational = try choice("digits", Digits.self) == .international
        switch try choice("idd", Prefix.self) ?? .zeros {
        case .region: options.internationalPrefix = .ofRegion
        case .zeros: options.internationalPrefix = .ofRegionOrDoubleZero
        case .none: options.internationalPrefix = .none
        }
        options.requiresValid = try isYes("valid")
        options.includesNationalVariants = try isYes("national")
        return options
    }

    private func isYes(_ name: String) throws -> Bool {
        enum Answer: String, CaseIterable { case yes, no }
        return try choice(name, Answer.self) == .yes
    }

    private func choice<Value: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Value.Type
    ) throws -> Value? where Value.RawValue == String {
        guard let text = values[name] else { return nil }
        if let choice = Value(rawValue: text.lowercased()) { return choice }
        throw UsageError(
            message: "\(name) takes \(Value.allCases.map(\.rawValue).joined(separator: ", ")), not '\(text)'",
            hint: "See: offhook directory compile --help")
    }
}
