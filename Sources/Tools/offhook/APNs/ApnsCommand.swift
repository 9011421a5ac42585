// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet
import VirtualAPNs

/// `offhook apns`.
struct ApnsCommand {
    /// What the command line asks for.
    let options: ApnsOptions

    /// The command for parser and help.
    static let description = CommandDescription(
        name: "apns",
        summary: "Runs Apple's push gateway, so that a back end in any language can be tested.",
        discussion: """
            Your back end sends its pushes to this gateway in place of api.sandbox.push.apple.com: HTTP/2 over TLS, with \
            Apple's checks, statuses and reasons. What exactly is wrong with a push, which Apple does not tell, stands in \
            the output. Only host, port and the certificate to trust differ from Apple's.

            The first start makes a folder with that certificate (root.pem), a provider key (AuthKey_….p8), a device token \
            and gateway.json, which names them all; the next start uses them again. A second port is the console, a page \
            for you and HTTP for your tests: what arrived (GET /log), faults (POST /faults), devices (PUT /devices/TOKEN).

            Faults are the same words there and here: 503, 429*3, 403:ExpiredProviderToken, edge:520, goaway, \
            goaway-unprocessed, reset, refuse, delay:2s, silence, close, deliver-close; *3 is for three requests, \
            *forever for all, @TOKEN for one device.

            SIGTERM or SIGINT ends it with a GOAWAY; a second signal ends it at once.
            """,
        options: [
            OptionDescription(
                name: "host", value: "ADDRESS",
                help: "Where the gateway listens; 127.0.0.1 unless given. The console stays on 127.0.0.1."),
            OptionDescription(
                name: "port", value: "PORT",
                help: "The gateway's port; 2197, Apple's second one, unless given; 0 for any free port."),
            OptionDescription(
                name: "console-port", value: "PORT", help: "The console's port; 2198 unless given, 0 for any free port."
            ),
            OptionDescription(
                name: "folder", value: "DIR", help: "Certificate, key and token; offhook-apns unless given."),
            OptionDescription(
                name: "environment", value: "NAME", help: "development or production; development unless given."),
            OptionDescription(
                name: "bundle", value: "ID", help: "An app of the team; com.example.app unless given.", repeats: true),
            OptionDescription(name: "team", value: "ID", help: "The team's id; LOCALTEAM1 unless given."),
            OptionDescription(
                name: "key", value: "ID=FILE",
                help: "A key that Apple knows: its id and its .p8 file or public half (PEM). LOCALKEY01, made in the "
                    + "folder, unless given.", repeats: true),
            OptionDescription(
                name: "limit-key", value: "ID=SCOPE",
                help: "What a key is for: development, production or a topic such as com.example.app.voip; everything "
                    + "unless given.", repeats: true),
            OptionDescription(
                name: "token", value: "HEX",
                help: "A device token that a VoIP push reaches; the folder's unless given. More: PUT /devices/TOKEN.",
                repeats: true),
            OptionDescription(
                name: "any-token", help: "Takes every well-formed token, as if its device had always been there."),
            OptionDescription(
                name: "streams", value: "N",
                help: "Streams of a connection at a time once a valid token came, 1 to 100000; 1000 unless given."),
            OptionDescription(
                name: "throttle", help: "A refused push takes a connection back to one stream until the next success."),
            OptionDescription(
                name: "idle-seconds", value: "N",
                help: "Sends a silent connection away with IdleTimeout, 1 to 86400; never unless given."),
            OptionDescription(
                name: "clock", value: "OFFSET",
                help: "How wrong the gateway's clock is against this machine's: +90m is ahead, -2h behind; 0s unless "
                    + "given."),
            OptionDescription(
                name: "fault", value: "FAULT", help: "A fault for the first requests, such as 503 or delay:2s*forever.",
                repeats: true),
            OptionDescription(
                name: "json", help: "Prints JSON lines: gateway.json first, then each event with token and payload."),
        ],
        examples: [
            .init(
                line: "offhook apns", meaning: "a gateway on 127.0.0.1:2197 with a key and a device, and a page on 2198"
            ),
            .init(
                line: "offhook apns --key ABCDE12345=AuthKey.p8 --team FGHIJ67890 --bundle com.you.app --any-token",
                meaning: "with the key your back end has, for tokens that are in its database"),
            .init(
                line: "offhook apns --fault 503 --fault 429*3 --fault goaway",
                meaning: "five requests that go wrong before the first that does not"),
            .init(
                line: "offhook apns --port 0 --console-port 0 --json",
                meaning: "for a test: free ports, told in the first line of output"),
        ])

    /// Reads the command's options.
    init(_ parsed: ParsedOptions) throws {
        options = try ApnsOptions(parsed)
    }

    /// Runs the gateway until a signal ends it.
    func run(_ terminal: Terminal) async throws -> ToolStatus {
        let signals = TerminationSignals()
        defer { withExtendedLifetime(signals) {} }
        return try await serve(terminal, until: signals.stream)
    }

    /// Runs the gateway until the stream has an element or ends.
    func serve(_ terminal: Terminal, until end: AsyncStream<Int32>) async throws -> ToolStatus {
        let folder = try ApnsFolder(options.folder)
        let log = GatewayLog { [json = options.isJSON] entry in
            if json { terminal.line(Self.json(entry)) } else { terminal.line(Self.line(entry)) }
        }
        let tokens: [String]
        let gateway: VirtualAPNs
        let console: GatewayConsole
        var keyFiles: [String: String] = [:]
        do {
            tokens =
                options.tokens.isEmpty && !options.acceptsUnknownTokens ? [try folder.deviceToken()] : options.tokens
            var configuration = VirtualAPNs.Configuration(
                environment: options.environment, keys: try providerKeys(folder, &keyFiles),
                bundles: Dictionary(options.bundles.map { ($0, options.team) }, uniquingKeysWith: { first, _ in first })
            )
            configuration.host = options.host
            configuration.port = options.port
            configuration.concurrentStreams = options.streams
            configuration.throttlesAfterRefusal = options.throttlesAfterRefusal
            configuration.acceptsUnknownTokens = options.acceptsUnknownTokens
            configuration.idleTimeout = options.idleTimeout
            configuration.certificate = try folder.certificate(host: options.host)
            configuration.onEvent = { log.add($0) }
            gateway = try VirtualAPNs(configuration: configuration)
            console = try GatewayConsole(
                gateway: gateway, log: log, port: options.consolePort, certificateFile: folder.certificateFile)
        } catch let error as NetError {
            throw EnvironmentError(message: error.message)
        }
        gateway.setClock(aheadBy: options.clockOffset)
        for fault in options.faults { gateway.inject(fault) }
        for token in tokens {
            gateway.register(token: token, bundle: options.bundles[0], environment: options.environment) { _ in }
        }
        let address = ApnsAddress(
            gateway: "https://\(Self.urlHost(options.host)):\(gateway.port)",
            console: "http://127.0.0.1:\(console.port)", environment: options.environment.rawValue,
            root: folder.certificateFile, team: options.team, keys: keyFiles, bundles: options.bundles, tokens: tokens)
        try folder.write(Self.json(address) + "\n", to: folder.addressFile)
        terminal.write(options.isJSON ? Self.json(address) + "\n" : address.text)
        for await _ in end { break }
        terminal.errorLine("closing: senders are told with a GOAWAY")
        gateway.goAway(reason: "Shutdown")
        await gateway.settled()
        console.stop()
        gateway.stop()
        return .success
    }

    private func providerKeys(_ folder: ApnsFolder, _ files: inout [String: String]) throws -> [ProviderKey] {
        var halves: [(id: String, key: ES256PublicKey)] = []
        if options.keys.isEmpty {
            halves = [(ApnsOptions.usualKey, try folder.providerKey(ApnsOptions.usualKey).publicKey)]
            files[ApnsOptions.usualKey] = folder.keyFile(ApnsOptions.usualKey)
        }
        for (id, file) in options.keys {
            let text = try folder.read(file)
            let key =
                text.contains("BEGIN PUBLIC KEY")
                ? try ES256PublicKey(pem: text) : try ES256PrivateKey(pem: text, name: file).publicKey
            halves.append((id, key))
            files[id] = file
        }
        return halves.map { id, key in
            var provider = ProviderKey(keyID: id, teamID: options.team, publicKey: key)
            let scopes = options.keyScopes[id] ?? []
            let environments = scopes.compactMap(APNsEnvironment.init)
            let topics = scopes.filter { APNsEnvironment(rawValue: $0) == nil }
            if !environments.isEmpty { provider.environments = Set(environments) }
            if !topics.isEmpty { provider.topics = Set(topics) }
            return provider
        }
    }

    private static func urlHost(_ host: String) -> String { host.contains(":") ? "[\(host)]" : host }

    /// An event as a line for a person, without token and payload.
    static func line(_ entry: LogEntry) -> String {
        let seconds = entry.time / 1_000
        let parts = [seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60].map { String("\($0 + 100)".dropFirst()) }
        let text = entry.text.unicodeScalars.map { scalar in
            scalar.value < 0x20 || scalar.value == 0x7f ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
        }
        return "\(parts.joined(separator: ":"))Z  \(text.joined())"
    }

    private static func json(_ value: some Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}

/// Where everything is: the first line of `--json`, and gateway.json.
struct ApnsAddress: Codable, Hashable {
    /// The gateway's URL, as senders connect to it.
    var gateway: String
    /// The console's URL.
    var console: String
    /// The environment the gateway plays.
    var environment: String
    /// The file with the certificate to trust.
    var root: String
    /// The team's id.
    var team: String
    /// The keys Apple knows: id to file.
    var keys: [String: String]
    /// The team's apps.
    var bundles: [String]
    /// The device tokens.
    var tokens: [String]

    /// The same for a person.
    var text: String {
        var lines = [
            "offhook apns plays the \(environment) gateway on \(gateway)", "  console       \(console)/",
            "  trust         \(root)",
        ]
        for (id, file) in keys.sorted(by: { $0.key < $1.key }) {
            lines.append("  provider key  \(file), key id \(id), team \(team)")
        }
        lines += bundles.map { "  app           \($0), topic of its VoIP pushes \($0).voip" }
        lines += tokens.map { "  device token  \($0)" }
        if tokens.isEmpty { lines.append("  device token  any") }
        return lines.joined(separator: "\n") + "\n"
    }
}
