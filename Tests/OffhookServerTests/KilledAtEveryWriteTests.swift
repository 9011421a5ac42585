// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire
import Testing

@testable import OffhookServer

/// A server that is killed after its n-th commit, for every n of a call: what the files are at that moment is what
/// another server goes on with.
@Suite("A server that dies after any of its writes")
struct KilledAtEveryWriteTests {
    /// One message of a device, with an id that stays the same when it is sent again.
    private struct Line {
        var device: String
        var body: ClientMessage.Body
        var id: String
    }

    /// The files after a commit, and when that was.
    private struct Image {
        var folder: TestFolder
        var at: Instant
    }

    enum Ending: CaseIterable, Sendable {
        case hungUp, declined, cancelled
    }

    private func script(_ call: CallID, _ ending: Ending) -> [Line] {
        var lines: [(String, ClientMessage.Body)] = [
            ("a1", .invite(call: call, to: Handle(value: "bob"), video: false)), ("b1", .ringing(call: call)),
            ("a1", .media(call: call, signal: MediaSignal(kind: .offer, body: "offer"))),
        ]
        switch ending {
        case .hungUp:
            lines += [
                ("b1", .answer(call: call)), ("b2", .answer(call: call)), ("a1", .connected(call: call)),
                ("b1", .hangup(call: call, reason: .localHangup)),
            ]
        case .declined: lines += [("b2", .decline(call: call)), ("b1", .answer(call: call))]
        case .cancelled: lines += [("a1", .cancel(call: call)), ("b1", .answer(call: call))]
        }
        return lines.enumerated().map { Line(device: $1.0, body: $1.1, id: "line\($0)") }
    }

    private func clients(_ test: TestServer) async throws -> [String: TestClient] {
        var clients: [String: TestClient] = [:]
        for (user, device) in [("alice", "a1"), ("bob", "b1"), ("bob", "b2")] {
            clients[device] = try await test.client(user, device)
        }
        return clients
    }

    private func play(_ script: [Line], _ clients: [String: TestClient]) async throws {
        for line in script {
            let client = try #require(clients[line.device])
            client.send(line.body, id: line.id)
            try await client.receives(.ack(replyTo: line.id))
        }
    }

    /// Plays the call once and gives back its record and the files after each commit.
    private func images(_ call: CallID, _ script: [Line]) async throws -> (CallRecord, [Image]) {
        let clock = TestClock()
        let folder = try TestFolder()
        let images = Guarded<[Image]>([])
        let orders = StoreSpy.Orders {
            guard let image = try? folder.crashImage() else { return }
            images.withLock { $0.append(Image(folder: image, at: clock.now)) }
        }
        let test = try await TestServer.start(folder: folder, clock: clock, store: orders)
        try await play(script, clients(test))
        let record = try #require(await test.server.callRecord(call))
        await test.stop()
        return (record, images.withLock { $0 })
    }

    private func revive(_ image: Image) async throws -> TestServer {
        let clock = TestClock()
        clock.setWall(by: image.at - clock.now)
        return try await TestServer.start(folder: image.folder.crashImage(), clock: clock)
    }

    @Test(
        "Race 23: killed after any write, who comes back and says everything again gets the same outcome",
        arguments: Ending.allCases)
    func sameOutcome(ending: Ending) async throws {
        let call = TestServer.newCall()
        let script = script(call, ending)
        let (expected, images) = try await images(call, script)
        // The users, three devices, and each line that decides something.
        #expect(images.count >= 6)
        for image in images {
            let test = try await revive(image)
            try await play(script, clients(test))
            let record = try #require(await test.server.callRecord(call))
            #expect(record.state == .ended)
            #expect(record.reason == expected.reason)
            #expect(record.answeredBy == expected.answeredBy)
            #expect((record.times.connectedAt == nil) == (expected.times.connectedAt == nil))
            await test.stop()
        }
    }

    @Test(
        "Race 23, R99: killed after any write, a call to which nobody comes back ends at its deadline",
        arguments: Ending.allCases)
    func nobodyComesBack(ending: Ending) async throws {
        let call = TestServer.newCall()
        let (_, images) = try await images(call, script(call, ending))
        var found: Set<CallRecord.State> = []
        for image in images {
            let test = try await revive(image)
            let restarted = test.clock.now
            if let before = await test.server.callRecord(call) {
                found.insert(before.state)
                let deadline: Instant? =
                    switch before.state {
                    case .created, .ringing: before.expiresAt
                    case .answered: restarted + .seconds(30)
                    case .ended: before.times.endedAt
                    }
                await test.clock.advance(by: .seconds(46))
                let after = try #require(await test.server.callRecord(call))
                #expect(after.state == .ended)
                #expect(after.times.endedAt == deadline)
                #expect(after.answeredBy == before.answeredBy)
            }
            await test.stop()
        }
        #expect(found == (ending == .hungUp ? [.ringing, .answered, .ended] : [.ringing, .ended]))
    }

    @Test("Race 23: a caller who left before the server died and stays away does not keep an answered call alive")
    func callerStaysAway() async throws {
        let dead = try await TestServer.start()
        let alice = try await dead.client("alice", "a1")
        let bob = try await dead.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: Handle(value: "bob"), video: false))
        try await bob.ask(.ringing(call: call))
        let test = try await TestServer.start(folder: dead.folder.crashImage(), clock: dead.clock)
        let again = try await test.client("bob", "b1")
        try await again.ask(.answer(call: call))
        await test.clock.advance(by: .seconds(30))
        #expect(try await again.ended(call) == .failed)
        await test.stop()
        await dead.stop()
    }
}
