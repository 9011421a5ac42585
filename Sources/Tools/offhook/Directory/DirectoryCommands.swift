// SPDX-License-Identifier: MIT

import Foundation
import OffhookCallDirectory
import OffhookDirectory
import OffhookTesting

/// `offhook directory`: the commands for lists of callers.
enum DirectoryCommands {
    /// All of them, in the order of the help.
    static let all = [
        DirectoryCompileCommand.description, DirectoryInspectCommand.description, DirectoryLookupCommand.description,
        DirectoryDiffCommand.description, DirectoryPlanCommand.description, DirectoryVerifyCommand.description,
        DirectoryExportCommand.description, DirectoryLoadCommand.description,
    ]

    /// The switch for machines.
    static let json = OptionDescription(name: "json", help: "Prints one JSON object instead of text.")

    /// Runs the command with this name.
    static func run(_ name: String, _ options: ParsedOptions, _ terminal: Terminal) async throws -> ToolStatus {
        switch name {
        case DirectoryCompileCommand.description.name: try DirectoryCompileCommand(options).run(terminal)
        case DirectoryInspectCommand.description.name: try DirectoryInspectCommand(options).run(terminal)
        case DirectoryLookupCommand.description.name: try DirectoryLookupCommand(options).run(terminal)
        case DirectoryDiffCommand.description.name: try DirectoryDiffCommand(options).run(terminal)
        case DirectoryPlanCommand.description.name: try DirectoryPlanCommand(options).run(terminal)
        case DirectoryVerifyCommand.description.name: try DirectoryVerifyCommand(options).run(terminal)
        case DirectoryLoadCommand.description.name: try await DirectoryLoadCommand(options).run(terminal)
        default: try DirectoryExportCommand(options).run(terminal)
        }
    }

    /// Opens a compiled list.
    static func open(_ path: String, kind: DirectoryFileKind = .directory) throws -> DirectoryFile {
        do {
            return try DirectoryFile(try MappedFile(path: path), kind: kind)
        } catch let error as DirectoryFileError {
            throw EnvironmentError(message: "\(path): \(error)")
        } catch DirectoryFolderError.unreadable(let path, let reason) {
            throw EnvironmentError(message: "\(path): cannot be read: \(reason)")
        }
    }

    /// Opens a compiled list or a delta.
    static func openAny(_ path: String) throws -> DirectoryFile {
        let bytes: MappedFile
        do { bytes = try MappedFile(path: path) } catch DirectoryFolderError.unreadable(let path, let reason) {
            throw EnvironmentError(message: "\(path): cannot be read: \(reason)")
        }
        do throws(DirectoryFileError) {
            return try DirectoryFile(bytes)
        } catch .wrongKind(found: .delta) {
            return try open(path, kind: .delta)
        } catch {
            throw EnvironmentError(message: "\(path): \(error)")
        }
    }

    /// Prints a value as JSON.
    static func print(_ value: some Encodable, _ terminal: Terminal) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        terminal.line(String(decoding: try encoder.encode(value), as: UTF8.self))
    }

    /// Prints names and values in two columns, the values at the right.
    static func table(_ rows: [(String, String)], _ terminal: Terminal) {
        let names = rows.map(\.0.count).max() ?? 0
        let values = rows.map(\.1.count).max() ?? 0
        for (name, value) in rows {
            terminal.line("  " + TextWrap.pad(name, to: names + 2) + TextWrap.padLeft(value, to: values))
        }
    }
}

/// The counts of a compiled list, for JSON.
struct DirectoryCounts: Encodable {
    var numbers: UInt64
    var blocked: UInt64
    var labels: UInt64
    var differentLabels: Int
    var items: UInt64
    var bytes: Int
    var fingerprint: String

    init(_ summary: DirectorySummary) {
        numbers = summary.numbers
        blocked = summary.blocked
        labels = summary.identifications
        differentLabels = summary.labels
        items = summary.items
        bytes = summary.bytes
        fingerprint = String(summary.fingerprint, radix: 16)
    }

    var rows: [(String, String)] {
        [
            ("numbers", numbers.grouped), ("blocked", blocked.grouped), ("labels shown", labels.grouped),
            ("different labels", differentLabels.grouped), ("items", items.grouped), ("bytes", bytes.grouped),
            ("fingerprint", fingerprint),
        ]
    }
}
