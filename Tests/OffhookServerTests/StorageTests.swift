// SPDX-License-Identifier: MIT

import OffhookCore
import OffhookNet
import OffhookWire
import Testing

@testable import OffhookServer

@Suite("What is stored, and what cannot be")
struct StorageTests {
    private static let bob = Handle(value: "bob")
    private static let full = StoreFailure(code: 13, message: "database or disk is full")

    private func machine(_ number: UInt64, endedAt: Instant? = nil) -> BrokerMachine {
        let start = Instant(milliseconds: 1_000_000)
        let caller = BrokerParty(user: "alice", device: "a1")
        var machine = BrokerMachine(
            invitation: Invitation(
                call: CallID(high: 1, low: number), callerName: "Alice", callerHandle: Handle(value: "alice"),
                issuedAt: start, expiresAt: start + .seconds(45)),
            caller: caller, callee: "bob")
        if let endedAt { _ = machine.handle(.received(.cancel, from: caller, message: "m"), at: endedAt) }
        return machine
    }

    @Test("R98: what cannot be stored has not happened, is told as retryable, and may be said again")
    func failedCommit() async throws {
        let orders = StoreSpy.Orders()
        let test = try await TestServer.start(store: orders)
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let (first, second) = (TestServer.newCall(), TestServer.newCall())
        try await alice.ask(.invite(call: first, to: StorageTests.bob, video: false))
        try await bob.invited(first)
        orders.fail(StorageTests.full)
        bob.send(.answer(call: first))
        let failure = try await bob.error()
        #expect(failure.code == .internal && failure.retryable && failure.call == first)
        alice.send(.invite(call: second, to: StorageTests.bob, video: false))
        #expect(try await alice.error().retryable)
        #expect(await test.server.callRecord(first)?.state == .ringing)
        #expect(await test.server.callRecord(second) == nil)
        orders.fail(nil)
        try await bob.ask(.answer(call: first))
        try await alice.receives(.answered(call: first))
        // The call that could not be placed has told nobody.
        #expect(bob.all.count { if case .invited = $0.body { true } else { false } } == 1)
        #expect(alice.all.count { $0.body == .answered(call: first) } == 1)
        await test.stop()
    }

    @Test("R99: a deadline that cannot be stored is tried again every second")
    func failedDeadline() async throws {
        let orders = StoreSpy.Orders()
        let test = try await TestServer.start(store: orders)
        let alice = try await test.client("alice", "a1")
        let bob = try await test.client("bob", "b1")
        let call = TestServer.newCall()
        try await alice.ask(.invite(call: call, to: StorageTests.bob, video: false))
        try await bob.invited(call)
        orders.fail(StorageTests.full)
        await test.clock.advance(by: .milliseconds(45_500))
        #expect(await test.server.callRecord(call)?.state == .ringing)
        orders.fail(nil)
        await test.clock.advance(by: .milliseconds(500))
        #expect(try await alice.ended(call) == .unanswered)
        await test.stop()
    }

    @Test("A disk that is full: what was committed stays, what was not is gone, and the store goes on")
    func diskFull() throws {
        let folder = try TestFolder()
        let store = try SQLiteStore(path: folder.path("offhook.sqlite"), fullSync: false)
        var pages: Int64 = 0
        try store.database.run("PRAGMA page_count") { pages = $0.integer(0) ?? 0 }
        try store.database.execute("PRAGMA max_page_count = \(pages + 4)")
        var stored: UInt64 = 0
        var failure: StoreFailure?
        while failure == nil, stored < 1_000 {
            do throws(StoreFailure) {
                try store.save(machine(stored))
                try store.commit()
                stored += 1
            } catch {
                failure = error
            }
        }
        #expect(failure.map { $0.code & 0xFF } == 13)
        #expect(stored > 0 && !store.hasChanges)
        #expect(try store.liveCalls().calls.count == Int(stored))
        try store.database.execute("PRAGMA max_page_count = 1000000")
        try store.save(machine(stored))
        try store.commit()
        #expect(try store.liveCalls().calls.count == Int(stored) + 1)
    }

    @Test("Another program's lock on the file makes a call retryable, and holds nothing up afterwards")
    func foreignLock() async throws {
        let test = try await TestServer.start()
        let alice = try await test.client("alice", "a1")
        _ = try await test.client("bob", "b1")
        let other = try SQLiteDatabase(path: test.folder.path("offhook.sqlite"))
        try other.execute("BEGIN IMMEDIATE")
        let call = TestServer.newCall()
        alice.send(.invite(call: call, to: StorageTests.bob, video: false))
        let failure = try await alice.error()
        #expect(failure.code == .internal && failure.retryable)
        try other.execute("ROLLBACK")
        try await alice.ask(.invite(call: call, to: StorageTests.bob, video: false))
        await test.stop()
    }

    @Test("A database of the first version is brought to this one, with what is in it")
    func migration() throws {
        let folder = try TestFolder()
        let path = folder.path("offhook.sqlite")
        do {
            let store = try SQLiteStore(path: path, fullSync: false)
            try store.save(machine(1))
            try store.commit()
            try store.database.execute("DROP TABLE block; DROP INDEX call_ended; PRAGMA user_version = 1")
        }
        let store = try SQLiteStore(path: path, fullSync: false)
        #expect(try store.call(CallID(high: 1, low: 1)) == machine(1))
        #expect(try store.isBlocked("alice", by: "bob") == false)
        var version: Int64 = 0
        try store.database.run("PRAGMA user_version") { version = $0.integer(0) ?? 0 }
        #expect(version == SQLiteStore.schemaVersion)
    }

    @Test("Records are kept for as long as the configuration says", arguments: [true, false])
    func oldRecords(kept: Bool) async throws {
        let test = try await TestServer.start { $0.recordsKept = kept ? nil : .seconds(7_200) }
        let alice = try await test.client("alice", "a1")
        let (old, young) = (TestServer.newCall(), TestServer.newCall())
        try await alice.ask(.invite(call: old, to: StorageTests.bob, video: false))
        #expect(try await alice.ended(old) == .unreachable)
        await test.clock.advance(by: .seconds(7_000))
        try await alice.ask(.invite(call: young, to: StorageTests.bob, video: false))
        #expect(try await alice.ended(young) == .unreachable)
        #expect(await test.server.callRecord(old) != nil)
        await test.clock.advance(by: .seconds(3_800))
        #expect((await test.server.callRecord(old) != nil) == kept)
        #expect(await test.server.callRecord(young) != nil)
        await test.stop()
    }

    @Test("Of more devices than the limit the longest unseen are forgotten, never the one that speaks")
    func devicesAreBounded() throws {
        let store = try SQLiteStore(path: ":memory:", fullSync: false)
        try store.save(StoredUser(id: "bob", name: "Bob", handle: StorageTests.bob))
        for number in 1...5 {
            let party = BrokerParty(user: "bob", device: "b\(number)")
            try store.saveDevice(party, seenAt: Instant(milliseconds: Int64(10 - number)), limit: 3)
        }
        try store.commit()
        // Seen at 9, 8, 7, 6, 5: the last is the one that speaks.
        #expect(try store.devices(of: "bob").map(\.device) == ["b1", "b2", "b5"])
    }
}
