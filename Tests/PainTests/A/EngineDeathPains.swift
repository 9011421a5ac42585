// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookTesting
import Testing
import VirtualPhone

/// P24, P27: the app's process ends before the server has heard what the user did.
@Suite(.timeLimit(.minutes(1))) struct EngineDeathPains {
    /// Bob's phone rings; he taps while it has no network, and his app is closed at once.
    private func tapAndDie(
        answers: Bool, _ body: (_ lab: PhoneLab, _ alice: LabUser, _ bob: LabUser, _ call: CallID) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let lab = PhoneLab(seed: 1)
        defer { lab.shutDown() }
        let alice = try await lab.join("alice")
        let bob = try await lab.join("bob", closed: true) { $0.storage = folder }
        await alice.call("bob")
        await lab.advance(by: .seconds(3))
        let card = try #require(bob.phone.screen.incoming.first)
        let call = try #require(CallID(card.call.uuidString))
        lab.network.setOffline(true, phone: "bob")
        if answers { try bob.phone.user.answer() } else { try bob.phone.user.decline() }
        await lab.settle()
        try bob.phone.user.close(bob.bundle)
        await lab.advance(by: .seconds(1))
        #expect(lab.server.liveCalls == [call])
        lab.network.setOffline(false, phone: "bob")
        bob.phone.user.unlock()
        bob.phone.open(bob.bundle)
        await lab.advance(by: .seconds(3))
        try await body(lab, alice, bob, call)
        #expect(bob.calls?.currentCalls.isEmpty == true && bob.phone.snapshot.calls.isEmpty)
        #expect(alice.phone.snapshot.calls.isEmpty && lab.server.liveCalls.isEmpty)
        #expect(lab.violations.isEmpty, "\(lab.violations)")
    }

    @Test("P24, P27: a decline whose process ended before the server heard it is said at the next launch")
    func declined() async throws {
        try await tapAndDie(answers: false) { lab, _, _, _ in
            #expect(lab.server.decisions == [.placed, .rang, .declined])
        }
    }

    @Test("P24: an answer whose process ended before the server heard it does not leave the caller ringing")
    func answered() async throws {
        try await tapAndDie(answers: true) { lab, _, bob, _ in
            #expect(lab.server.decisions == [.placed, .rang, .deviceUnreachable, .unreachable])
            #expect(bob.phone.screen.incoming.isEmpty)
        }
    }
}
