// SPDX-License-Identifier: MIT

import AVFAudio
import Testing
import VirtualPhone

@Suite struct SameSeedTests {
    private final class Root: Sendable {
        let process = AppProcess.current
    }

    /// A phone with an app that runs, and the app's process.
    private func phone(seed: UInt64) async throws -> (VirtualPhone, AppProcess) {
        let phone = VirtualPhone(VirtualPhone.Configuration(seed: seed))
        let (stream, roots) = AsyncStream.makeStream(of: Root.self)
        phone.install(
            App(bundleIdentifier: "org.example.twin", displayName: "Twin") { _ in
                let root = Root()
                roots.yield(root)
                return root
            })
        phone.open("org.example.twin")
        await phone.settle()
        var iterator = stream.makeAsyncIterator()
        return (phone, try #require(await iterator.next()?.process))
    }

    @Test("two phones of the same seed in one process have audio sessions of their own")
    func ownSessions() async throws {
        let (first, one) = try await phone(seed: 7)
        let (second, other) = try await phone(seed: 7)
        try one.run { try AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .voiceChat) }
        #expect(other.run { AVAudioSession.sharedInstance().category } == .soloAmbient)
        #expect(first.timeline.entries.contains { $0.text == "set the audio category" })
        #expect(!second.timeline.entries.contains { $0.text == "set the audio category" })
        #expect(one.isRunning && other.isRunning)
        first.shutDown()
        #expect(other.isRunning)
        second.shutDown()
    }
}
