// SPDX-License-Identifier: MIT

import OffhookCore

extension ServerConfiguration {
    /// Reads `offhook serve`'s options; an option wins over its environment variable.
    ///
    /// - Parameters:
    ///   - arguments: The words after `serve`.
    ///   - environment: The process's environment.
    /// - Throws: ``ServerError`` of code `configuration` that names the option and what it should be; `pushKey` for
    ///   half a set of APNs options.
    public init(arguments: [String], environment: [String: String] = [:]) throws(ServerError) {
        self.init()
        var apns = APNsOptions()
        var certificateFile: String?
        var keyFile: String?
        for option in Option.allCases {
            guard let variable = option.variable, let value = environment[variable], !value.isEmpty else { continue }
            try apply(option, value, named: variable, &apns, &certificateFile, &keyFile)
        }
        let usersOfEnvironment = users
        users = []
        var words = arguments[...]
        while let word = words.popFirst() {
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard let name = parts.first, let option = Option(rawValue: name) else {
                throw ServerError(.configuration, "There is no option \(word); see offhook serve --help.")
            }
            var value = ""
            if option.takesValue {
                if parts.count == 2 {
                    value = parts[1]
                } else {
                    guard let next = words.popFirst() else {
                        throw ServerError(.configuration, "\(name) needs a value: \(option.help)")
                    }
                    value = next
                }
            } else if parts.count == 2 {
                throw ServerError(.configuration, "\(name) takes no value.")
            }
            try apply(option, value, named: name, &apns, &certificateFile, &keyFile)
        }
        if users.isEmpty { users = usersOfEnvironment }
        push = try apns.configuration()
        switch (certificateFile, keyFile) {
        case (nil, nil): break
        case (let certificate?, let key?):
            tls = TLS(
                certificate: try TextFile.read(certificate, as: "The TLS certificate"),
                key: try TextFile.read(key, as: "The TLS key"))
        default: throw ServerError(.configuration, "--tls-certificate and --tls-key go together.")
        }
    }

    /// What `offhook serve --help` prints.
    public static var usage: String {
        var text = "Usage: offhook serve [options]\n\n"
        for option in Option.allCases {
            let name = option.takesValue ? option.rawValue + " VALUE" : option.rawValue
            let padding = String(repeating: " ", count: max(1, 28 - name.count))
            text += "  " + name + padding + option.help
            if let variable = option.variable { text += " [" + variable + "]" }
            text += "\n"
        }
        return text
    }

    private struct APNsOptions {
        var keyFile: String?
        var keyID: String?
        var teamID: String?
        var endpoint: String?
        var rootsFile: String?

        func configuration() throws(ServerError) -> Push? {
            guard let keyFile, let keyID, let teamID else {
                guard keyFile == nil, keyID == nil, teamID == nil, endpoint == nil, rootsFile == nil else {
                    throw ServerError(
                        .pushKey, "To send pushes give all of --apns-key, --apns-key-id and --apns-team.")
                }
                return nil
            }
            return Push(keyFile: keyFile, keyID: keyID, teamID: teamID, endpoint: endpoint, rootsFile: rootsFile)
        }
    }

    private mutating func apply(
        _ option: Option, _ value: String, named name: String, _ apns: inout APNsOptions,
        _ certificateFile: inout String?, _ keyFile: inout String?
    ) throws(ServerError) {
        switch option {
        case .help: wantsHelp = true
        case .host: host = value
        case .port: port = try Self.integer(value, in: 0...65_535, named: name)
        case .tlsCertificate: certificateFile = value
        case .tlsKey: keyFile = value
        case .database: database = value
        case .fullSync: fullSync = true
        case .user: for user in value.split(separator: ",") { users.append(try Self.user(String(user), named: name)) }
        case .ringSeconds: ringDuration = .seconds(try Self.integer(value, in: 1...180, named: name))
        case .tokenSecretFile: tokenSecret = Array(try TextFile.trimmed(value, as: "The token secret").utf8)
        case .apiKeyFile: apiKey = try TextFile.trimmed(value, as: "The API key")
        case .allowOrigin: allowedOrigins.insert(value)
        case .apnsKey: apns.keyFile = value
        case .apnsKeyID: apns.keyID = try Self.identifier(value, named: name)
        case .apnsTeam: apns.teamID = try Self.identifier(value, named: name)
        case .apnsEndpoint:
            guard value.hasPrefix("https://") else {
                throw ServerError(.configuration, "\(name) is https://HOST:PORT.")
            }
            apns.endpoint = value
        case .apnsRoots: apns.rootsFile = value
        case .devToken: developmentTokens.append(value)
        }
    }

    private static func integer(
        _ text: String, in range: ClosedRange<Int>, named name: String
    ) throws(ServerError) -> Int {
        guard let value = Int(text), range.contains(value) else {
            throw ServerError(
                .configuration, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound).")
        }
        return value
    }

    private static func identifier(_ text: String, named name: String) throws(ServerError) -> String {
        guard text.utf8.count == 10, text.utf8.allSatisfy({ isAlphanumeric($0) }) else {
            throw ServerError(.configuration, "\(name) is an id of 10 letters and digits from Apple's developer site.")
        }
        return text
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "a")...UInt8(ascii: "z"):
            true
        default: false
        }
    }

    /// `ID` or `ID=NAME`.
    private static func user(_ text: String, named name: String) throws(ServerError) -> User {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let id = parts.first, (1...256).contains(id.utf8.count) else {
            throw ServerError(.configuration, "\(name) is ID or ID=NAME.")
        }
        return User(id: id, name: parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil)
    }
}

extension ServerConfiguration {
    /// The options of `offhook serve`.
    private enum Option: String, CaseIterable {
        case host = "--host"
        case port = "--port"
        case tlsCertificate = "--tls-certificate"
        case tlsKey = "--tls-key"
        case database = "--database"
        case fullSync = "--full-sync"
        case user = "--user"
        case ringSeconds = "--ring-seconds"
        case tokenSecretFile = "--token-secret-file"
        case apiKeyFile = "--api-key-file"
        case allowOrigin = "--allow-origin"
        case apnsKey = "--apns-key"
        case apnsKeyID = "--apns-key-id"
        case apnsTeam = "--apns-team"
        case apnsEndpoint = "--apns-endpoint"
        case apnsRoots = "--apns-roots"
        case devToken = "--dev-token"
        case help = "--help"

        var takesValue: Bool {
            switch self {
            case .fullSync, .help: false
            case .host, .port, .tlsCertificate, .tlsKey, .database, .user, .ringSeconds, .tokenSecretFile, .apiKeyFile,
                .allowOrigin, .apnsKey, .apnsKeyID, .apnsTeam, .apnsEndpoint, .apnsRoots, .devToken:
                true
            }
        }

        var variable: String? {
            switch self {
            case .host: "OFFHOOK_HOST"
            case .port: "OFFHOOK_PORT"
            case .tlsCertificate: "OFFHOOK_TLS_CERTIFICATE"
            case .tlsKey: "OFFHOOK_TLS_KEY"
            case .database: "OFFHOOK_DATABASE"
            case .user: "OFFHOOK_USERS"
            case .ringSeconds: "OFFHOOK_RING_SECONDS"
            case .tokenSecretFile: "OFFHOOK_TOKEN_SECRET_FILE"
            case .apiKeyFile: "OFFHOOK_API_KEY_FILE"
            case .apnsKey: "OFFHOOK_APNS_KEY"
            case .apnsKeyID: "OFFHOOK_APNS_KEY_ID"
            case .apnsTeam: "OFFHOOK_APNS_TEAM"
            case .apnsEndpoint: "OFFHOOK_APNS_ENDPOINT"
            case .apnsRoots: "OFFHOOK_APNS_ROOTS"
            case .fullSync, .allowOrigin, .devToken, .help: nil
            }
        }

        var help: String {
            switch self {
            case .host: "address to listen on (127.0.0.1)"
            case .port: "port to listen on, 0 for a free one (8443)"
            case .tlsCertificate: "PEM file with the certificate chain; with --tls-key"
            case .tlsKey: "PEM file with the certificate's key"
            case .database: "SQLite file, made when missing (offhook.sqlite)"
            case .fullSync: "sync every commit to the disk: survives power cuts, slower"
            case .user: "a user, ID or ID=NAME; may be repeated"
            case .ringSeconds: "how long a call rings, 1 to 180 (45)"
            case .tokenSecretFile: "file with the secret that signs session tokens, at least 32 bytes"
            case .apiKeyFile: "file with the key for GET /v1/calls/ID"
            case .allowOrigin: "a web page's origin that may connect; may be repeated"
            case .apnsKey: "provider key file, .p8"
            case .apnsKeyID: "the provider key's id"
            case .apnsTeam: "the team's id"
            case .apnsEndpoint: "https://HOST:PORT of a stand-in for APNs"
            case .apnsRoots: "PEM file of certificates to trust for the stand-in"
            case .devToken: "print a session token for this user, valid for a day; may be repeated"
            case .help: "print this"
            }
        }
    }
}
