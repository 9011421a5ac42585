// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import OffhookNet
import OffhookServer
import Testing

@testable import offhook

@Suite struct ServeCommandTests {
    @Test func helpHasEveryOptionThatTheServerReads() {
        let usage = ServerConfiguration.usage
        let names = usage.matches(of: /(?m)^  --([a-z-]+)/).map { String($0.1) }
        #expect(!names.isEmpty)
        #expect(Set(names) == Set(ServeCommand.description.options.map(\.name) + ["help"]))
        for option in ServeCommand.description.options {
            #expect(usage.contains("--\(option.name) VALUE") == (option.value != nil), "\(option.name)")
        }
    }

    @Test func optionsReachTheServer() throws {
        let parsed = try ServeCommand.description.parse([
            "--host", "::1", "--port=0", "--database", ":memory:", "--user", "alice=Alice", "--user", "bob",
            "--ring-seconds", "20", "--full-sync", "--dev-token", "alice",
        ])
        let configuration = try ServeCommand(parsed, environment: ["OFFHOOK_PORT": "1"]).configuration
        #expect(configuration.host == "::1")
        #expect(configuration.port == 0)
        #expect(configuration.users.map(\.name) == ["Alice", "bob"])
        #expect(configuration.ringDuration == .seconds(20))
        #expect(configuration.fullSync)
        #expect(configuration.developmentTokens == ["alice"])
    }

    @Test(arguments: [
        (["--port", "70000"], "65535"), (["--apns-key", "k.p8"], "--apns-key-id"), (["--apns-team", "short"], "10"),
        (["--tls-key", "k"], "--tls-certificate"), (["--ring-seconds", "0"], "180"),
    ]) func wrongValuesAreUsageErrors(arguments: [String], named: String) throws {
        let parsed = try ServeCommand.description.parse(arguments)
        let error = #expect(throws: UsageError.self) { try ServeCommand(parsed, environment: [:]) }
        #expect(
            error?.message.replacingOccurrences(of: "_", with: "").contains(named) == true,
            "\(String(describing: error))")
        #expect(error?.hint == "See: offhook serve --help")
    }

    @Test func servesUntilItIsTold() async throws {
        let output = Output()
        let (stream, end) = AsyncStream.makeStream(of: Int32.self)
        let command = try ServeCommand(
            ServeCommand.description.parse(["--port", "0", "--database", ":memory:", "--dev-token", "alice"]),
            environment: [:])
        async let status = command.serve(output.terminal, until: stream)
        let text = await output.text { $0.contains("token for alice") }
        #expect(text.contains("listens on ws://127.0.0.1:"))
        #expect(text.contains("no pushes are sent"))
        end.yield(SIGTERM)
        #expect(try await status == .success)
    }

    @Test func busyPortIsTheEnvironmentsFault() async throws {
        let first = OffhookServer(try ServerConfiguration(arguments: ["--port", "0", "--database", ":memory:"]))
        try await first.start()
        let output = Output()
        let command = try ServeCommand(
            ServeCommand.description.parse(["--port", "\(first.port)", "--database", ":memory:"]), environment: [:])
        let error = await #expect(throws: EnvironmentError.self) {
            try await command.serve(output.terminal, until: AsyncStream { $0.finish() })
        }
        #expect(error?.message.contains("\(first.port)") == true)
        await first.stop()
    }

    @Test func eventsAreLinesOfALog() {
        let event = ServerEvent(
            at: Instant(milliseconds: 1_700_000_000_007), text: "answered", call: CallID(high: 1, low: 2),
            rule: "race 2")
        #expect(
            ServeCommand.line(event)
                == "22:13:20.007Z  answered  call 00000000-0000-0001-0000-000000000002  (race 2)")
    }

    @Test func clientsCannotForgeLinesOfTheLog() {
        let event = ServerEvent(
            at: Instant(milliseconds: 0), text: "device a\n00:00:00.000Z  all is well\u{1B}[2J\u{202E} is here",
            call: nil,
            rule: nil)
        #expect(
            ServeCommand.line(event)
                == "00:00:00.000Z  device a\\u{a}00:00:00.000Z  all is well\\u{1b}[2J\\u{202e} is here")
    }

    /// Collects what a command writes, and wakes who waits for it.
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
            for await _ in pieces.stream {
                let text = written.withLock { $0 }
                if isEnough(text) { return text }
            }
            return written.withLock { $0 }
        }
    }
}
