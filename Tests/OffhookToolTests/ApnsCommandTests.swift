// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet
import OffhookPush
import Testing
import VirtualAPNs

@testable import offhook

@Suite struct ApnsCommandTests {
    private func options(_ arguments: [String]) throws -> ApnsOptions {
        try ApnsCommand(ApnsCommand.description.parse(arguments)).options
    }

    @Test func optionsReachTheGateway() throws {
        let usual = try options([])
        #expect(usual.port == 2_197)
        #expect(usual.consolePort == 2_198)
        #expect(usual.bundles == ["com.example.app"])
        #expect(usual.environment == .development)
        #expect(!usual.acceptsUnknownTokens)
        let set = try options([
            "--host", "::1", "--port", "0", "--console-port=0", "--environment", "production", "--bundle", "a.b",
            "--bundle", "c.d", "--team", "TEAM", "--key", "K1=one.p8", "--key", "K2=two.pem", "--limit-key",
            "K1=production", "--limit-key", "K1=a.b.voip", "--token", "ABCD", "--any-token", "--streams", "5",
            "--throttle", "--idle-seconds", "9", "--clock", "-2h", "--fault", "503", "--fault", "429*3", "--json",
        ])
        #expect(set.host == "::1")
        #expect(set.environment == .production)
        #expect(set.bundles == ["a.b", "c.d"])
        #expect(set.keys.map(\.file) == ["one.p8", "two.pem"])
        #expect(set.keyScopes == ["K1": ["production", "a.b.voip"]])
        #expect(set.tokens == ["abcd"])
        #expect(set.streams == 5)
        #expect(set.idleTimeout == .seconds(9))
        #expect(set.clockOffset == -7_200_000)
        #expect(set.faults.map(\.count) == [1, 3])
        #expect(set.isJSON && set.throttlesAfterRefusal && set.acceptsUnknownTokens)
    }

    @Test(arguments: [
        (["--fault", "5o3"], "'5o3'"), (["--clock", "soon"], "--clock"), (["--token", "abc"], "hexadecimal"),
        (["--key", "file.p8"], "ID=VALUE"), (["--limit-key", "K9=production"], "K9"),
        (["--streams", "0"], "1 to 100000"),
        (["--environment", "sandbox"], "development"),
    ]) func wrongValuesAreUsageErrors(arguments: [String], named: String) throws {
        let error = #expect(throws: UsageError.self) { try options(arguments) }
        #expect(error?.message.contains(named) == true)
        #expect(error?.hint != nil)
    }

    @Test("A sender that knows gateway.json alone gets its push through, and the output says so")
    func aSenderThatKnowsTheFileAlone() async throws {
        try await withFolder { folder in
            let (address, end, output, status) = try await start(["--folder", folder, "--json"])
            let file = try Data(contentsOf: URL(fileURLWithPath: folder + "/gateway.json"))
            #expect(try JSONDecoder().decode(ApnsAddress.self, from: file) == address)
            let push = VoIPPush(
                token: address.tokens[0], bundleID: address.bundles[0], payload: Array("{\"call\":1}".utf8),
                apnsID: "11111111-2222-3333-4444-555555555555")
            let (farewells, farewell) = AsyncStream.makeStream(of: String.self)
            let sender = try sender(to: address) { event in
                if case .goneAway(_, let reason) = event { farewell.yield(reason ?? "") }
            }
            #expect(await sender.send(push, deadline: .seconds(60)) == .accepted(id: push.apnsID))
            let text = await output.text { $0.contains("\"kind\":\"delivered\"") }
            #expect(text.contains("\"payload\":\"{\\\"call\\\":1}\""))
            end.yield(SIGTERM)
            #expect(try await status.value == .success)
            for await reason in farewells {
                #expect(reason == "Shutdown")
                break
            }
            sender.stop()
        }
    }

    @Test func theNextStartHasTheSameKeyCertificateAndToken() async throws {
        try await withFolder { folder in
            var kept: [String] = []
            for _ in 0..<2 {
                let (address, end, _, status) = try await start(["--folder", folder])
                let files = [address.root] + address.keys.values
                kept.append(
                    address.tokens.joined()
                        + (try files.map { try String(contentsOfFile: $0, encoding: .utf8) }).joined())
                for name in files {
                    let mode = try FileManager.default.attributesOfItem(atPath: name)[.posixPermissions] as? Int
                    #expect(mode == 0o600)
                }
                end.yield(SIGTERM)
                #expect(try await status.value == .success)
            }
            #expect(kept[0] == kept[1])
        }
    }

    @Test("The key that a back end has already is taken, with its scope, and faults come first")
    func aKeyOfOnesOwn() async throws {
        try await withFolder { folder in
            let key = try ES256PrivateKey.generate()
            let path = folder + "/public.pem"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try Data(key.publicKey.pem.utf8).write(to: URL(fileURLWithPath: path))
            let (address, end, output, status) = try await start([
                "--folder", folder, "--key", "MYKEY00001=\(path)", "--limit-key", "MYKEY00001=production",
                "--team", "MYTEAM0001", "--any-token", "--fault", "429",
            ])
            var configuration = PushSender.Configuration(
                endpoint: try endpoint(address),
                credentials: try PushCredentials(keyID: "MYKEY00001", teamID: "MYTEAM0001", key: key))
            configuration.limits.requestTimeout = .seconds(60)
            let sender = try PushSender(configuration: configuration)
            let push = VoIPPush(
                token: "abcd", bundleID: address.bundles[0], payload: Array("{}".utf8),
                apnsID: "11111111-2222-3333-4444-555555555555")
            let first = await sender.send(push, deadline: .seconds(60))
            #expect(first == .rejected(reason: "TooManyRequests", reaction: .backOffToken, tokenInvalidSince: nil))
            let second = await sender.send(push, deadline: .seconds(60))
            let expected = "BadEnvironmentKeyIdInToken"
            #expect(second == .rejected(reason: expected, reaction: .fixConfiguration, tokenInvalidSince: nil))
            sender.stop()
            _ = await output.text { $0.contains("refused 403 BadEnvironmentKeyIdInToken: key MYKEY00001") }
            end.yield(SIGINT)
            #expect(try await status.value == .success)
        }
    }

    @Test func aBusyPortAndAMissingKeyAreTheEnvironmentsFault() async throws {
        try await withFolder { folder in
            let (address, end, _, status) = try await start(["--folder", folder])
            let port = try #require(address.gateway.split(separator: ":").last)
            for arguments in [["--port", "\(port)"], ["--key", "K=\(folder)/none.p8", "--port", "0"]] {
                let command = try ApnsCommand(
                    ApnsCommand.description.parse(["--folder", folder, "--console-port", "0"] + arguments))
                let error = await #expect(throws: EnvironmentError.self) {
                    try await command.serve(Output().terminal, until: AsyncStream { $0.finish() })
                }
                #expect(error?.message.contains(arguments[0] == "--key" ? "none.p8" : "\(port)") == true)
            }
            end.yield(SIGTERM)
            #expect(try await status.value == .success)
        }
    }

    // MARK: - A gateway that runs

    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    private func start(_ arguments: [String]) async throws -> (
        address: ApnsAddress, end: AsyncStream<Int32>.Continuation, output: Output, status: Task<ToolStatus, any Error>
    ) {
        let command = try ApnsCommand(
            ApnsCommand.description.parse(
                ["--console-port", "0"] + (arguments.contains("--port") ? [] : ["--port", "0"]) + arguments))
        let output = Output()
        let (stream, end) = AsyncStream.makeStream(of: Int32.self)
        let status = Task { try await command.serve(output.terminal, until: stream) }
        let folder = command.options.folder
        _ = await output.text { $0.contains("root.pem") }
        let file = try Data(contentsOf: URL(fileURLWithPath: folder + "/gateway.json"))
        return (try JSONDecoder().decode(ApnsAddress.self, from: file), end, output, status)
    }

    private func endpoint(_ address: ApnsAddress) throws -> PushEndpoint {
        let port = try #require(address.gateway.split(separator: ":").last.flatMap { Int($0) })
        return .custom(
            host: "127.0.0.1", port: port, roots: try String(contentsOfFile: address.root, encoding: .utf8))
    }

    private func sender(
        to address: ApnsAddress, onEvent: @escaping @Sendable (PushEvent) -> Void
    ) throws -> PushSender {
        let (id, file) = try #require(address.keys.first)
        var configuration = PushSender.Configuration(
            endpoint: try endpoint(address),
            credentials: try PushCredentials(keyID: id, teamID: address.team, path: file))
        configuration.onEvent = onEvent
        configuration.limits.requestTimeout = .seconds(60)
        return try PushSender(configuration: configuration)
    }

    /// What a command writes, for who waits for it.
    private final class Output: Sendable {
        private let written = Guarded("")
        private let pieces = AsyncStream.makeStream(of: Void.self)

        var terminal: Terminal {
            let write: @Sendable (String) -> Void = { [self] piece in
                written.withLock { $0 += piece }
                pieces.continuation.yield()
            }
            return Terminal(colour: false, width: 100, write: write, writeError: write)
        }

        /// What was written, once it is so.
        func text(_ isEnough: (String) -> Bool) async -> String {
            let already = written.withLock { $0 }
            if isEnough(already) { return already }
            for await _ in pieces.stream {
                let text = written.withLock { $0 }
                if isEnough(text) { return text }
            }
            return written.withLock { $0 }
        }
    }
}
