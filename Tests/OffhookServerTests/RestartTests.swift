// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookServer
import OffhookWire
import Testing

/// What a killed process leaves is its files; another server goes on with a copy of them.
@Suite("A server that dies while calls live")
struct RestartTests {
    private static let bob = Handle(value: "bob")

    private func ringing() async throws -> (TestServer, alice: TestClient, bob: TestClient, CallID) {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: RestartTests.bob, video: false))
        try await bob.ask(.ringing(call: call))
        return (test, alice, bob, call)
    }

    @Test("Race 23: killed while it rings, the call can still be answered")
    func answeredAfterRestart() async throws {
        let (dead, _, _, call) = try await ringing()
        let test = try await TestServer.start(folder: dead.folder.crashImage(), clock: dead.clock)
        let (alice, atAlice) = try await TestClient.hello(
            port: test.server.port, token: test.token("alice"), device: "a1", session: "lost", sequence: 3,
            calls: [call])
        #expect(!atAlice.resumed)
        #expect(atAlice.calls == [CallSnapshot(call: call, state: .ringing, outgoing: true)])
        let (bob, atBob) = try await TestClient.hello(
            port: test.server.port, token: test.token("bob"), device: "b1", calls: [call])
        #expect(atBob.calls.map(\.state) == [.ringing])
        #expect(atBob.calls.first?.invitation?.callerName == "Alice Adams")
        try await bob.ask(.answer(call: call))
        try await alice.receives(.answered(call: call))
        let record = try #require(await test.server.callRecord(call))
        #expect(record.answeredBy == "b1")
        #expect(record.times.rangAt != nil)
        await test.stop()
        await dead.stop()
    }

    @Test("Race 23, R99: killed while it rings, the call ends unanswered at its deadline")
    func deadlineAfterRestart() async throws {
        let (dead, _, _, call) = try await ringing()
        let expiresAt = try #require(await dead.server.callRecord(call)?.expiresAt)
        let test = try await TestServer.start(folder: dead.folder.crashImage(), clock: dead.clock)
        let (alice, welcome) = try await TestClient.hello(
            port: test.server.port, token: test.token("alice"), device: "a1", calls: [call])
        #expect(welcome.calls.map(\.state) == [.ringing])
        await test.clock.advance(by: .seconds(45))
        #expect(try await alice.ended(call) == .unanswered)
        let record = try #require(await test.server.callRecord(call))
        #expect(record.reason == .unanswered)
        #expect(record.state == .ended)
        #expect(record.times.endedAt == expiresAt)
        await test.stop()
        await dead.stop()
    }

    @Test("Race 23: a call whose deadline passed while no server ran is over at once")
    func deadlinePassed() async throws {
        let (dead, alice, _, call) = try await ringing()
        let image = try dead.folder.crashImage()
        await dead.clock.advance(by: .seconds(45))
        #expect(try await alice.ended(call) == .unanswered)
        let test = try await TestServer.start(folder: image, clock: dead.clock)
        let record = try #require(await test.server.callRecord(call))
        #expect(record.reason == .unanswered)
        await test.stop()
        await dead.stop()
    }

    @Test("Race 23: killed in a call, both come back and it goes on")
    func callGoesOn() async throws {
        let (dead, _, bob, call) = try await ringing()
        try await bob.ask(.answer(call: call))
        let test = try await TestServer.start(folder: dead.folder.crashImage(), clock: dead.clock)
        let (again, atAlice) = try await TestClient.hello(
            port: test.server.port, token: test.token("alice"), device: "a1")
        let (bobAgain, atBob) = try await TestClient.hello(
            port: test.server.port, token: test.token("bob"), device: "b1")
        #expect(atAlice.calls.map(\.state) == [.answered])
        #expect(atBob.calls.map(\.state) == [.answered])
        try await bobAgain.ask(.hangup(call: call, reason: .localHangup))
        #expect(try await again.ended(call) == .remoteEnded)
        await test.stop()
        await dead.stop()
    }

    @Test("Race 23: killed in a call, one does not come back: the record ends as failed")
    func oneDoesNotComeBack() async throws {
        let (dead, _, bob, call) = try await ringing()
        try await bob.ask(.answer(call: call))
        let test = try await TestServer.start(folder: dead.folder.crashImage(), clock: dead.clock)
        let (alice, welcome) = try await TestClient.hello(
            port: test.server.port, token: test.token("alice"), device: "a1", calls: [call])
        #expect(welcome.calls.map(\.state) == [.answered])
        await test.clock.advance(by: .seconds(30))
        #expect(try await alice.ended(call) == .failed)
        #expect(await test.server.callRecord(call)?.reason == .failed)
        await test.stop()
        await dead.stop()
    }

    @Test("R98: records, tokens and the server's own secret outlive a clean stop")
    func cleanRestart() async throws {
        let folder = try TestFolder()
        let first = try await TestServer.start(folder: folder) { $0.tokenSecret = nil }
        let token = try first.token("alice")
        let alice = try await TestClient.hello(port: first.server.port, token: token, device: "a1").0
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: RestartTests.bob, video: false))
        #expect(try await alice.ended(call) == .unreachable)
        await first.stop()
        let second = try await TestServer.start(folder: folder) { $0.tokenSecret = nil }
        let (_, welcome) = try await TestClient.hello(
            port: second.server.port, token: token, device: "a1", calls: [call])
        #expect(welcome.calls.map(\.reason) == [.unreachable])
        #expect(await second.server.callRecord(call)?.reason == .unreachable)
        await second.stop()
    }
}
