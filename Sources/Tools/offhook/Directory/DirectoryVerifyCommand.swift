// SPDX-License-Identifier: MIT

import OffhookDirectory
import OffhookTesting

/// `offhook directory verify`.
struct DirectoryVerifyCommand {
    private let paths: [String]
    private let isJSON: Bool

    static let description = CommandDescription(
        name: "directory verify",
        summary: "Checks that directory files are whole.",
        discussion: "Reads every block and compares checksums and counts. Exits with 1 when a file is damaged.",
        arguments: [ArgumentDescription(name: "FILE", help: "A directory file.", repeats: true)],
        options: [DirectoryCommands.json],
        examples: [.init(line: "offhook directory verify spam.directory", meaning: "before it is shipped")])

    init(_ parsed: ParsedOptions) throws {
        paths = parsed.arguments
        isJSON = parsed.has("json")
    }

    private struct Verdict: Encodable {
        var file: String
        var isWhole: Bool
        var message: String
    }

    /// Prints one line a file.
    func run(_ terminal: Terminal) throws -> ToolStatus {
        var verdicts: [Verdict] = []
        for path in paths {
            do {
                let file = try DirectoryCommands.open(path)
                try file.verify()
                verdicts.append(
                    Verdict(file: path, isWhole: true, message: "\(file.summary.numbers.grouped) numbers, whole"))
            } catch let error as EnvironmentError {
                verdicts.append(Verdict(file: path, isWhole: false, message: error.message))
            } catch {
                verdicts.append(Verdict(file: path, isWhole: false, message: "\(path): \(error)"))
            }
        }
        if isJSON {
            try DirectoryCommands.print(verdicts, terminal)
        } else {
            for verdict in verdicts {
                terminal.line(
                    verdict.isWhole
                        ? terminal.paint("\(verdict.file): \(verdict.message)", .good)
                        : terminal.paint(verdict.message, .bad))
            }
        }
        return verdicts.allSatisfy(\.isWhole) ? .success : .verificationFailed
    }
}
