// SPDX-License-Identifier: MIT

import CallKit
import Testing
import VirtualPhone

@Suite struct LoadTests {
    @Test("D1, P51: a request that does not read isIncremental replaces the list")
    func fullLoadReplaces() async throws {
        let bench = DirectoryBench(.blocking([1_000, 2_000, 3_000]))
        defer { bench.close() }
        #expect(await bench.enable()?.outcome == .stored)
        #expect(bench.blocked == [1_000, 2_000, 3_000])
        let error = try await bench.reload { context, script in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 4_000)
            script.complete(context)
        }
        #expect(error == nil)
        #expect(bench.blocked == [4_000])
        #expect(bench.lastReport?.isIncremental == false)
    }

    @Test("D1: a request that reads isIncremental as true changes the list")
    func incrementalLoadChanges() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        bench.script.set { context, script in
            if context.isIncremental {
                context.removeBlockingEntry(withPhoneNumber: 2_000)
                context.addBlockingEntry(withNextSequentialPhoneNumber: 1_500)
                context.addBlockingEntry(withNextSequentialPhoneNumber: 4_000)
                context.removeIdentificationEntry(withPhoneNumber: 7_000)
                context.addIdentificationEntry(withNextSequentialPhoneNumber: 7_000, label: "New")
            } else {
                for number in 1...3 { context.addBlockingEntry(withNextSequentialPhoneNumber: Int64(number) * 1_000) }
                context.addIdentificationEntry(withNextSequentialPhoneNumber: 7_000, label: "Old")
            }
            script.complete(context)
        }
        await bench.enable()
        #expect(bench.lastReport?.isIncremental == false)
        #expect(try await bench.reload() == nil)
        #expect(bench.blocked == [1_000, 1_500, 3_000, 4_000])
        #expect(bench.identified == [DirectoryLabel(number: 7_000, label: "New")])
        #expect(bench.lastReport?.isIncremental == true)
        #expect(bench.lastReport?.removed == 2)
    }

    @Test("D1: the extension runs for a load, never for a call")
    func runsForLoadsAlone() async throws {
        let bench = DirectoryBench(.blocking([49_301]))
        defer { bench.close() }
        await bench.enable()
        for _ in 1...5 { #expect(bench.phone.callDirectory.decision(for: "+49 301").isBlocked) }
        #expect(bench.script.runs == 1)
    }

    @Test("D1: after switching off and on the whole list is asked for")
    func fullAfterReenabling() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        let asked = Locked<[Bool]>([])
        bench.script.set { context, script in
            let isIncremental = context.isIncremental
            asked.withLock { $0.append(isIncremental) }
            if !isIncremental { context.addBlockingEntry(withNextSequentialPhoneNumber: 1_000) }
            script.complete(context)
        }
        await bench.enable()
        _ = try await bench.reload()
        bench.phone.callDirectory.setEnabled(DirectoryBench.directory, false)
        await bench.enable()
        bench.phone.callDirectory.requestFullLoad(of: DirectoryBench.directory)
        _ = try await bench.reload()
        #expect(asked.withLock { $0 } == [false, true, false, false])
        #expect(bench.blocked == [1_000])
    }

    @Test("D1: reading isIncremental after the first entry is a violation")
    func lateRead() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        bench.script.set { context, script in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 1_000)
            _ = context.isIncremental
            script.complete(context)
        }
        await bench.enable()
        #expect(bench.violations(of: "D1") == 1)
    }

    @Test("D2, P51: a removal in a full load ends the extension, with code 8", arguments: 0..<4)
    func removalInFullLoad(_ which: Int) async throws {
        let bench = DirectoryBench(.blocking([1_000]))
        defer { bench.close() }
        await bench.enable()
        let error = try await bench.reload { context, script in
            switch which {
            case 0: context.removeAllBlockingEntries()
            case 1: context.removeAllIdentificationEntries()
            case 2: context.removeBlockingEntry(withPhoneNumber: 1_000)
            default: context.removeIdentificationEntry(withPhoneNumber: 1_000)
            }
            script.complete(context)
        }
        #expect(error == managerError(8))
        let death = try #require(bench.phone.deaths.last)
        #expect(death.rule == "D2" && death.code == "NSInternalInconsistencyException")
        #expect(death.message.contains("when isIncremental is false is unsupported"))
        #expect(bench.blocked == [1_000])
        // The process is dead: neither its delegate nor its completion hears anything.
        #expect(bench.script.failures.isEmpty)
        #expect(bench.script.completions == [false])
    }

    @Test("D2: what the exception gives the app is a setting")
    func removalCodeIsASetting() async throws {
        var settings = DirectorySettings()
        settings.removalInFullLoadCode = 2
        let bench = DirectoryBench(settings: settings)
        defer { bench.close() }
        await bench.enable()
        let error = try await bench.reload { context, script in
            context.removeAllBlockingEntries()
            script.complete(context)
        }
        #expect(error == managerError(2))
    }

    @Test("D5: a load that takes too long expires: nothing is stored, and no error is raised")
    func expiry() async throws {
        var settings = DirectorySettings()
        settings.entriesPerSecond = 10
        settings.timeBudget = .seconds(30)
        let bench = DirectoryBench(.blocking([1_000]), settings: settings)
        defer { bench.close() }
        await bench.enable()
        #expect(bench.lastReport?.outcome == .stored)
        let error = try await bench.reload { context, script in
            for number in 1...301 { context.addBlockingEntry(withNextSequentialPhoneNumber: Int64(number)) }
            script.complete(context)
        }
        #expect(error == nil)
        #expect(bench.lastReport?.outcome == .expired)
        #expect(bench.lastReport?.duration == .seconds(30))
        #expect(bench.script.completions == [false, true])
        #expect(bench.blocked == [1_000])
        #expect(bench.script.failures.isEmpty)
    }

    @Test("D5: an extension that never completes its request is ended when the time is over, with code 2")
    func neverCompletes() async throws {
        let bench = DirectoryBench(.blocking([1_000]))
        defer { bench.close() }
        await bench.enable()
        let app = try await bench.runningApp()
        let answer = Answer<(any Error)?>()
        bench.script.set { context, _ in context.addBlockingEntry(withNextSequentialPhoneNumber: 2_000) }
        app.run {
            CXCallDirectoryManager.sharedInstance.reloadExtension(withIdentifier: DirectoryBench.directory) {
                answer.put($0)
            }
        }
        await bench.phone.advance(by: .seconds(299))
        #expect(answer.current == nil)
        await bench.phone.advance(by: .seconds(2))
        #expect((await answer.take() as? CXErrorCodeCallDirectoryManagerError)?.code == .loadingInterrupted)
        #expect(bench.blocked == [1_000])
        #expect(bench.violations(of: "D5") == 1)
    }

    @Test("D7: the phone takes entries at a speed that is a setting")
    func speed() async throws {
        let bench = DirectoryBench(.blocking((1...50_000).map { Int64($0) }))
        defer { bench.close() }
        #expect(await bench.enable()?.duration == .milliseconds(250))
    }

    @Test("D7: blocking and identification share the limit; one entry more gives code 5")
    func entryLimit() async throws {
        var settings = DirectorySettings()
        settings.entryLimit = 10_000
        let bench = DirectoryBench(settings: settings)
        defer { bench.close() }
        await bench.enable()
        for (blocking, labels, code) in [(6_000, 4_000, nil), (6_000, 4_001, 5), (10_001, 0, 5)] {
            let error = try await bench.reload { context, script in
                for number in 0..<blocking {
                    context.addBlockingEntry(withNextSequentialPhoneNumber: Int64(1_000 + number))
                }
                for number in 0..<labels {
                    context.addIdentificationEntry(withNextSequentialPhoneNumber: Int64(1_000 + number), label: "A")
                }
                script.complete(context)
            }
            #expect(error == code.map(managerError))
        }
        #expect(
            bench.phone.callDirectory.counts(of: DirectoryBench.directory)
                == DirectoryCounts(blocking: 6_000, identification: 4_000))
        #expect(DirectorySettings().entryLimit == 1_999_999)
    }

    @Test("D7: incremental loads may add up above the limit of one, unless the setting says otherwise")
    func storedLimit() async throws {
        var settings = DirectorySettings()
        settings.entryLimit = 3_000
        settings.storedEntryLimit = 8_000
        let bench = DirectoryBench(settings: settings)
        defer { bench.close() }
        let round = Locked(0)
        bench.script.set { context, script in
            _ = context.isIncremental
            let start = round.withLock { round in
                defer { round += 3_000 }
                return round
            }
            for number in 1...3_000 { context.addBlockingEntry(withNextSequentialPhoneNumber: Int64(start + number)) }
            script.complete(context)
        }
        await bench.enable()
        #expect(try await bench.reload() == nil)
        #expect(try await bench.reload() == managerError(5))
        #expect(bench.blocked.count == 6_000)
    }

    @Test("D11: the context's delegate hears of a failed load")
    func delegateHears() async throws {
        let bench = DirectoryBench(.blocking([2_000, 1_000]))
        defer { bench.close() }
        await bench.enable()
        #expect(bench.script.failures == [managerError(3)])
        #expect(bench.script.completions.isEmpty)
    }

    @Test("D11: without a delegate the extension learns nothing")
    func noDelegate() async throws {
        let bench = DirectoryBench(.blocking([2_000, 1_000]))
        defer { bench.close() }
        bench.script.setWithoutDelegate()
        await bench.enable()
        #expect(bench.lastReport?.error == managerError(3))
        #expect(bench.script.failures.isEmpty)
        #expect(bench.phone.timeline.entries.contains { $0.rule == "D11" })
    }

    @Test("completeRequest has an async form, and asynchronous work is waited for")
    func asyncExtension() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        let expired = Answer<Bool>()
        bench.script.set { context, _ in
            Task.detached {
                context.addBlockingEntry(withNextSequentialPhoneNumber: 1_000)
                expired.put(await context.completeRequest())
            }
        }
        #expect(await bench.enable()?.outcome == .stored)
        #expect(await expired.take() == false)
        #expect(bench.blocked == [1_000])
    }
}
