// SPDX-License-Identifier: MIT

/// The command line tool: finds the command, runs it, and turns what it throws into a message and an exit code.
struct OffhookTool {
    /// The version of tool and libraries.
    static let version = "0.1.0"

    /// Every command, in the order of the help.
    static let commands = [DemoCommand.description, ServeCommand.description]

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
        let rest = Array(arguments.dropFirst())
        switch name {
        case "help", "--help", "-h":
            if let topic = rest.first {
                terminal.write(HelpText(terminal: terminal).help(try command(named: topic)))
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
        let command = try command(named: name)
        let options = try command.parse(rest)
        if options.has("help") {
            terminal.write(HelpText(terminal: terminal).help(command))
            return .success
        }
        switch command.name {
        case DemoCommand.description.name:
            return try await DemoCommand(options).run(terminal)
        default:
            return try await ServeCommand(options).run(terminal)
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
