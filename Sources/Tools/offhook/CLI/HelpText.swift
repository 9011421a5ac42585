// SPDX-License-Identifier: MIT

import OffhookTesting

/// Lays help out for a terminal.
struct HelpText {
    /// Where it is shown.
    var terminal: Terminal

    /// The help of the whole tool.
    func overview(_ commands: [CommandDescription]) -> String {
        var lines = [
            "\(bold("offhook")) \(OffhookTool.version): calls between phones, with a server, a push gateway and an "
                + "iPhone to test on.",
            "",
            bold("Usage") + "  offhook COMMAND [OPTIONS]",
            "",
            bold("Commands"),
        ]
        let names =
            commands.filter { !$0.name.contains(" ") }.map { ($0.name, $0.summary) } + [
                ("directory", "Compiles lists of callers, and shows, compares and loads them."),
                ("help", "Prints this, or a command's help: offhook help demo"),
                ("version", "Prints the version."),
            ]
        lines += table(names)
        lines += ["", bold("First steps")]
        // One of each group is enough.
        var groups: Set<Substring> = []
        let first = commands.filter { command in
            let words = command.name.split(separator: " ")
            return words.count == 1 || groups.insert(words[0]).inserted
        }
        lines += table(first.compactMap { $0.examples.first }.map { ($0.line, $0.meaning) })
        return finish(lines + exitCodes())
    }

    /// The commands of a group.
    func group(_ group: String, of commands: [CommandDescription]) -> String {
        let commands = commands.filter { $0.name.hasPrefix(group + " ") }
        var lines = [bold("Usage") + "  offhook \(group) COMMAND [OPTIONS]", "", bold("Commands")]
        lines += table(commands.map { ($0.name, $0.summary) })
        lines += ["", bold("First steps")]
        lines += table(commands.compactMap { $0.examples.first }.map { ($0.line, $0.meaning) })
        return finish(lines + exitCodes())
    }

    /// The help of one command.
    func help(_ command: CommandDescription) -> String {
        var lines = ["\(bold("offhook \(command.name)")): \(command.summary)", ""]
        for paragraph in command.discussion.split(separator: "\n", omittingEmptySubsequences: false) {
            lines += TextWrap.wrap(String(paragraph), to: terminal.width - 2)
        }
        lines += ["", bold("Usage") + "  \(command.usage)"]
        if !command.arguments.isEmpty {
            lines += ["", bold("Arguments")] + table(command.arguments.map { ($0.name, $0.help) })
        }
        lines += ["", bold("Options")]
        lines += table(
            (command.options + [CommandDescription.help]).map { option in
                ("--\(option.name)" + (option.value.map { " \($0)" } ?? ""), option.help)
            })
        lines += ["", bold("Examples")]
        for example in command.examples {
            lines += ["  \(terminal.paint(example.line, .accent))", "      \(example.meaning)"]
        }
        return finish(lines + exitCodes())
    }

    private func exitCodes() -> [String] {
        ["", bold("Exit codes")] + table(ToolStatus.allCases.map { ("\($0.rawValue)", $0.meaning) })
    }

    private func table(_ rows: [(String, String)]) -> [String] {
        let column = min(rows.map(\.0.count).max() ?? 0, 38) + 4
        return rows.flatMap { name, text -> [String] in
            let wrapped = TextWrap.wrap(text, to: max(terminal.width - column - 2, 30))
            let indent = String(repeating: " ", count: column)
            if name.count > column - 4 { return ["  " + name] + wrapped.map { indent + $0 } }
            let first = "  " + TextWrap.pad(name, to: column - 2) + (wrapped.first ?? "")
            return [first] + wrapped.dropFirst().map { indent + $0 }
        }
    }

    private func bold(_ text: String) -> String { terminal.paint(text, .bold) }

    private func finish(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }
}
