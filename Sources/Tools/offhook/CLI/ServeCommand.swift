// SPDX-License-Identifier: MIT

/// `offhook serve`.
struct ServeCommand {
    /// The command for parser and help.
    static let description = CommandDescription(
        name: "serve",
        summary: "Runs the call server.",
        discussion: """
            Signaling over WebSocket with authenticated users, a device registry, VoIP pushes through APNs and call \
            records in SQLite. SIGTERM or SIGINT ends it: no new connection is taken, open ones are closed, and the \
            database is left whole.
            """,
        options: [
            OptionDescription(name: "host", value: "ADDRESS", help: "Where to listen; 127.0.0.1 unless given."),
            OptionDescription(
                name: "port", value: "PORT", help: "Where to listen; 8443 unless given, 0 for any free one."),
            OptionDescription(name: "database", value: "FILE", help: "The SQLite file; offhook.sqlite unless given."),
        ],
        examples: [
            .init(line: "offhook serve", meaning: "a server on 127.0.0.1:8443, without pushes")
        ])

    /// Reads the command's options.
    init(_ parsed: ParsedOptions) throws {
        _ = try parsed.integer("port", in: 0...65535)
    }

    /// Runs the server until a signal ends it.
    func run(_ terminal: Terminal) async throws -> ToolStatus {
        throw EnvironmentError(message: "the server is not part of this build yet")
    }
}
