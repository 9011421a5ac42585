// SPDX-License-Identifier: MIT

import Offhook
import OffhookNet
import OffhookTesting
import OffhookWire
import Testing
import VirtualPhone

/// The diagnostic log (R12).
@Suite(.timeLimit(.minutes(2))) struct LogTests {
    @Test("R12: the log of a whole call holds no token, name, handle, payload and media description")
    func secrets() async throws {
        let log = Guarded<[LogEntry]>([])
        let bench = Bench { configuration in
            configuration.sessionToken = { "session-token-secret" }
            configuration.log = { entry in log.withLock { $0.append(entry) } }
        }
        defer { bench.close() }
        bench.server.refuse(WireFailure(code: .malformed, message: "server words about alice")) { body in
            if case .update = body { true } else { false }
        }
        try await bench.talk()
        let calls = try #require(bench.app?.calls)
        bench.server.say(.media(call: Bench.call, signal: MediaSignal(kind: .candidate, body: "candidate 10.9.8.7")))
        bench.media.say(.signal(MediaSignal(kind: .offer, body: "v=0 secret description")), for: Bench.call)
        _ = await calls.startCall(to: Handle(value: "bob-handle"), displayName: "Bob's name")
        _ = await calls.setDisplayName("another name", for: Bench.call)
        _ = await calls.playTones("4711", in: Bench.call)
        bench.server.sayRaw("no JSON, says alice")
        _ = await calls.end(Bench.call)
        await bench.advance(by: .seconds(5))
        let token = try #require(bench.phone.pushToken(for: Bench.bundle))
        let lines = log.withLock { $0.map(\.description) }
        let secrets = [
            "secret", "Alice", "alice", "bob", "Bob", "another name", "4711", "10.9.8.7", "v=0", "offhook\"",
            token.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined(),
        ]
        for line in lines {
            for secret in secrets { #expect(!line.contains(secret), "\(line)") }
        }
        for wanted in [
            "info: invitation: accepted [\(Bench.call)]", "info: connection: online", "info: active [\(Bench.call)]",
            "debug: push 1 came, must be reported [\(Bench.call)]", "info: operation: applied [\(Bench.call)]",
            "debug: CallKit performs answer [\(Bench.call)]", "debug: audio session activated",
            "debug: media: sends offer [\(Bench.call)]",
        ] {
            #expect(lines.contains(wanted), "\(wanted) is not in \(lines)")
        }
    }

    @Test("R12: an entry is told in the order in which it happened, with its time") func order() async throws {
        let log = Guarded<[LogEntry]>([])
        let bench = Bench { configuration in
            configuration.log = { entry in log.withLock { $0.append(entry) } }
        }
        defer { bench.close() }
        try await bench.ring()
        let entries = log.withLock { $0 }
        #expect(entries.map(\.at) == entries.map(\.at).sorted())
        let push = entries.firstIndex { $0.message.hasPrefix("push 1 came") }
        let outcome = entries.firstIndex { $0.message == "invitation: accepted" }
        let report = entries.firstIndex { $0.message == "report: done" }
        #expect(try #require(push) < #require(outcome))
        #expect(try #require(outcome) < #require(report))
    }
}
