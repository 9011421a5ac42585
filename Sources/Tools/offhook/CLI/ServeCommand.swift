// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import OffhookServer
import OffhookTesting

/// `offhook serve`.
struct ServeCommand {
    /// What the server is told.
    let configuration: ServerConfiguration

    /// The command for parser and help.
    static let description = CommandDescription(
        name: "serve",
        summary: "Runs the call server.",
        discussion: """
            Signaling over WebSocket with authenticated users, a device registry, VoIP pushes through APNs and call \
            records in SQLite. A client connects to /v1/socket with a session token, which your backend signs with \
            the shared secret, or which --dev-token prints.

            SIGTERM or SIGINT ends it: no new connection is taken, clients are told, and calls that go on are taken \
            up at the next start. A second signal ends it at once.

            The environment can say the same: OFFHOOK_PORT is --port, OFFHOOK_APNS_KEY is --apns-key, and so on; \
            OFFHOOK_USERS has users separated by commas. --full-sync, --dev-token and --allow-origin have no \
            variable. The command line wins.
            """,
        options: [
            OptionDescription(name: "host", value: "ADDRESS", help: "Where to listen; 127.0.0.1 unless given."),
            OptionDescription(
                name: "port", value: "PORT", help: "Where to listen; 8443 unless given, 0 for any free port."),
            OptionDescription(
                name: "database", value: "FILE",
                help: "The SQLite file, made when missing; offhook.sqlite unless given."),
            OptionDescription(
                name: "full-sync", help: "Syncs every commit to the disk: survives a power cut, and is slower."),
            OptionDescription(
                name: "user", value: "ID[=NAME]",
                help: "A user known from the start; others become known by their token.",
                repeats: true),
            OptionDescription(
                name: "ring-seconds", value: "N", help: "How long a call rings, 1 to 180 seconds; 45 unless given."),
            OptionDescription(
                name: "token-secret-file", value: "FILE",
                help: "The secret that signs session tokens, 32 bytes at least; made and kept in the database unless "
                    + "given."),
            OptionDescription(
                name: "dev-token", value: "USER", help: "Prints a session token for this user, good for a day.",
                repeats: true),
            OptionDescription(
                name: "api-key-file", value: "FILE", help: "The key for GET /v1/calls/ID; closed unless given."),
            OptionDescription(
                name: "allow-origin", value: "ORIGIN",
                help: "A web page that may connect, such as https://example.com.",
                repeats: true),
            OptionDescription(
                name: "apns-key", value: "FILE", help: "The .p8 key of Apple's developer site; no pushes unless given."),
            OptionDescription(name: "apns-key-id", value: "ID", help: "The key's id, 10 characters."),
            OptionDescription(name: "apns-team", value: "ID", help: "The team's id, 10 characters."),
            OptionDescription(
                name: "apns-endpoint", value: "URL",
                help: "https://HOST:PORT of a stand-in for APNs; Apple's, by each token's environment, unless given."),
            OptionDescription(
                name: "apns-roots", value: "FILE", help: "Certificates (PEM) to trust for the stand-in."),
            OptionDescription(
                name: "tls-certificate", value: "FILE", help: "The certificate chain (PEM); plain HTTP unless given."),
            OptionDescription(name: "tls-key", value: "FILE", help: "The certificate's key (PEM)."),
        ],
        examples: [
            .init(
                line: "offhook serve --dev-token alice --dev-token bob",
                meaning: "a server on 127.0.0.1:8443 and tokens for two users, without pushes"),
            .init(
                line: "offhook serve --apns-key AuthKey.p8 --apns-key-id ABCDE12345 --apns-team FGHIJ67890",
                meaning: "with VoIP pushes to phones that are not connected"),
            .init(
                line: "offhook serve --host 0.0.0.0 --tls-certificate chain.pem --tls-key key.pem",
                meaning: "for the world, over TLS"),
        ])

    /// Reads the command's options, and the environment variables that the server knows (OFFHOOK_PORT and others).
    init(
        _ parsed: ParsedOptions, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        let arguments = Self.description.options.flatMap { option -> [String] in
            (parsed.values[option.name] ?? []).map {
                option.value == nil ? "--\(option.name)" : "--\(option.name)=\($0)"
            }
        }
        do throws(ServerError) {
            configuration = try ServerConfiguration(arguments: arguments, environment: environment)
        } catch {
            throw UsageError(message: error.message, hint: "See: offhook serve --help")
        }
    }

    /// Runs the server until a signal ends it.
    func run(_ terminal: Terminal) async throws -> ToolStatus {
        let signals = TerminationSignals()
        defer { withExtendedLifetime(signals) {} }
        return try await serve(terminal, until: signals.stream)
    }

    /// Runs the server until the stream has an element or ends.
    func serve(_ terminal: Terminal, until end: AsyncStream<Int32>) async throws -> ToolStatus {
        let server = OffhookServer(configuration) { event in terminal.errorLine(Self.line(event)) }
        do throws(ServerError) {
            try await server.start()
        } catch {
            throw EnvironmentError(message: error.message)
        }
        let scheme = configuration.tls == nil ? "ws" : "wss"
        let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
        terminal.line("offhook serve listens on \(scheme)://\(host):\(server.port)/v1/socket")
        terminal.line("call records in \(configuration.database)")
        if configuration.push == nil {
            terminal.line("no pushes are sent: only connected phones ring (--apns-key, --apns-key-id, --apns-team)")
        }
        for user in configuration.developmentTokens {
            do throws(ServerError) {
                terminal.line("token for \(user), good for a day: \(try server.mintToken(user: user))")
            } catch {
                throw EnvironmentError(message: error.message)
            }
        }
        for await _ in end { break }
        terminal.errorLine("closing: clients are told, calls are kept")
        await server.stop()
        return .success
    }

    /// An event as a line of the log: time, what, call, rule.
    static func line(_ event: ServerEvent) -> String {
        let seconds = event.at.milliseconds / 1000
        let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { TextWrap.padLeft("\($0)", to: 2) }
            .joined(separator: ":").replacingOccurrences(of: " ", with: "0")
        let fraction = String("\(event.at.milliseconds % 1000 + 1000)".dropFirst())
        let call = event.call.map { "  call \($0)" } ?? ""
        return "\(time).\(fraction)Z  \(printable(event.text))\(call)\(event.rule.map { "  (\($0))" } ?? "")"
    }

    /// Text in which a client's words can neither begin a new line of the log nor steer the terminal.
    private static func printable(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                result += "\\u{\(String(scalar.value, radix: 16))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
    }
}
