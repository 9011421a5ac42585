// SPDX-License-Identifier: MIT

/// The command line tool: finds the command, runs it, and turns what it throws into a message and an exit code.
struct OffhookTool {
    /// The version of tool and libraries.
    static let version = "0.1.0"

    /// Every command, in the order of the help.
    static let commands =
        [DemoCommand.description, ServeCommand.description, ApnsCommand.description] + DirectoryCommands.all

    /// Words that begin a command of two words.
    static let groups = ["directory"]

    /// Where to write.
    var terminal: Terminal

    /// Runs the tool with the arguments after its name.
    func run(_ arguments: [String]) async -> ToolStatus {
        do {
            return try await dispatch(arguments)
        } catch let error as UsageError {
            complain(error.message)
            if let hint = error.hint { terminal.errorLine(hint) }
            return .usage
        } catch let error as EnvironmentError {
            complain(error.message)
            return .environment
        } catch {
            complain("\(error)")
            return .environment
        }
    }

    private func dispatch(_ arguments: [String]) async throws -> ToolStatus {
        guard let name = arguments.first else {
            terminal.write(HelpText(terminal: terminal).overview(Self.commands))
            return .usage
        }
        var rest = Array(arguments.dropFirst())
        switch name {
        case "help", "--help", "-h":
            if let topic = rest.first, Self.groups.contains(topic), rest.count == 1 {
                terminal.write(HelpText(terminal: terminal).group(topic, of: Self.commands))
            } else if !rest.isEmpty {
                let topic = try command(
                    named: rest.prefix(Self.groups.contains(rest[0]) ? 2 : 1).joined(separator: " "))
                terminal.write(HelpText(terminal: terminal).help(topic))
            } else {
                terminal.write(HelpText(terminal: terminal).overview(Self.commands))
            }
            return .success
        case "version", "--version":
            terminal.line("offhook \(Self.version)")
            return .success
        default:
            break
        }
        var words = name
        if Self.groups.contains(name) {
            guard let next = rest.first, !["--help", "-h", "help"].contains(next) else {
                terminal.write(HelpText(terminal: terminal).group(name, of: Self.commands))
                return rest.isEmpty ? .usage : .success
            }
            words += " " + rest.removeFirst()
        }
        let command = try command(named: words)
        let options = try command.parse(rest)
        if options.has("help") {
            terminal.write(HelpText(terminal: terminal).help(command))
            return .success
        }
        switch command.name {
        case DemoCommand.description.name:
            return try await DemoCommand(options).run(terminal)
        case ServeCommand.description.name:
            return try await ServeCommand(options).run(terminal)
        case ApnsCommand.description.name:
            return try await ApnsCommand(options).run(terminal)
        default:
            return try await DirectoryCommands.run(command.name, options, terminal)
        }
    }

    private func command(named name: String) throws -> CommandDescription {
        if let command = Self.commands.first(where: { $0.name == name }) { return command }
        let meant = Suggestion.nearest(to: name, among: Self.commands.map(\.name) + ["help", "version"])
        throw UsageError(
            message: "there is no command '\(name)'", hint: meant.map { "Did you mean '\($0)'?" } ?? "See: offhook help"
        )
    }

    private func complain(_ message: String) {
        terminal.errorLine("offhook: \(message)")
    }
}
