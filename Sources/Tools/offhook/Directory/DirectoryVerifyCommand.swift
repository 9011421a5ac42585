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
        discussion: """
            Reads every block and compares checksums and counts; of deltas too. Exits with 1 when a file is damaged, \
            missing or something else.
            """,
        arguments: [ArgumentDescription(name: "FILE", help: "A directory file, or a delta.", repeats: true)],
        options: [DirectoryCommands.json],
        examples: [.init(line: "offhook directory verify spam.directory", meaning: "before it is shipped")])

    init(_ parsed: ParsedOptions) throws {
        paths = parsed.arguments
        isJSON = parsed.has("json")
    }

    private struct Verdict: Encodable {
        var file: String
        /// "directory" or "delta"; nil when the file is neither.
        var kind: String?
        var isWhole: Bool
        var message: String
    }

    /// Prints one line a file.
    func run(_ terminal: Terminal) throws -> ToolStatus {
        var verdicts: [Verdict] = []
        for path in paths {
            var kind: DirectoryFileKind?
            do {
                let file = try DirectoryCommands.openAny(path)
                kind = file.kind
                try file.verify()
                verdicts.append(Verdict(file: path, kind: name(kind), isWhole: true, message: message(file)))
            } catch let error as EnvironmentError {
                verdicts.append(Verdict(file: path, isWhole: false, message: error.message))
            } catch {
                verdicts.append(Verdict(file: path, kind: name(kind), isWhole: false, message: "\(path): \(error)"))
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

    private func name(_ kind: DirectoryFileKind?) -> String? {
        switch kind {
        case .directory: "directory"
        case .delta: "delta"
        case nil: nil
        }
    }

    private func message(_ file: DirectoryFile) -> String {
        let numbers = "\(file.summary.numbers.grouped) number\(file.summary.numbers == 1 ? "" : "s")"
        switch file.kind {
        case .directory: return "\(numbers), whole"
        case .delta:
            let (base, target) = (String(file.transition.base, radix: 16), String(file.transition.target, radix: 16))
            return "a delta from \(base) to \(target) with \(numbers), whole"
        }
    }
}
