// SPDX-License-Identifier: MIT

import VirtualAPNs

/// What `offhook apns` was asked for.
struct ApnsOptions {
    /// The id of the key that is made when none is given.
    static let usualKey = "LOCALKEY01"

    /// Where the gateway listens.
    var host: String
    /// The gateway's port.
    var port: Int
    /// The console's port.
    var consolePort: Int
    /// Where certificate, key and token are.
    var folder: String
    /// The environment the gateway plays.
    var environment: APNsEnvironment
    /// The team's apps, one at least.
    var bundles: [String]
    /// The team's id.
    var team: String
    /// The keys Apple knows: id and file.
    var keys: [(id: String, file: String)]
    /// What keys are limited to, by id: environments and topics.
    var keyScopes: [String: [String]]
    /// Device tokens.
    var tokens: [String]
    /// Whether every well-formed token is a device's.
    var acceptsUnknownTokens: Bool
    /// Streams of a trusted connection.
    var streams: UInt32
    /// Whether a refusal takes a connection back to one stream.
    var throttlesAfterRefusal: Bool
    /// How long a connection may be silent.
    var idleTimeout: Duration?
    /// How far the gateway's clock is ahead, in milliseconds.
    var clockOffset: Int64
    /// The faults for the first requests.
    var faults: [FaultOrder]
    /// Whether the output is JSON lines.
    var isJSON: Bool

    /// Reads the options.
    ///
    /// - Throws: ``UsageError`` that says what to type.
    init(_ parsed: ParsedOptions) throws {
        host = parsed.string("host") ?? "127.0.0.1"
        port = try parsed.integer("port", in: 0...65_535) ?? 2_197
        consolePort = try parsed.integer("console-port", in: 0...65_535) ?? 2_198
        folder = parsed.string("folder") ?? "offhook-apns"
        environment = try parsed.choice("environment") ?? .development
        bundles = parsed.values["bundle"] ?? ["com.example.app"]
        team = parsed.string("team") ?? "LOCALTEAM1"
        acceptsUnknownTokens = parsed.has("any-token")
        streams = try parsed.integer("streams", in: 1...100_000) ?? 1_000
        throttlesAfterRefusal = parsed.has("throttle")
        idleTimeout = try parsed.integer("idle-seconds", in: 1...86_400).map { Duration.seconds($0) }
        isJSON = parsed.has("json")
        clockOffset = 0
        if let text = parsed.string("clock") {
            guard let offset = TimeText.milliseconds(text) else {
                throw UsageError(message: "--clock takes a time, not '\(text)'", hint: "Write: --clock +90m, or -2h")
            }
            clockOffset = offset
        }
        keys = try Self.pairs(parsed, "key", example: "ABCDE12345=AuthKey.p8").map { (id: $0, file: $1) }
        let known = keys.isEmpty ? [Self.usualKey] : keys.map(\.id)
        keyScopes = [:]
        for (id, scope) in try Self.pairs(parsed, "limit-key", example: "\(known[0])=production") {
            guard known.contains(id) else {
                throw UsageError(
                    message: "--limit-key names key \(id), which is not given",
                    hint: "Known: \(known.joined(separator: ", "))")
            }
            keyScopes[id, default: []].append(scope)
        }
        tokens = (parsed.values["token"] ?? []).map { $0.lowercased() }
        for token in tokens where !token.utf8.count.isMultiple(of: 2) || !token.allSatisfy(\.isHexDigit) {
            throw UsageError(
                message: "--token takes hexadecimal digits, an even number of them, not '\(token)'",
                hint: "See: offhook apns --help")
        }
        faults = []
        for text in parsed.values["fault"] ?? [] {
            do throws(FaultOrder.Flaw) {
                faults.append(try FaultOrder(text))
            } catch {
                throw UsageError(message: "--fault \(error.message)", hint: "See: offhook apns --help")
            }
        }
    }

    private static func pairs(
        _ parsed: ParsedOptions, _ name: String, example: String
    ) throws -> [(String, String)] {
        try (parsed.values[name] ?? []).map { text in
            let parts = text.split(separator: "=", maxSplits: 1)
            guard parts.count == 2 else {
                throw UsageError(
                    message: "--\(name) takes ID=VALUE, not '\(text)'", hint: "Write: --\(name) \(example)")
            }
            return (String(parts[0]), String(parts[1]))
        }
    }
}
