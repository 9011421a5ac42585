// SPDX-License-Identifier: MIT

import CallKit
import Testing
import VirtualPhone

@Suite struct EntryTests {
    @Test("D3, R109: entries that do not ascend give code 3", arguments: [false, true])
    func outOfOrder(_ identifies: Bool) async throws {
        let bench = DirectoryBench(.blocking([500]))
        defer { bench.close() }
        await bench.enable()
        let error = try await bench.reload { context, script in
            for number: Int64 in [1_000, 3_000, 2_000] {
                if identifies {
                    context.addIdentificationEntry(withNextSequentialPhoneNumber: number, label: "A")
                } else {
                    context.addBlockingEntry(withNextSequentialPhoneNumber: number)
                }
            }
            script.complete(context)
        }
        #expect(error == managerError(3))
        #expect(bench.blocked == [500])
        #expect(bench.identified.isEmpty)
        #expect(bench.violations(of: "D3") == 1)
    }

    @Test("D3: each kind has an order of its own")
    func kindsAreOrderedApart() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        bench.script.set { context, script in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 3_000)
            context.addIdentificationEntry(withNextSequentialPhoneNumber: 1_000, label: "A")
            context.addBlockingEntry(withNextSequentialPhoneNumber: 4_000)
            context.addIdentificationEntry(withNextSequentialPhoneNumber: 2_000, label: "B")
            script.complete(context)
        }
        #expect(await bench.enable()?.outcome == .stored)
        #expect(bench.blocked == [3_000, 4_000])
        #expect(bench.identified.map(\.number) == [1_000, 2_000])
    }

    @Test("D3: a number to block twice gives code 4, and so does the same label of a number")
    func duplicates() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        await bench.enable()
        var error = try await bench.reload { context, script in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 1_000)
            context.addBlockingEntry(withNextSequentialPhoneNumber: 1_000)
            script.complete(context)
        }
        #expect(error == managerError(4))
        error = try await bench.reload { context, script in
            for label in ["A", "B", "A"] {
                context.addIdentificationEntry(withNextSequentialPhoneNumber: 1_000, label: label)
            }
            script.complete(context)
        }
        #expect(error == managerError(4))
        #expect(bench.identified.isEmpty)
    }

    @Test("D3, R110: a number may have several labels, and a removal removes them all")
    func severalLabels() async throws {
        let bench = DirectoryBench()
        defer { bench.close() }
        bench.script.set { context, script in
            if context.isIncremental {
                context.removeIdentificationEntry(withPhoneNumber: 1_000)
            } else {
                for label in ["A", "B"] {
                    context.addIdentificationEntry(withNextSequentialPhoneNumber: 1_000, label: label)
                }
                context.addIdentificationEntry(withNextSequentialPhoneNumber: 2_000, label: "C")
            }
            script.complete(context)
        }
        await bench.enable()
        #expect(bench.phone.callDirectory.labels(of: 1_000, by: DirectoryBench.directory) == ["A", "B"])
        #expect(try await bench.reload() == nil)
        #expect(bench.identified == [DirectoryLabel(number: 2_000, label: "C")])
    }

    @Test("D3: with the setting a second label gives code 4")
    func severalLabelsRefused() async throws {
        var settings = DirectorySettings()
        settings.allowsSeveralLabels = false
        let bench = DirectoryBench(settings: settings)
        defer { bench.close() }
        bench.script.set { context, script in
            for label in ["A", "B"] {
                context.addIdentificationEntry(withNextSequentialPhoneNumber: 1_000, label: label)
            }
            script.complete(context)
        }
        #expect(await bench.enable()?.error == managerError(4))
    }

    @Test("D4: numbers are 1 to Int64.max - 1", arguments: [0, -1, .min, .max, .max - 1, 1] as [Int64])
    func bounds(_ number: Int64) async throws {
        let bench = DirectoryBench(.blocking([number]))
        defer { bench.close() }
        let isLegal = number > 0 && number <= CXCallDirectoryPhoneNumberMax
        let report = await bench.enable()
        #expect(report?.error == (isLegal ? nil : managerError(0)))
        #expect(bench.blocked == (isLegal ? [number] : []))
        #expect(bench.violations(of: "D4") == (isLegal ? 0 : 1))
    }

    @Test("D10: adding what is stored already fails with a database error, and the stored list stays")
    func storedEntry() async throws {
        let bench = DirectoryBench(.blocking([1_000, 2_000]))
        defer { bench.close() }
        await bench.enable()
        let error = try await bench.reload { context, script in
            #expect(context.isIncremental)
            context.addBlockingEntry(withNextSequentialPhoneNumber: 1_500)
            context.addBlockingEntry(withNextSequentialPhoneNumber: 2_000)
            script.complete(context)
        }
        #expect(error == databaseError(19))
        #expect(bench.blocked == [1_000, 2_000])
        #expect(bench.violations(of: "D10") == 1)
    }

    @Test("D10: with the setting, adding what is stored changes nothing")
    func storedEntryIgnored() async throws {
        var settings = DirectorySettings()
        settings.refusesStoredEntries = false
        let bench = DirectoryBench(.blocking([1_000, 2_000]), settings: settings)
        defer { bench.close() }
        await bench.enable()
        let error = try await bench.reload { context, script in
            _ = context.isIncremental
            context.addBlockingEntry(withNextSequentialPhoneNumber: 2_000)
            context.addBlockingEntry(withNextSequentialPhoneNumber: 3_000)
            script.complete(context)
        }
        #expect(error == nil)
        #expect(bench.blocked == [1_000, 2_000, 3_000])
    }

    @Test("D3: with the setting, a full load that fails loses the stored list")
    func failedFullLoadMayLose() async throws {
        var settings = DirectorySettings()
        settings.fullLoadDeletesFirst = true
        let bench = DirectoryBench(.blocking([1_000]), settings: settings)
        defer { bench.close() }
        await bench.enable()
        _ = try await bench.reload { context, script in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 3_000)
            context.addBlockingEntry(withNextSequentialPhoneNumber: 2_000)
            script.complete(context)
        }
        #expect(bench.blocked.isEmpty)
    }

    @Test("Removing all and adding again in one incremental load is in the order of the calls")
    func removeAllThenAdd() async throws {
        let bench = DirectoryBench(.blocking([1_000, 2_000]))
        defer { bench.close() }
        await bench.enable()
        let error = try await bench.reload { context, script in
            guard context.isIncremental else { return }
            context.addBlockingEntry(withNextSequentialPhoneNumber: 500)
            context.removeAllBlockingEntries()
            context.addBlockingEntry(withNextSequentialPhoneNumber: 2_000)
            context.addBlockingEntry(withNextSequentialPhoneNumber: 3_000)
            context.removeBlockingEntry(withPhoneNumber: 3_000)
            script.complete(context)
        }
        #expect(error == nil)
        #expect(bench.blocked == [2_000])
    }
}
