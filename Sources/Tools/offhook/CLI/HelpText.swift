// SPDX-License-Identifier: MIT

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
            commands.map { ($0.name, $0.summary) } + [
                ("help", "Prints this, or a command's help: offhook help demo"),
                ("version", "Prints the version."),
            ]
        lines += table(names)
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
        lines += ["", bold("Usage") + "  offhook \(command.name) [OPTIONS]", "", bold("Options")]
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

/// Breaks and pads text by characters.
enum TextWrap {
    /// Lines of at most `width` characters, broken between words; a longer word is broken where it must be.
    static func wrap(_ text: String, to width: Int) -> [String] {
        var lines: [String] = []
        var current = ""
        for part in text.split(separator: " ") {
            var word = String(part)
            if !current.isEmpty, current.count + 1 + word.count <= width {
                current += " " + word
                continue
            }
            if !current.isEmpty { lines.append(current) }
            while word.count > max(width, 1) {
                lines.append(String(word.prefix(max(width, 1))))
                word = String(word.dropFirst(max(width, 1)))
            }
            current = word
        }
        return lines + [current]
    }

    /// As few lines as ``wrap(_:to:)`` makes, but of about the same length.
    static func balanced(_ text: String, to width: Int) -> [String] {
        let lines = wrap(text, to: width)
        guard lines.count > 1 else { return lines }
        for narrower in text.count / lines.count..<width {
            let balanced = wrap(text, to: narrower)
            if balanced.count <= lines.count { return balanced }
        }
        return lines
    }

    /// Text followed by spaces up to a width.
    static func pad(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(width - text.count, 0))
    }

    /// Text preceded by spaces up to a width.
    static func padLeft(_ text: String, to width: Int) -> String {
        String(repeating: " ", count: max(width - text.count, 0)) + text
    }
}
