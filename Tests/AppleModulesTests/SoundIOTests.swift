// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import Testing
import VirtualPhone

/// A media engine's audio, told by SoundIO, in an app against Apple's frameworks.
@Suite(.timeLimit(.minutes(1)))
struct SoundIOTests {
    private func call(startsEarly: Bool) async throws -> (phone: VirtualPhone, notes: [String]) {
        let phone = VirtualPhone(.init(seed: 7))
        let notes = Locked<[String]>([])
        phone.install(
            App(bundleIdentifier: "engine.app", displayName: "Engine") { _ in
                EngineApp(startsEarly: startsEarly) { note in notes.withLock { $0.append(note) } }
            })
        phone.open("engine.app")
        await phone.settle()
        try phone.user.answer()
        await phone.advance(by: .seconds(1))
        try phone.user.hangUp()
        await phone.advance(by: .seconds(2))
        return (phone, notes.withLock { $0 })
    }

    @Test("S1, R70: an engine that runs between didActivate and didDeactivate breaks no rule")
    func inTheWindow() async throws {
        let (phone, notes) = try await call(startsEarly: false)
        defer { phone.shutDown() }
        #expect(notes == ["activate: runs, sound", "deactivate"])
        #expect(phone.violations.isEmpty)
    }

    @Test("R70, P29, S1: an engine that starts with the answer is refused with Apple's code, and named")
    func early() async throws {
        let (phone, notes) = try await call(startsEarly: true)
        defer { phone.shutDown() }
        #expect(notes == ["answer: 561145187", "activate: runs, sound", "deactivate"])
        #expect(phone.violations.map(\.rule) == ["R70"])
    }
}

/// Reports a call at its launch; everything happens on the main queue.
private final class EngineApp: NSObject, CXProviderDelegate {
    private let provider = CXProvider(configuration: CXProviderConfiguration())
    private let sound = SoundIO()
    private let startsEarly: Bool
    private let note: @Sendable (String) -> Void

    init(startsEarly: Bool, note: @escaping @Sendable (String) -> Void) {
        self.startsEarly = startsEarly
        self.note = note
        super.init()
        provider.setDelegate(self, queue: nil)
        provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate()) { _ in }
    }

    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        try? AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .voiceChat)
        if startsEarly { start("answer") }
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) { action.fulfill() }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) { start("activate") }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        sound.stop()
        note("deactivate")
    }

    private func start(_ moment: String) {
        do {
            try sound.start()
            note("\(moment): runs, \(sound.microphone)")
        } catch {
            note("\(moment): \(error.code)")
        }
    }
}
