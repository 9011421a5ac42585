// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookCore
import OffhookTesting
import Testing
import VirtualPhone

/// P02-P13 with Offhook's apps and server in one virtual time: the sequences that break a naive app.
@Suite(.timeLimit(.minutes(1))) struct EnginePushPains {
    /// Alice's app runs; Bob's is closed and his phone locked.
    private func join(
        seed: UInt64 = 1, system: SystemVersion = SystemVersion(26, 4), closed: Bool = true,
        _ change: (inout PhoneSettings) -> Void = { _ in }
    ) async throws -> (lab: PhoneLab, alice: LabUser, bob: LabUser) {
        let lab = PhoneLab(seed: seed)
        var settings = PhoneSettings()
        change(&settings)
        _ = lab.phone("bob", system: system, settings: settings)
        return (lab, try await lab.join("alice"), try await lab.join("bob", closed: closed))
    }

    private func ring(_ lab: PhoneLab, _ alice: LabUser, _ bob: LabUser) async {
        await alice.call("bob")
        await lab.advance(by: .seconds(3))
        #expect(bob.phone.screen.incoming.map(\.callerName) == ["alice"])
    }

    @Test("P02: Offhook reports and ends a push of any shape, and the next call rings")
    func oddPayload() async throws {
        let (lab, alice, bob) = try await join()
        defer { lab.shutDown() }
        for body in OddBodies.all {
            lab.push(to: bob.phone, bob.bundle, body)
            await lab.advance(by: .seconds(10))
        }
        #expect(bob.phone.timeline.entries.count { $0.text == "reported an incoming call" } == OddBodies.all.count)
        #expect(bob.phone.snapshot.calls.isEmpty)
        await ring(lab, alice, bob)
        #expect(bob.phone.punishments.isEmpty && lab.violations.isEmpty)
    }

    @Test("P03, P20: Offhook reports and ends pushes that come after their call, and pushes go on")
    func latePushes() async throws {
        let (lab, alice, bob) = try await join(system: SystemVersion(26))
        defer { lab.shutDown() }
        lab.network.setPushDelay(.seconds(70))
        for _ in 1...6 {
            await alice.call("bob")
            await lab.advance(by: .seconds(80))
            // Without its process Bob's phone has no connection.
            try bob.phone.user.close(bob.bundle)
        }
        #expect(bob.phone.timeline.entries.count { $0.text == "delivered the push" } == 6)
        #expect(bob.phone.screen.incoming.isEmpty && bob.phone.snapshot.calls.isEmpty)
        lab.network.setPushDelay(.milliseconds(200))
        await ring(lab, alice, bob)
        #expect(bob.phone.punishments.isEmpty && lab.violations.isEmpty)
    }

    @Test("P04: Offhook's server sends one push a call, and none for a decline or a cancel")
    func onePushACall() async throws {
        let (lab, alice, bob) = try await join()
        defer { lab.shutDown() }
        await ring(lab, alice, bob)
        try bob.phone.user.decline()
        await lab.advance(by: .seconds(10))
        // Without its process Bob's phone has no connection.
        try bob.phone.user.close(bob.bundle)
        await ring(lab, alice, bob)
        try alice.phone.user.hangUp()
        await lab.advance(by: .seconds(10))
        #expect(lab.server.decisions == [.placed, .rang, .declined, .placed, .rang, .cancelled])
        #expect(bob.phone.timeline.entries.count { $0.text == "VoIP push arrived" } == 2)
        #expect(lab.violations.isEmpty)
    }

    @Test("P04: Offhook survives a push that is meant to cancel a declined call")
    func cancelPush() async throws {
        let (lab, alice, bob) = try await join()
        defer { lab.shutDown() }
        await ring(lab, alice, bob)
        let call = try #require(bob.phone.screen.incoming.first?.call)
        try bob.phone.user.decline()
        await lab.advance(by: .seconds(2))
        lab.push(to: bob.phone, bob.bundle, .offhook(call: call, caller: "alice", handle: "alice", at: lab.now))
        lab.push(to: bob.phone, bob.bundle, ["type": "cancel", "call": .string(call.uuidString)])
        await lab.advance(by: .seconds(10))
        #expect(bob.phone.timeline.entries.count { $0.text == "reported an incoming call" } == 3)
        #expect(bob.phone.snapshot.calls.isEmpty)
        #expect(bob.phone.punishments.isEmpty && lab.violations.isEmpty)
    }

    @Test("P05, P06: under Do Not Disturb Offhook leaves no call and no media behind, call after call")
    func doNotDisturb() async throws {
        let (lab, alice, bob) = try await join()
        defer { lab.shutDown() }
        bob.phone.user.setDoNotDisturb(true)
        for _ in 1...20 {
            await alice.call("bob")
            await lab.advance(by: .milliseconds(30))
            let call = try #require(lab.server.liveCalls.first)
            await lab.advance(by: .seconds(5))
            #expect(bob.media.entries(call).isEmpty)
            #expect(bob.calls?.currentCalls.isEmpty == true)
            #expect(alice.phone.snapshot.calls.isEmpty)
            #expect(lab.server.decisions.suffix(2) == [.deviceUnreachable, .unreachable])
        }
        #expect(bob.phone.snapshot.calls.isEmpty && !bob.phone.snapshot.isCallAudioActive)
        bob.phone.user.setDoNotDisturb(false)
        await ring(lab, alice, bob)
        #expect(lab.violations.isEmpty)
    }

    @Test("P07: Offhook reports and ends a push that a dead process left, when it comes again")
    func pushOfDeadProcess() async throws {
        let (lab, alice, bob) = try await join(system: SystemVersion(26))
        defer { lab.shutDown() }
        bob.phone.faults.apply(.crashAtLaunch(bundle: bob.bundle, times: 1))
        await alice.call("bob")
        await lab.advance(by: .seconds(90))
        #expect(bob.phone.appState(of: bob.bundle) == .notRunning)
        await ring(lab, alice, bob)
        #expect(bob.phone.timeline.entries.contains { $0.rule == "P07" })
        #expect(bob.phone.timeline.entries.count { $0.text == "reported an incoming call" } == 2)
        #expect(bob.phone.punishments.isEmpty && lab.violations.isEmpty)
    }

    @Test("P09: before the first unlock Offhook rings from the push alone, and the call can be answered")
    func beforeFirstUnlock() async throws {
        let (lab, alice, bob) = try await join { $0.launchesBeforeFirstUnlock = true }
        defer { lab.shutDown() }
        bob.phone.reboot()
        await ring(lab, alice, bob)
        try bob.phone.user.answer()
        await lab.advance(by: .seconds(5))
        #expect(!bob.phone.snapshot.wasUnlocked)
        #expect(alice.phone.screen.inCall.map(\.status) == [.timer])
        #expect(lab.violations.isEmpty)
    }

    @Test("P11, P13: push and connection bring one call, and Offhook shows one card")
    func oneCard() async throws {
        let (lab, alice, bob) = try await join(closed: false)
        defer { lab.shutDown() }
        await ring(lab, alice, bob)
        let call = try #require(bob.phone.screen.incoming.first?.call)
        #expect(lab.server.liveCalls.map(\.description) == [call.uuidString.lowercased()])
        lab.push(to: bob.phone, bob.bundle, .offhook(call: call, caller: "alice", handle: "alice", at: lab.now))
        await lab.advance(by: .seconds(3))
        #expect(bob.phone.screen.incoming.map(\.call) == [call])
        try alice.phone.user.hangUp()
        await lab.advance(by: .seconds(3))
        #expect(bob.phone.screen.incoming.isEmpty && bob.phone.snapshot.calls.isEmpty)
        #expect(lab.violations.isEmpty)
    }

    @Test("P12, P16: calls of the same two people have UUIDs of their own, so the next rings while the last one closes")
    func freshIdentity() async throws {
        let (lab, alice, bob) = try await join { $0.endedCallLingers = .seconds(30) }
        defer { lab.shutDown() }
        for _ in 1...2 {
            await ring(lab, alice, bob)
            try bob.phone.user.decline()
            await lab.advance(by: .seconds(2))
        }
        #expect(Set(bob.phone.recents.map(\.call)).count == 2)
        #expect(lab.violations.isEmpty)
    }
}
