// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookTesting
import Testing
import VirtualPhone

/// The sequences of ``MutePains``, ``CallPains`` and ``LifePains``, with Offhook's engine.
@Suite(.timeLimit(.minutes(1))) struct EngineLifePains {
    @Test("P36, P37: mute in the app is mute on the screen and one action; mute on the screen is one action too")
    func mute() async throws {
        let world = try await EngineLab()
        defer { world.lab.shutDown() }
        let call = try await world.talk()
        try await world.command(world.bob) { try await $0.setMuted(true, for: call).get() }
        #expect(world.shown?.isMuted == true && world.bob.calls?.currentCalls.first?.muted == true)
        #expect(world.bob.media.entries(call).last == .muted(true))
        try world.bob.phone.user.setMuted(false)
        await world.lab.advance(by: .seconds(10))
        #expect(world.shown?.isMuted == false && world.bob.calls?.currentCalls.first?.muted == false)
        #expect(world.bob.media.entries(call).suffix(2) == [.muted(true), .muted(false)])
        let actions = world.bob.phone.timeline.entries.filter { $0.rule == "G6" && $0.actor == .phone }
        #expect(actions.count == 2, "\(actions)")
        world.expectClean()
    }

    @Test("P39: ten calls placed and given up one after the other leave nothing behind") func callAndHangUp()
        async throws
    {
        let world = try await EngineLab()
        defer { world.lab.shutDown() }
        for _ in 1...10 {
            await world.alice.call("bob")
            await world.lab.advance(by: .milliseconds(500))
            try world.alice.phone.user.hangUp()
            await world.lab.advance(by: .milliseconds(500))
        }
        await world.lab.advance(by: .seconds(10))
        #expect(world.alice.callFailures.isEmpty && world.lab.server.liveCalls.isEmpty)
        for phone in world.lab.phones { #expect(phone.snapshot.calls.isEmpty) }
        world.expectClean()
    }

    @Test("P39: a system that still closes the last call refuses the next: the app is told, and nothing is left behind")
    func callAndHangUpQuickly() async throws {
        var settings = PhoneSettings()
        settings.endedCallLingers = .milliseconds(1500)
        let world = try await EngineLab(settings)
        defer { world.lab.shutDown() }
        for round in 1...10 {
            await world.alice.call("bob")
            await world.lab.advance(by: .milliseconds(500))
            if round % 2 == 1 { try world.alice.phone.user.hangUp() }
            await world.lab.advance(by: .milliseconds(500))
        }
        await world.lab.advance(by: .seconds(10))
        #expect(world.alice.callFailures.map(\.code) == Array(repeating: .refusedByPhone, count: 5))
        #expect(world.alice.callFailures.allSatisfy { $0.message.contains("maximumCallGroupsReached") })
        #expect(world.lab.server.liveCalls.isEmpty)
        for phone in world.lab.phones { #expect(phone.snapshot.calls.isEmpty) }
        for user in [world.alice, world.bob] { #expect(user.calls?.currentCalls.isEmpty == true) }
        world.expectClean()
    }

    @Test("P38: the system unmutes as the call connects: who muted while it rang stays muted, here and on the screen")
    func unmutedByTheSystem() async throws {
        var settings = PhoneSettings()
        settings.unmutesOnConnect = true
        let world = try await EngineLab(settings)
        defer { world.lab.shutDown() }
        let call = try await world.ring()
        try world.alice.phone.user.setMuted(true)
        await world.lab.advance(by: .seconds(1))
        try world.bob.phone.user.answer()
        await world.lab.advance(by: .seconds(5))
        #expect(world.alice.calls?.currentCalls.map(\.muted) == [true])
        #expect(world.alice.phone.screen.inCall.map(\.isMuted) == [true])
        let gates = world.alice.media.entries(call).filter { $0 == .muted(true) || $0 == .muted(false) }
        #expect(gates == [.muted(true)])
        try world.alice.phone.user.setMuted(false)
        await world.lab.advance(by: .seconds(1))
        #expect(world.alice.calls?.currentCalls.map(\.muted) == [false])
        #expect(world.alice.media.entries(call).last == .muted(false))
        world.expectClean()
    }

    @Test("P40: a start is completed at once; a callee that never answers ends the call as unanswered")
    func startAtOnce() async throws {
        let world = try await EngineLab()
        defer { world.lab.shutDown() }
        try await world.ring()
        #expect(world.alice.phone.snapshot.calls.map(\.phase) == [.started])
        #expect(world.alice.phone.snapshot.isCallAudioActive)
        await world.lab.advance(by: .seconds(90))
        #expect(world.lab.phones.allSatisfy { $0.snapshot.calls.isEmpty })
        #expect(world.lab.server.decisions == [.placed, .rang, .timedOut])
        #expect(!world.alice.phone.snapshot.isCallAudioActive)
        world.expectClean()
    }

    @Test("P53: five minutes on the locked phone: the connection stays while the call lives")
    func connectionStays() async throws {
        let world = try await EngineLab()
        defer { world.lab.shutDown() }
        world.alice.phone.open(world.alice.bundle)
        let call = try await world.talk()
        world.alice.phone.user.lock()
        await world.lab.advance(by: .seconds(300))
        #expect(world.lab.server.liveCalls == [call])
        for user in [world.alice, world.bob] {
            #expect(user.phone.snapshot.isCallAudioActive && user.calls?.currentCalls.map(\.state) == [.active])
            #expect(user.phone.appState(of: user.bundle) == .background)
        }
        // It still carries messages: the hang-up of one side is the end of the other.
        try world.alice.phone.user.hangUp()
        await world.lab.advance(by: .seconds(1))
        #expect(world.bob.phone.snapshot.calls.isEmpty)
        world.expectClean()
    }

    @Test("P54: a tone of the keypad is sent by the media engine") func keypad() async throws {
        let world = try await EngineLab(capabilities: MediaCapabilities(dtmf: true))
        defer { world.lab.shutDown() }
        let call = try await world.talk()
        try world.bob.phone.user.playTone("5")
        await world.lab.advance(by: .seconds(1))
        #expect(world.bob.media.entries(call).last == .tones("5"))
        try await world.command(world.bob) { try await $0.playTones("12#", in: call).get() }
        await world.lab.advance(by: .seconds(1))
        #expect(world.bob.media.entries(call).suffix(2) == [.tones("5"), .tones("12#")])
        world.expectClean()
    }

    @Test("P54: without an engine for tones the keypad is not offered") func keypadIsGrey() async throws {
        let world = try await EngineLab()
        defer { world.lab.shutDown() }
        try await world.talk()
        #expect(world.shown?.enabledControls.contains(.keypad) == false)
        #expect(throws: PhoneUserError.notOffered("keypad")) { try world.bob.phone.user.playTone("5") }
        world.expectClean()
    }
}
