// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookTesting
import Testing
import VirtualPhone

/// Several calls with Offhook's engine: glare, call waiting, and merging.
@Suite(.timeLimit(.minutes(1))) struct EngineWaitingPains {
    @Test(
        "P22, race 7: two people call each other: one call for both, and nobody has to sort anything out",
        arguments: [0, 30])
    func glare(_ milliseconds: Int) async throws {
        let lab = PhoneLab(seed: 1)
        defer { lab.shutDown() }
        let users = [try await lab.join("alice"), try await lab.join("bob")]
        await users[0].call("bob")
        await lab.advance(by: .milliseconds(milliseconds))
        await users[1].call("alice")
        await lab.advance(by: .seconds(5))
        #expect(lab.server.decisions.contains(.crossed))
        #expect(lab.server.liveCalls.count == 1)
        for user in users {
            #expect(user.calls?.currentCalls.map(\.state) == [.active])
            #expect(user.calls?.currentCalls.map(\.id) == lab.server.liveCalls)
            #expect(user.phone.screen.inCall.map(\.status) == [.timer] && user.phone.screen.incoming.isEmpty)
            #expect(user.phone.snapshot.calls.count == 1 && user.phone.snapshot.isCallAudioActive)
        }
        try users[1].phone.user.hangUp()
        await lab.advance(by: .seconds(5))
        for user in users { #expect(user.phone.snapshot.calls.isEmpty && user.phone.audit().isEmpty) }
        #expect(lab.violations.isEmpty, "\(lab.violations)")
    }

    @Test("P22: once the other's call rings, an own one is refused as busy, and the card is there to answer")
    func ringsAlready() async throws {
        let world = try await EngineLab()
        defer { world.lab.shutDown() }
        try await world.ring()
        await world.bob.call("alice")
        await world.lab.advance(by: .seconds(1))
        #expect(world.bob.callFailures.map(\.code) == [.busy])
        try world.bob.phone.user.answer()
        await world.lab.advance(by: .seconds(5))
        for user in [world.alice, world.bob] { #expect(user.calls?.currentCalls.map(\.state) == [.active]) }
        world.expectClean()
    }

    /// Bob talks with Alice, and Carol calls him.
    private func carolCalls(_ world: EngineLab) async throws -> (first: CallID, carol: LabUser) {
        let carol = try await world.lab.join("carol")
        let first = try await world.talk()
        await carol.call("bob")
        await world.lab.advance(by: .seconds(3))
        #expect(world.bob.phone.screen.incoming.map(\.callerName) == ["carol"])
        return (first, carol)
    }

    @Test("P30: declining a second call leaves the first one's sound alone") func declinedSecondCall() async throws {
        let world = try await EngineLab.waiting()
        defer { world.lab.shutDown() }
        let (first, carol) = try await carolCalls(world)
        let before = world.bob.media.entries(first)
        try world.bob.phone.user.decline()
        await world.lab.advance(by: .seconds(3))
        #expect(world.bob.media.entries(first) == before && world.switches(first) == [true])
        #expect(world.bob.phone.snapshot.isCallAudioActive && world.shown?.status == .timer)
        #expect(carol.phone.snapshot.calls.isEmpty && world.lab.server.decisions.last == .declined)
        #expect(world.count("deactivated the audio session") == 0)
        world.expectClean()
    }

    @Test("P41: merged by the app or on the screen, nobody in the conference is on hold", arguments: [true, false])
    func merged(byApp: Bool) async throws {
        let world = try await EngineLab.waiting()
        defer { world.lab.shutDown() }
        let (first, _) = try await carolCalls(world)
        try world.bob.phone.user.choose(.holdAndAccept)
        await world.lab.advance(by: .seconds(2))
        let calls = try #require(world.bob.calls)
        let second = try #require(calls.currentCalls.last?.id)
        #expect(calls.currentCalls.map(\.state) == [.held, .active])
        #expect(world.alice.calls?.currentCalls.map(\.peer.held) == [true])
        if byApp {
            try await world.command(world.bob) { try await $0.merge(first, with: second).get() }
        } else {
            try world.bob.phone.user.merge()
        }
        await world.lab.advance(by: .seconds(2))
        #expect(calls.currentCalls.map(\.state) == [.active, .active])
        #expect(calls.currentCalls.map(\.groupedWith) == [[second], [first]])
        #expect(world.bob.phone.screen.inCall.count == 1)
        #expect(world.shown?.members.map(\.isOnHold) == [false, false])
        for call in [first, second] {
            let gates = world.bob.media.entries(call).filter { $0 == .held(true) || $0 == .held(false) }
            #expect(gates.last != .held(true))
        }
        #expect(world.alice.calls?.currentCalls.map(\.peer.held) == [false])
        try world.bob.phone.user.hangUp()
        await world.lab.advance(by: .seconds(5))
        #expect(world.lab.phones.allSatisfy { $0.snapshot.calls.isEmpty } && world.lab.server.liveCalls.isEmpty)
        world.expectClean()
    }
}
