// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookCore
import OffhookTesting
import Testing
import VirtualPhone

/// P17-P27 with Offhook's apps and server in one virtual time: the sequences that break a naive app.
@Suite(.timeLimit(.minutes(1))) struct EngineCallPains {
    private func join() async throws -> (lab: PhoneLab, alice: LabUser, bob: LabUser) {
        let lab = PhoneLab(seed: 1)
        return (lab, try await lab.join("alice"), try await lab.join("bob", closed: true))
    }

    private func ring(_ lab: PhoneLab, _ alice: LabUser, _ bob: LabUser) async {
        await alice.call("bob")
        await lab.advance(by: .seconds(3))
        #expect(bob.phone.screen.incoming.map(\.callerName) == ["alice"])
    }

    private func talk(_ lab: PhoneLab, _ alice: LabUser, _ bob: LabUser) async throws {
        await ring(lab, alice, bob)
        try bob.phone.user.answer()
        await lab.advance(by: .seconds(5))
        #expect(alice.phone.screen.inCall.map(\.status) == [.timer])
    }

    @Test("P17: a cancel while the report is on its way: Offhook ends the call when it is there, once")
    func cancelDuringReport() async throws {
        let (lab, alice, bob) = try await join()
        defer { lab.shutDown() }
        bob.phone.faults.apply(.slowDaemon(.seconds(2)))
        await alice.call("bob")
        await lab.advance(by: .seconds(1))
        try alice.phone.user.hangUp()
        await lab.advance(by: .milliseconds(500))
        #expect(bob.phone.screen.incoming.isEmpty)
        bob.phone.faults.apply(.slowDaemon(.zero))
        await lab.advance(by: .seconds(10))
        #expect(bob.phone.snapshot.calls.isEmpty && bob.phone.audit().isEmpty)
        #expect(bob.phone.timeline.entries.count { $0.text.hasPrefix("reported the call ended") } == 1)
        #expect(bob.phone.timeline.entries.allSatisfy { !$0.text.hasPrefix("requested CXEndCallAction") })
        #expect(bob.phone.recents.map(\.outcome) == [.missed])
        #expect(lab.violations.isEmpty)
    }

    @Test("P18: whoever hangs up, Offhook leaves no call on either phone", arguments: [true, false])
    func noZombie(byCaller: Bool) async throws {
        let (lab, alice, bob) = try await join()
        defer { lab.shutDown() }
        try await talk(lab, alice, bob)
        try (byCaller ? alice : bob).phone.user.hangUp()
        await lab.advance(by: .seconds(5))
        for user in [alice, bob] {
            #expect(user.phone.audit().isEmpty)
            #expect(user.calls?.currentCalls.isEmpty == true)
        }
        #expect(lab.violations.isEmpty)
    }

    @Test("P20: a push that waited out airplane mode: Offhook reports and ends it, and nothing rings")
    func afterAirplaneMode() async throws {
        let (lab, alice, bob) = try await join()
        defer { lab.shutDown() }
        bob.phone.setAirplaneMode(true)
        await alice.call("bob")
        await lab.advance(by: .seconds(60))
        bob.phone.setAirplaneMode(false)
        await lab.advance(by: .seconds(10))
        #expect(bob.phone.timeline.entries.count { $0.text == "delivered the push" } == 1)
        #expect(bob.phone.screen.incoming.isEmpty && bob.phone.snapshot.calls.isEmpty)
        #expect(bob.phone.punishments.isEmpty && lab.violations.isEmpty)
    }

    @Test("P21: another device answers or declines, and the locked phone stops ringing", arguments: [true, false])
    func elsewhere(answers: Bool) async throws {
        let (lab, alice, bob) = try await join()
        defer { lab.shutDown() }
        let tablet = try await lab.join("bob", device: "bobs-tablet")
        await ring(lab, alice, bob)
        #expect(tablet.phone.screen.incoming.count == 1)
        if answers { try tablet.phone.user.answer() } else { try tablet.phone.user.decline() }
        await lab.advance(by: .seconds(3))
        #expect(bob.phone.screen.isLocked && bob.phone.screen.incoming.isEmpty)
        #expect(bob.phone.recents.map(\.outcome) == [answers ? .answeredElsewhere : .declinedElsewhere])
        #expect(alice.phone.screen.inCall.map(\.status) == (answers ? [.timer] : []))
        #expect(lab.violations.isEmpty)
    }

    @Test("P23, DTS3: a second call during a call is busy, and the first one goes on")
    func secondCall() async throws {
        let (lab, alice, bob) = try await join()
        defer { lab.shutDown() }
        let carol = try await lab.join("carol")
        try await talk(lab, alice, bob)
        await carol.call("bob")
        await lab.advance(by: .seconds(10))
        #expect(bob.phone.screen.incoming.isEmpty)
        #expect(carol.phone.snapshot.calls.isEmpty)
        #expect(lab.server.decisions.last == .allBusy)
        #expect(bob.phone.screen.inCall.map(\.status) == [.timer] && bob.phone.snapshot.isCallAudioActive)
        #expect(alice.phone.screen.inCall.map(\.status) == [.timer])
        #expect(lab.violations.isEmpty)
    }

    @Test("P23: a push during another app's call is reported; it is busy with one call, and rings with two")
    func otherAppsCall() async throws {
        for groups in [1, 2] {
            let lab = PhoneLab(seed: 1)
            defer { lab.shutDown() }
            let alice = try await lab.join("alice")
            let bob = try await lab.join("bob", closed: true) { $0.provider.maximumCallGroups = groups }
            bob.phone.cellular.incoming(from: "+14155550100")
            try bob.phone.user.answer()
            await lab.advance(by: .seconds(2))
            await alice.call("bob")
            await lab.advance(by: .seconds(11))
            #expect(bob.phone.timeline.entries.contains { $0.text == "reported an incoming call" })
            #expect(bob.phone.screen.incoming.map(\.callerName) == (groups == 1 ? [] : ["alice"]))
            #expect(lab.server.decisions.contains(.allBusy) == (groups == 1))
            #expect(bob.phone.screen.inCall.count == 1)
            #expect(bob.phone.punishments.isEmpty && lab.violations.isEmpty)
        }
    }

    @Test("P24, P25: an answer in the first second works, though nobody in the app ever listens")
    func answerAtOnce() async throws {
        let (lab, alice, bob) = try await join()
        defer { lab.shutDown() }
        // The app of the lab takes no events: a host that never comes up.
        await alice.call("bob")
        await lab.advance(by: .milliseconds(300))
        try bob.phone.user.answer()
        await lab.advance(by: .seconds(5))
        for user in [alice, bob] { #expect(user.phone.screen.inCall.map(\.status) == [.timer]) }
        #expect(bob.calls?.currentCalls.map(\.state) == [.active])
        await lab.advance(by: .seconds(120))
        #expect(lab.server.decisions == [.placed, .rang, .answered, .connected])
        #expect(lab.violations.isEmpty)
    }

    @Test("P24, P27: a decline in the first second reaches the server before the process sleeps")
    func declineAtOnce() async throws {
        let (lab, alice, bob) = try await join()
        defer { lab.shutDown() }
        await alice.call("bob")
        await lab.advance(by: .milliseconds(300))
        try bob.phone.user.decline()
        await lab.advance(by: .seconds(2))
        #expect(lab.server.decisions.last == .declined)
        #expect(alice.phone.snapshot.calls.isEmpty)
        await lab.advance(by: .seconds(60))
        #expect(bob.phone.recents.map(\.outcome) == [.declined])
        #expect(lab.violations.isEmpty)
    }
}
