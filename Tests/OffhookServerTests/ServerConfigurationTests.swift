// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookServer
import Testing

@Suite("What the server is told at its start")
struct ServerConfigurationTests {
    private func fault(_ arguments: [String], _ environment: [String: String] = [:]) -> ServerError? {
        do {
            _ = try ServerConfiguration(arguments: arguments, environment: environment)
            return nil
        } catch {
            return error
        }
    }

    @Test("What is printed of a configuration holds no secret and no user")
    func printing() {
        var configuration = ServerConfiguration()
        configuration.tokenSecret = Array("a-token-secret-of-32-bytes-or-more".utf8)
        configuration.apiKey = "the-api-key"
        configuration.tls = ServerConfiguration.TLS(certificate: "PEM", key: "the-private-key")
        configuration.users = [ServerConfiguration.User(id: "alice")]
        let texts = ["\(configuration)", "\(configuration.tls.map { "\($0)" } ?? "")"]
        for secret in ["97, 45", "the-api-key", "the-private-key", "alice"] {
            #expect(!texts.contains { $0.contains(secret) }, "\(secret)")
        }
    }

    @Test("Without options the server listens on the loopback and keeps a file")
    func defaults() throws {
        let configuration = try ServerConfiguration(arguments: [])
        #expect(configuration.host == "127.0.0.1")
        #expect(configuration.port == 8443)
        #expect(configuration.database == "offhook.sqlite")
        #expect(configuration.ringDuration == .seconds(45))
        #expect(configuration.push == nil)
    }

    @Test("Options come as two words or as one, and win over the environment")
    func options() throws {
        let folder = try TestFolder()
        try folder.write(Array("  the secret that signs the tokens  \n".utf8), to: "secret")
        let configuration = try ServerConfiguration(
            arguments: [
                "--port", "0", "--database=x.sqlite", "--user", "alice=Alice = A", "--user=bob", "--full-sync",
                "--ring-seconds", "30", "--token-secret-file", folder.path("secret"), "--dev-token", "alice",
                "--allow-origin", "https://a.example",
            ], environment: ["OFFHOOK_PORT": "7", "OFFHOOK_HOST": "::1", "OFFHOOK_USERS": "carol"])
        #expect(configuration.port == 0)
        #expect(configuration.host == "::1")
        #expect(configuration.database == "x.sqlite")
        #expect(configuration.users.map(\.id) == ["alice", "bob"])
        #expect(configuration.users.map(\.name) == ["Alice = A", "bob"])
        #expect(configuration.fullSync)
        #expect(configuration.ringDuration == .seconds(30))
        #expect(configuration.tokenSecret == Array("the secret that signs the tokens".utf8))
        #expect(configuration.developmentTokens == ["alice"])
        #expect(configuration.allowedOrigins == ["https://a.example"])
    }

    @Test("The environment alone is enough")
    func environment() throws {
        let configuration = try ServerConfiguration(
            arguments: [],
            environment: [
                "OFFHOOK_USERS": "alice=Alice,bob", "OFFHOOK_APNS_KEY": "k.p8", "OFFHOOK_APNS_KEY_ID": "ABCDE12345",
                "OFFHOOK_APNS_TEAM": "TEAM123456", "OFFHOOK_PORT": "",
            ])
        #expect(configuration.users.map(\.name) == ["Alice", "bob"])
        #expect(
            configuration.push == ServerConfiguration.Push(keyFile: "k.p8", keyID: "ABCDE12345", teamID: "TEAM123456"))
        #expect(configuration.port == 8443)
    }

    @Test(
        "A wrong option is named, with what it should be",
        arguments: [
            (["--prot", "1"], "--prot"), (["--port"], "--port"), (["--port", "70000"], "65535"),
            (["--port", "x"], "--port"), (["--ring-seconds", "0"], "180"), (["--full-sync=yes"], "--full-sync"),
            (["--user", "=x"], "--user"), (["--apns-key-id", "short"], "10 letters"),
            (["--apns-endpoint", "http://x"], "https://"), (["--tls-key", "k"], "--tls-certificate"),
            (["--token-secret-file", "/no/such/file"], "/no/such/file"), (["serve"], "serve"),
        ])
    func faults(arguments: [String], words: String) throws {
        let error = try #require(fault(arguments))
        #expect(error.code == .configuration)
        #expect(error.message.contains(words))
    }

    @Test("Half a set of APNs options names the whole set")
    func halfPush() throws {
        let error = try #require(fault(["--apns-key", "k.p8"]))
        #expect(error.code == .pushKey)
        #expect(error.message.contains("--apns-team"))
    }

    @Test("A wrong environment variable is named as such")
    func wrongVariable() throws {
        let error = try #require(fault([], ["OFFHOOK_PORT": "eighty"]))
        #expect(error.message.contains("OFFHOOK_PORT"))
    }

    @Test("The usage lists every option")
    func usage() throws {
        for option in ["--host", "--port", "--database", "--user", "--apns-key", "--dev-token", "OFFHOOK_PORT"] {
            #expect(ServerConfiguration.usage.contains(option))
        }
        #expect(try ServerConfiguration(arguments: ["--help"]).wantsHelp)
    }
}
