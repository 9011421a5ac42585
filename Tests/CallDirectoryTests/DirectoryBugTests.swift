// SPDX-License-Identifier: MIT

import CallKit
import Testing
import VirtualPhone

/// Failures of call blockers in the field, by the numbers of the Call Directory's bug reports (P48 is in
/// ExtensionProcessTests).
@Suite struct DirectoryBugTests {
    private func add(_ numbers: ClosedRange<Int64>, to context: CXCallDirectoryExtensionContext) {
        for number in numbers { context.addBlockingEntry(withNextSequentialPhoneNumber: number) }
    }

    @Test("P49: many reloads corrupt the database: every blocker is dead, error 11, until all settings are reset")
    func corruption() async throws {
        var settings = DirectorySettings()
        settings.loadsBeforeCorruption = 3
        let bench = DirectoryBench(.blocking([4_930_111]), settings: settings)
        defer { bench.close() }
        await bench.enable()
        for _ in 1...2 { #expect(try await bench.reload() == nil) }
        for _ in 1...2 { #expect(try await bench.reload() == databaseError(11)) }
        #expect(bench.phone.callDirectory.decision(for: "+4930111") == .unknown)
        bench.phone.callDirectory.setEnabled(DirectoryBench.directory, false)
        #expect(await bench.enable() != nil)
        #expect(try await bench.reload() == databaseError(11))
        bench.phone.callDirectory.resetAllSettings()
        #expect(bench.blocked.isEmpty)
        #expect(await bench.enable()?.outcome == .stored)
        #expect(bench.phone.callDirectory.decision(for: "+4930111").isBlocked)
    }

    @Test("P49: the corruption can be switched on")
    func corruptionFault() async throws {
        let bench = DirectoryBench(.blocking([4_930_111]))
        defer { bench.close() }
        await bench.enable()
        bench.phone.faults.corruptDirectory()
        #expect(try await bench.reload() == databaseError(11))
    }

    @Test("P51: an extension that ignores isIncremental loses its list with the first changes it sends alone (bug 3)")
    func ignoredFlag() async throws {
        let bench = DirectoryBench(.blocking([1_000, 2_000, 3_000]))
        defer { bench.close() }
        await bench.enable()
        #expect(
            try await bench.reload { context, script in
                self.add(7_000...7_001, to: context)
                script.complete(context)
            } == nil)
        #expect(bench.blocked == [7_000, 7_001])
    }

    @Test("P52: a prefix of more numbers than a load may have gives code 5 and keeps the old list (bug 5)")
    func wholePrefix() async throws {
        var settings = DirectorySettings()
        settings.entryLimit = 20_000
        let bench = DirectoryBench(.blocking([1_000]), settings: settings)
        defer { bench.close() }
        await bench.enable()
        let error = try await bench.reload { context, script in
            self.add(3_316_200_000...3_316_299_999, to: context)
            script.complete(context)
        }
        #expect(error == managerError(5))
        #expect(bench.blocked == [1_000])
        #expect(bench.violations(of: "D7") == 1)
    }

    @Test("Bug 6: a list sent in small changes needs a reload for each, and is whole after the last one")
    func smallChanges() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        let sent = Locked<Int64>(0)
        bench.script.set { context, script in
            _ = context.isIncremental
            let start = sent.withLock { sent in
                defer { sent += 5_000 }
                return sent
            }
            self.add(start + 1...start + 5_000, to: context)
            script.complete(context)
        }
        await bench.enable()
        for _ in 1...5 { #expect(try await bench.reload() == nil) }
        #expect(bench.blocked.count == 30_000)
        #expect(bench.phone.callDirectory.loads.count == 6)
    }

    @Test("Bug 8: an extension that sends nothing is reported as stored, and the counts show that nothing is there")
    func emptyDelta() async throws {
        let bench = DirectoryBench(.blocking([]))
        defer { bench.close() }
        #expect(await bench.enable()?.outcome == .stored)
        #expect(
            bench.phone.callDirectory.counts(of: DirectoryBench.directory)
                == DirectoryCounts(blocking: 0, identification: 0))
    }

    @Test("D6, bug 10: code 102 does not crash the app: code is unknown, errorCode has the number")
    func code102() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        await bench.enable()
        bench.phone.faults.failNextDirectory(.reload, code: 102)
        let app = try await bench.runningApp()
        let answer = Answer<CXErrorCodeCallDirectoryManagerError?>()
        app.run {
            CXCallDirectoryManager.sharedInstance.reloadExtension(withIdentifier: DirectoryBench.directory) {
                answer.put($0 as? CXErrorCodeCallDirectoryManagerError)
            }
        }
        let error = try #require(await answer.take())
        #expect(error.errorCode == 102)
        #expect(error.code == .unknown)
    }

    @Test("Bug 11: code 2 now and then is followed by success")
    func interrupted() async throws {
        let bench = DirectoryBench(.blocking([1_000]))
        defer { bench.close() }
        await bench.enable()
        bench.phone.faults.failNextDirectory(.store, code: 2)
        #expect(try await bench.reload() == managerError(2))
        #expect(try await bench.reload() == nil)
    }

    @Test("Bug 14: a request that the phone never answers leaves its completion uncalled")
    func silence() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        let app = try await bench.runningApp()
        bench.phone.faults.silenceDirectory(true)
        let answer = Answer<Int>()
        app.run {
            CXCallDirectoryManager.sharedInstance.getEnabledStatusForExtension(
                withIdentifier: DirectoryBench.directory
            ) { status, _ in answer.put(status.rawValue) }
        }
        await bench.phone.advance(by: .seconds(600))
        #expect(answer.current == nil)
    }

    @Test("Bug 15: a caller shown by a domestic number is found only when the list has that form too")
    func nationalForm() async throws {
        let bench = DirectoryBench(.blocking([312_345_678, 81_312_345_678]))
        defer { bench.close() }
        await bench.enable()
        #expect(bench.phone.callDirectory.decision(for: "+81 3 1234 5678").isBlocked)
        #expect(bench.phone.callDirectory.decision(for: "03 1234 5678").isBlocked)
        #expect(!bench.phone.callDirectory.decision(for: "04 1234 5678").isBlocked)
    }

    @Test("Bug 17: a full disk leaves the old list")
    func fullDisk() async throws {
        let bench = DirectoryBench(.blocking([1_000]))
        defer { bench.close() }
        await bench.enable()
        bench.phone.faults.fillDisk(true)
        let error = try await bench.reload { context, script in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 2_000)
            script.complete(context)
        }
        #expect(error == databaseError(13))
        #expect(bench.blocked == [1_000])
    }

    @Test("Bug 18: the phone's counts are exact")
    func counts() async throws {
        let bench = DirectoryBench(.blocking((1...12_345).map { Int64($0) }))
        defer { bench.close() }
        #expect(await bench.enable()?.blockingAdded == 12_345)
        #expect(bench.blocked.count == 12_345)
    }

    @Test("Random changes leave what a simple model leaves", arguments: 1...8 as ClosedRange<UInt64>)
    func model(_ seed: UInt64) async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        var random = Numbers(state: seed)
        var model: Set<Int64> = []
        await bench.enable()
        for _ in 1...20 {
            let removed = model.filter { _ in random.next() % 4 == 0 }
            let kept = model.subtracting(removed)
            var added: Set<Int64> = []
            for _ in 0..<random.next() % 400 { added.insert(Int64(random.next() % 5_000) + 1) }
            added.subtract(kept)
            let (removals, additions) = (removed.sorted(), added.sorted())
            let error = try await bench.reload { context, script in
                guard context.isIncremental else { return }
                for number in removals { context.removeBlockingEntry(withPhoneNumber: number) }
                for number in additions { context.addBlockingEntry(withNextSequentialPhoneNumber: number) }
                script.complete(context)
            }
            model = kept.union(added)
            #expect(error == nil, "seed \(seed)")
            #expect(bench.blocked == model.sorted(), "seed \(seed)")
        }
    }

    private struct Numbers {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
    }
}
