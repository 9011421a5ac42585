// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import Testing
import VirtualPhone

@Suite struct StorageTests {
    /// A new one for each phone: tests exchange what it does.
    private static var lists: Script {
        Script { context, script in
            context.addBlockingEntry(withNextSequentialPhoneNumber: 4_930_111)
            for label in ["A", "B", "C"] {
                context.addIdentificationEntry(withNextSequentialPhoneNumber: 4_930_222, label: label)
            }
            script.complete(context)
        }
    }

    private func withFolder<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try await body(folder)
    }

    @Test("Entries, switches and the place for changes survive a restart of the phone")
    func restart() async throws {
        try await withFolder { folder in
            let before = DirectoryBench(StorageTests.lists, storage: folder)
            await before.enable()
            before.close()
            let after = DirectoryBench(StorageTests.lists, storage: folder)
            defer { after.close() }
            #expect(after.blocked == [4_930_111])
            #expect(after.identified.map(\.label) == ["A", "B", "C"])
            #expect(after.phone.callDirectory.isEnabled(DirectoryBench.directory))
            #expect(after.phone.callDirectory.decision(for: "+4930111").isBlocked)
            let isIncremental = Answer<Bool>()
            _ = try await after.reload { context, script in
                isIncremental.put(context.isIncremental)
                script.complete(context)
            }
            #expect(await isIncremental.take())
        }
    }

    @Test("A file of entries that is cut off or changed counts as empty, and never harms the phone")
    func damagedFile() async throws {
        try await withFolder { folder in
            let before = DirectoryBench(StorageTests.lists, storage: folder)
            await before.enable()
            before.close()
            let file = folder.appendingPathComponent("CallDirectory/\(DirectoryBench.directory).entries")
            let whole = try Data(contentsOf: file)
            for length in 0...whole.count {
                for byte in [UInt8(0), 0x7F, 0xFF] {
                    var damaged = Data(whole.prefix(length))
                    if !damaged.isEmpty { damaged[damaged.count / 2] ^= byte }
                    try damaged.write(to: file)
                    let after = DirectoryBench(StorageTests.lists, storage: folder)
                    _ = after.identified
                    if length < whole.count { #expect(after.blocked.isEmpty) }
                    after.close()
                }
            }
        }
    }

    @Test("Entries outlive the removal of their app for a time that is a setting")
    func uninstalled() async throws {
        let bench = DirectoryBench(StorageTests.lists)
        defer { bench.close() }
        await bench.enable()
        bench.phone.uninstall(DirectoryBench.app)
        #expect(bench.phone.callDirectory.decision(for: "+4930111").isBlocked)
        await bench.phone.advance(by: .seconds(86_401))
        #expect(bench.phone.callDirectory.decision(for: "+4930111") == .unknown)
        #expect(bench.blocked.isEmpty)
    }

    @Test("An app that is installed again finds its entries, switched off, and is asked for the whole list")
    func reinstalled() async throws {
        let bench = DirectoryBench(StorageTests.lists)
        defer { bench.close() }
        await bench.enable()
        bench.phone.uninstall(DirectoryBench.app)
        bench.install()
        #expect(bench.blocked == [4_930_111])
        #expect(bench.phone.callDirectory.decision(for: "+4930111") == .unknown)
        #expect(await bench.enable()?.isIncremental == false)
        #expect(bench.phone.callDirectory.decision(for: "+4930111").isBlocked)
    }
}
