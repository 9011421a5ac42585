// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookMedia
import Testing
import VirtualPhone

@Suite(.serialized) struct TamperedDescriptionTests {
    /// Another fingerprint of the same form: the first two digits are changed.
    private static func tampered(_ frame: String) -> String {
        frame.replacing(/a=fingerprint:sha-256 ([0-9A-Fa-f]{2})/) { match in
            "a=fingerprint:sha-256 " + (match.1.uppercased() == "00" ? "01" : "00")
        }
    }

    private static func voice(heardBy speaker: MemoryRecorder) -> @Sendable () -> any MediaEngine {
        { GStreamerMediaEngine { _ in AudioPort(microphone: ToneSource(), speaker: speaker) } }
    }

    /// A call with real voice, in which somebody changes the fingerprints in what the server says to Alice.
    @Test("a tampered fingerprint ends the call as failed, with the reason, before anything is heard")
    func tamperedFingerprint() async throws {
        let street = try Street()
        defer { street.close() }
        let server = try await street.startServer()
        let port = try #require(server.port)
        let heard = MemoryRecorder()
        let alicesToken = try #require(server.token(of: "alice"))
        let bobsToken = try #require(server.token(of: "bob"))
        street.install(
            "alice", on: street.alice, port: port, token: alicesToken, media: Self.voice(heardBy: heard),
            wiretap: Self.tampered)
        street.install(
            "bob", on: street.bob, port: port, token: bobsToken, media: Self.voice(heardBy: MemoryRecorder()))
        street.bob.open(Street.bundle)
        street.alice.open(Street.bundle)
        await street.alice.settle()
        await street.bob.settle()
        _ = await server.printed("device bob-phone is here")
        _ = await server.printed("device alice-phone is here")
        let alice = try #require(street.center(of: "alice"))
        let bob = try #require(street.center(of: "bob"))
        let call = try await alice.startCall(to: Handle(value: "bob")).get()
        try await street.bob.wait { !$0.screen.incoming.isEmpty }
        try street.bob.user.answer()

        let ended = try #require(await alice.call(call) { $0.hasEnded })
        #expect(ended.state == .ended(.failed))
        #expect(ended.failure?.code == .peerIdentity)
        #expect(ended.connectedAt == nil)
        try await street.bob.wait { $0.calls.isEmpty }
        #expect(bob.currentCalls.isEmpty)
        server.stop()
        #expect(!heard.recording.samples.contains { $0 != 0 })
        #expect(street.alice.violations.isEmpty && street.bob.violations.isEmpty)
    }
}
