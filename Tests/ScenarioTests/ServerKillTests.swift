// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookServer
import Testing
import VirtualPhone

@Suite(.serialized) struct ServerKillTests {
    private struct Scene {
        var street: Street
        var port: Int
        var call: CallID
        /// For how long it rings, in seconds.
        var ring: Int
    }

    /// Longer than any ringing here, on a busy machine too.
    private static let patience = Duration.seconds(180)

    /// Alice has called, Bob's dead app was woken by a push, his locked phone rings, and the server is killed.
    ///
    /// A busy machine may need longer than the ringing lasts: then it is done again with more time.
    private func ringingThenKilled(ring: Int) async throws -> Scene {
        for factor in [1, 2, 4, 8] {
            // A server rings for three minutes at most.
            if let scene = try await scene(ring: min(ring * factor, 180)) { return scene }
        }
        throw CancellationError()
    }

    /// The scene; nil when the call was over before Bob's phone could ring.
    private func scene(ring: Int) async throws -> Scene? {
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
        let call = try await alice.startCall(to: Handle(value: "bob")).get()
        let told = try #require(await alice.call(call, limit: Self.patience) { $0.remoteRinging || $0.hasEnded })
        server.kill()
        guard !told.hasEnded else {
            street.close()
            return nil
        }
        return Scene(street: street, port: port, call: call, ring: ring)
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
        let scene = try await ringingThenKilled(ring: 120)
        let (street, call) = (scene.street, scene.call)
        defer { street.close() }
        let server = try await street.startServer(port: scene.port, ring: scene.ring)
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
        let scene = try await ringingThenKilled(ring: 8)
        let (street, call) = (scene.street, scene.call)
        defer { street.close() }
        let server = try await street.startServer(port: scene.port, ring: scene.ring)
        let alice = try #require(street.center(of: "alice"))
        let ended = try #require(await alice.call(call, limit: Self.patience) { $0.hasEnded })
        #expect(ended.state == .ended(.unanswered))
        try await street.bob.wait(for: { $0.calls.isEmpty }, timeout: Self.patience)
        server.stop()
        let record = try await record(call, in: street)
        #expect(record.state == .ended)
        #expect(record.reason == .unanswered)
        #expect(record.times.answeredAt == nil)
        #expect(street.bob.recents.first?.outcome == .missed)
    }

    @Test("race 23: a server that comes back after the deadline ends the call at once")
    func endsAtRestart() async throws {
        let scene = try await ringingThenKilled(ring: 4)
        let (street, call) = (scene.street, scene.call)
        defer { street.close() }
        // Bob's phone keeps the deadline by itself: nobody tells it now.
        try await street.bob.wait(for: { $0.calls.isEmpty }, timeout: Self.patience)
        let server = try await street.startServer(port: scene.port, ring: scene.ring)
        let alice = try #require(street.center(of: "alice"))
        let ended = try #require(await alice.call(call, limit: Self.patience) { $0.hasEnded })
        #expect(ended.state == .ended(.unanswered))
        server.stop()
        #expect(try await record(call, in: street).reason == .unanswered)
    }
}
