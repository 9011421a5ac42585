// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookServer
import Testing
import VirtualPhone

@Suite(.serialized) struct ServerKillTests {
    /// Alice has called, Bob's dead app was woken by a push, his locked phone rings, and the server is killed.
    private func ringingThenKilled(ring: Int) async throws -> (street: Street, port: Int, call: CallID) {
        let street = try Street()
        let server = try await street.startServer(ring: ring)
        let port = try #require(server.port)
        street.install("alice", on: street.alice, port: port, token: try #require(server.token(of: "alice")))
        street.install("bob", on: street.bob, port: port, token: try #require(server.token(of: "bob")))
        try await street.putBobAway(server)
        street.alice.open(Street.bundle)
        await street.alice.settle()
        let alice = try #require(street.center(of: "alice"))
        _ = await server.printed("device alice-phone is here")
        let call = try await alice.startCall(to: Handle(value: "bob"))
        try await street.bob.wait { !$0.screen.incoming.isEmpty }
        _ = try #require(await alice.call(call) { $0.remoteRinging })
        server.kill()
        return (street, port, call)
    }

    private func record(_ call: CallID, in street: Street) async throws -> CallRecord {
        var configuration = ServerConfiguration()
        configuration.port = 0
        configuration.database = street.database
        let reader = OffhookServer(configuration)
        try await reader.start()
        let record = await reader.callRecord(call)
        await reader.stop()
        return try #require(record)
    }

    @Test("race 23: a server killed with kill -9 while Bob rings comes back, and he answers")
    func answeredAfterRestart() async throws {
        let (street, port, call) = try await ringingThenKilled(ring: 80)
        defer { street.close() }
        let server = try await street.startServer(port: port, ring: 80)
        _ = await server.printed("device bob-phone is here")
        _ = await server.printed("device alice-phone is here")
        try street.bob.user.answer()
        let alice = try #require(street.center(of: "alice"))
        _ = try #require(await alice.call(call) { $0.state == .active })
        try street.alice.user.hangUp()
        try await street.bob.wait { $0.calls.isEmpty }
        _ = await server.printed("hung up")
        server.stop()
        let record = try await record(call, in: street)
        #expect(record.state == .ended)
        #expect(record.reason == .localHangup)
        #expect(record.answeredBy == "bob-phone")
        #expect(record.times.rangAt != nil && record.times.answeredAt != nil && record.times.connectedAt != nil)
        #expect(street.alice.violations.isEmpty && street.bob.violations.isEmpty)
    }

    @Test("race 10, race 23: a server killed while Bob rings comes back, and the call ends at its deadline")
    func endsAtTheDeadline() async throws {
        let (street, port, call) = try await ringingThenKilled(ring: 8)
        defer { street.close() }
        let server = try await street.startServer(port: port, ring: 8)
        let alice = try #require(street.center(of: "alice"))
        let ended = try #require(await alice.call(call) { $0.hasEnded })
        #expect(ended.state == .ended(.unanswered))
        try await street.bob.wait { $0.calls.isEmpty }
        server.stop()
        let record = try await record(call, in: street)
        #expect(record.state == .ended)
        #expect(record.reason == .unanswered)
        #expect(record.times.answeredAt == nil)
        #expect(street.bob.recents.first?.outcome == .missed)
    }

    @Test("race 23: a server that comes back after the deadline ends the call at once")
    func endsAtRestart() async throws {
        let (street, port, call) = try await ringingThenKilled(ring: 4)
        defer { street.close() }
        // Bob's phone keeps the deadline by itself: nobody tells it now.
        try await street.bob.wait { $0.calls.isEmpty }
        let server = try await street.startServer(port: port, ring: 4)
        let alice = try #require(street.center(of: "alice"))
        let ended = try #require(await alice.call(call) { $0.hasEnded })
        #expect(ended.state == .ended(.unanswered))
        server.stop()
        #expect(try await record(call, in: street).reason == .unanswered)
    }
}
