// SPDX-License-Identifier: MIT

import Foundation
import Offhook
import OffhookTesting
import OffhookWire
import Testing

@testable import Offhook

/// What outlives the process, and what becomes of files that cannot be used.
@Suite(.timeLimit(.minutes(2))) struct StoreTests {
    private let call = EngineBench.call

    @Test("C8, R8: a push is reported first, then saved, then completed") func order() throws {
        let bench = EngineBench()
        let push = try bench.push()
        #expect(bench.system.orders == [.reported(call), .completed(push)])
        #expect(bench.files.changes.contains("1/checkpoint"))
        #expect(bench.stored?.liveCalls.map(\.id) == [call])
    }

    @Test("R65, R87: a call that ended in an earlier launch does not ring again") func endedCall() throws {
        let bench = EngineBench()
        try bench.push()
        bench.give(.server(call, .ended(.callerCancelled)))
        bench.relaunch()
        try bench.push()
        #expect(!bench.system.orders.contains(.reported(call)))
        #expect(bench.engine.currentCalls.isEmpty)
    }

    @Test("R88: a call of a process that died ends at the next launch, before a push is taken") func recovery()
        async throws
    {
        let bench = EngineBench()
        try bench.push()
        bench.relaunch()
        await bench.until("the app is told the end") {
            bench.events.contains { if case .changed(let call) = $0 { call.hasEnded } else { false } }
        }
        #expect(bench.engine.currentCalls.isEmpty)
        #expect(bench.stored?.liveCalls.isEmpty == true)
    }

    @Test("R85, R82: an operation's result is known after a restart, and the operation is not done again")
    func operations() async throws {
        let bench = EngineBench()
        let operation = OperationID()
        let first = await bench.engine.perform(.answer(call), operation, within: nil)
        #expect(first.failure?.code == .callNotFound)
        bench.relaunch()
        #expect(bench.engine.lookUp(operation, nil) == .completed(first))
        #expect(bench.engine.lookUp(OperationID(), nil) == .unavailable)
        let other = AccountGeneration(account: "other", number: 7)
        #expect(bench.engine.lookUp(operation, other) == .generationMismatch)
        #expect(await bench.engine.perform(.answer(call), operation, within: nil) == first)
        let conflict = await bench.engine.perform(.end(call), operation, within: nil)
        #expect(conflict.failure?.code == .conflict)
    }

    @Test("R81: a disk that is full fails the command and loses no call") func full() async throws {
        let bench = EngineBench()
        try bench.push()
        bench.files.setFull(true)
        let result = await bench.engine.perform(.answer(call), OperationID(), within: nil)
        #expect(result.status == .rejected && result.failure?.code == .notStored)
        #expect(bench.engine.currentCalls.map(\.id) == [call])
        await bench.until("the app is warned once") { bench.warnings == [.notStored] }
        bench.files.setFull(false)
        let again = Task { await bench.engine.perform(.answer(call), OperationID(), within: nil) }
        await bench.until("CallKit is asked") { bench.system.orders.contains(.requested(.answer(call))) }
        bench.engine.stop()
        #expect(await again.value.status == .unknown)
    }

    /// A checkpoint that cannot be used, and what is said of it.
    static let bad: [(StorageDamage, [UInt8])] = {
        let good = CheckpointCodec.encode(
            Checkpoint(generation: AccountFile.first.generation, savedAt: Instant(milliseconds: 0)))
        let other = AccountGeneration(account: "other", number: 1)
        var flipped = good
        flipped[good.count / 2] ^= 0xFF
        return [
            (.truncated, Array(good.prefix(good.count - 9))), (.corrupted, flipped),
            (.corrupted, Array("nonsense nonsense nonsense".utf8)),
            (.otherAccount, CheckpointCodec.encode(Checkpoint(generation: other, savedAt: Instant(milliseconds: 0)))),
        ]
    }()

    @Test("R9, C14: a checkpoint that cannot be used is never written to; calls ring all the same", arguments: 0..<4)
    func damaged(_ index: Int) async throws {
        let (damage, bytes) = Self.bad[index]
        let bench = EngineBench(start: false)
        bench.files.files["1/checkpoint"] = bytes
        bench.start()
        guard case .damaged(let found) = bench.engine.capabilities.storage else {
            Issue.record("\(bench.engine.capabilities.storage)")
            return
        }
        #expect(index == 0 || found == damage)
        await bench.until("the app is warned") { bench.warnings == [.notStored] }
        let push = try bench.push()
        #expect(bench.system.orders == [.reported(call), .completed(push)])
        bench.give(.server(call, .ended(.callerCancelled)))
        #expect(bench.files.files == ["1/checkpoint": bytes])
        #expect(bench.files.changes.isEmpty)
        // Put aside by the app's order alone; what happened since is kept.
        #expect(bench.engine.resetStorage() == nil)
        #expect(bench.files.files["1/checkpoint.damaged"] == bytes)
        #expect(bench.engine.capabilities.storage == .ready)
        #expect(bench.stored?.endedCalls.map(\.call) == [call])
    }

    @Test("R78, C14, P09: before the first unlock calls ring from memory; after it both memories are one") func locked()
        async throws
    {
        let bench = EngineBench()
        let (early, late) = (CallID(high: 1, low: 1), CallID(high: 1, low: 9))
        bench.give(.server(early, .ended(.answeredElsewhere)))
        bench.files.setLocked(true)
        bench.relaunch()
        #expect(bench.engine.capabilities.storage == .locked)
        let before = bench.files.files
        let push = try bench.push(late)
        #expect(bench.system.orders == [.reported(late), .completed(push)])
        bench.give(.server(late, .ended(.callerCancelled)))
        #expect(bench.files.files == before)
        bench.files.setLocked(false)
        bench.clock.move(to: bench.clock.now + Engine.lockedPause)
        await bench.until("the files are read again") { bench.engine.capabilities.storage == .ready }
        #expect(Set(bench.stored?.endedCalls.map(\.call) ?? []) == [early, late])
        for call in [early, late] { try bench.push(call) }
        #expect(!bench.system.orders.dropFirst(2).contains { $0 == .reported(early) || $0 == .reported(late) })
    }

    @Test("Without a folder everything is in memory, and the app is told so") func memoryOnly() throws {
        let store = CheckpointStore(nil)
        #expect(store.load(at: Instant(milliseconds: 5)) != nil)
        #expect(store.state == .memoryOnly)
        #expect(store.save(Checkpoint(generation: store.account.generation, savedAt: Instant(milliseconds: 5))) == nil)
    }

    @Test("P24, P27: a decline that the server did not hear is said again by the next launch") func owed() async throws
    {
        let bench = EngineBench()
        await bench.until("the device is online") { bench.engine.onQueue { bench.engine.signals.isOnline } }
        bench.server.setSilent(true)
        try bench.push()
        bench.give(.endPerformed(ActionID(high: 1, low: 1), call))
        await bench.until("the decline is on its way") { bench.server.heard.contains(.decline(call: call)) }
        #expect(bench.stored?.owedSignals.map(\.call) == [call])
        bench.engine.stop()
        bench.server.setSilent(false)
        let before = bench.server.heard.count
        bench.relaunch()
        await bench.until("the decline is said again") {
            bench.server.heard.dropFirst(before).contains(.decline(call: call))
        }
        await bench.until("nothing is owed any more") { bench.stored?.owedSignals.isEmpty == true }
    }

    @Test("R33: a cold launch judges by the server's clock, as far as that reading fits the invitation better")
    func serverClock() async throws {
        let bench = EngineBench()
        bench.engine.stop()
        bench.server.setClock(ahead: .seconds(-3600))  // this phone is an hour ahead
        bench.relaunch()
        await bench.until("the server's time is kept") { bench.stored?.serverAhead == .seconds(-3600) }
        bench.server.goAway()
        bench.relaunch()
        let (fresh, old, right) = (CallID(high: 2, low: 1), CallID(high: 2, low: 2), CallID(high: 2, low: 3))
        try bench.push(old, issuedAgo: .seconds(3600 + 120))
        try bench.push(fresh, issuedAgo: .seconds(3600))
        #expect(bench.engine.currentCalls.map(\.id) == [fresh])
        bench.give(.server(fresh, .ended(.callerCancelled)))
        try bench.push(right)  // somebody has set the clock meanwhile
        #expect(bench.engine.currentCalls.map(\.id) == [right])
    }

    @Test("The account's file is read back as it was written, and nothing else is") func accountFile() throws {
        for account in ["", "alice", "ä\u{1F4DE}", String(repeating: "x", count: 128)] {
            for isSignedIn in [true, false] {
                let file = AccountFile(
                    generation: AccountGeneration(account: account, number: 3), isSignedIn: isSignedIn)
                #expect(try AccountFile(file.bytes) == file)
                for length in 0..<file.bytes.count {
                    #expect(throws: StorageDamage.self) { try AccountFile(Array(file.bytes.prefix(length))) }
                }
            }
        }
        #expect(throws: StorageDamage.newerSchema(2)) { try AccountFile(Array("offhook-account 2\n1\nin\n\n".utf8)) }
        for text in ["offhook-account x\n1\nin\n\n", "offhook-account 1\n0\nin\n\n", "offhook-account 1\n1\nup\n\n"] {
            #expect(throws: StorageDamage.corrupted) { try AccountFile(Array(text.utf8)) }
        }
    }

    @Test("Files on the disk: replaced as a whole, grown, renamed, removed") func disk() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let files = DiskFiles(folder)
        #expect(try files.read("1/checkpoint") == nil)
        #expect(!FileManager.default.fileExists(atPath: folder.path))
        try files.replace("1/checkpoint", with: [1, 2, 3])
        try files.replace("1/checkpoint", with: [4])
        #expect(try files.read("1/checkpoint") == [4])
        let big = [UInt8](repeating: 7, count: 200_000)
        try files.append(big, to: "1/journal")
        try files.append([8], to: "1/journal")
        #expect(try files.read("1/journal") == big + [8])
        try files.rename("1/journal", to: "1/journal.damaged")
        try files.rename("1/none", to: "1/other")
        #expect(try files.read("1/journal") == nil)
        #expect(try files.read("1/journal.damaged")?.count == 200_001)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path + "/1").sorted() == [
                "checkpoint", "journal.damaged",
            ])
        // A directory in the file's place is how a locked file shows where nothing can be locked.
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("1/dir"), withIntermediateDirectories: true)
        #expect(throws: StoreError.self) { try files.read("1/dir") }
        #expect(throws: StoreError.self) { try files.replace("1/dir", with: [1]) }
        try files.removeFolder("1")
        #expect(try files.read("1/checkpoint") == nil)
    }
}
