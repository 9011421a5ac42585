// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import OffhookCallDirectory
import OffhookCore
import OffhookDirectory
import Testing
import VirtualPhone

@Suite struct DirectoryLoaderTests {
    @Test("R110, P51: the first load is full, the next sends only what changed, and the phone has exactly the list")
    func fullThenChanges() async throws {
        let bench = try LoaderBench()
        let reloader = try await bench.reloader()
        try await reloader.publish(try bench.compile("4930100..4930199\n"))
        await bench.enable()
        #expect(bench.blocked == Array(4_930_100...4_930_199))
        try await reloader.publish(try bench.compile("4930102..4930201\n"))
        let standings = try await bench.reload(reloader)
        #expect(standings.map(\.isLoaded) == [true])
        #expect(standings.map(\.isEnabled) == [true])
        #expect(bench.blocked == Array(4_930_102...4_930_201))
        let reports = bench.phone.callDirectory.loads
        #expect(reports.map(\.isIncremental) == [false, true])
        #expect((reports.last?.blockingAdded, reports.last?.removed) == (2, 2))
        #expect(bench.phone.violations == [])
    }

    @Test("P52: several extensions share a list; each number is in exactly one of them")
    func shards() async throws {
        let bench = try LoaderBench(extensions: 3)
        let reloader = try await bench.reloader()
        try await reloader.publish(try bench.compile("4930000..4930999\n"))
        await bench.enable()
        #expect(bench.blocked == Array(4_930_000...4_930_999))
        let sizes = bench.extensions.map { bench.phone.callDirectory.counts(of: $0).blocking }
        #expect(sizes.allSatisfy { $0 > 250 })
        try await reloader.publish(try bench.compile("4930000..4931000\n"))
        #expect(try await bench.reload(reloader).map(\.isLoaded) == [true, true, true])
        #expect(bench.blocked == Array(4_930_000...4_931_000))
    }

    @Test("D5, D7: a load that is too large for one request comes in parts, and ends whole")
    func parts() async throws {
        let bench = try LoaderBench { $0.entryLimit = 5000 }
        let reloader = try await bench.reloader()
        try await reloader.publish(try bench.compile("4930000..4939999\n49400000..49401999\n"))
        await bench.enable()
        #expect(bench.blocked == [])
        let standings = try await bench.reload(reloader)
        #expect(standings.map(\.isLoaded) == [true], "\(standings)")
        await bench.enable()
        #expect(bench.blocked == Array(4_930_000...4_939_999) + Array(49_400_000...49_401_999))
        let removed = bench.phone.callDirectory.loads.map(\.removed)
        #expect(removed.allSatisfy { $0 == 0 })
    }

    @Test("Bug 3: a full request in the middle of a load in parts gives the whole list in the end")
    func fullRequest() async throws {
        let bench = try LoaderBench { $0.entryLimit = 5000 }
        let reloader = try await bench.reloader()
        try await reloader.publish(try bench.compile("4930000..4939999\n"))
        await bench.enable()
        _ = await bench.phone.callDirectory.load(bench.extensions[0])
        bench.phone.callDirectory.requestFullLoad(of: bench.extensions[0])
        #expect(try await bench.reload(reloader).map(\.isLoaded) == [true])
        #expect(bench.blocked == Array(4_930_000...4_939_999))
    }

    @Test(
        "D6: without a list, and with a damaged one, the request is cancelled, the phone's list stays, the app is told")
    func badFolder() async throws {
        let bench = try LoaderBench()
        let reloader = try await bench.reloader()
        await bench.enable()
        #expect(bench.phone.callDirectory.loads.map(\.error?.code) == [2])
        await #expect(throws: DirectoryFolderError.self) { try await bench.reload(reloader) }
        let file = try bench.compile("4930000..4930009\n")
        try await reloader.publish(file)
        _ = try await bench.reload(reloader)
        var bytes = try Data(contentsOf: file)
        bytes[40] ^= 1
        try bytes.write(to: file)
        let error = await #expect(throws: DirectoryFolderError.self) { try await reloader.publish(file) }
        #expect(error?.description.contains("damaged") == true)
        #expect(bench.blocked == Array(4_930_000...4_930_009))
    }

    @Test("R112: an extension that is off is named, and nothing is tried again and again")
    func disabled() async throws {
        let bench = try LoaderBench()
        let reloader = try await bench.reloader()
        try await reloader.publish(try bench.compile("4930000..4930009\n"))
        let standing = try #require(try await bench.reload(reloader).first)
        #expect((standing.isEnabled, standing.isLoaded, standing.lastResult) == (false, false, .disabled))
        await bench.enable()
        #expect(try await bench.reload(reloader).first?.isLoaded == true)
    }

    @Test("P49: a damaged database is named, and not asked again and again") func damagedDatabase() async throws {
        let bench = try LoaderBench()
        let reloader = try await bench.reloader()
        try await reloader.publish(try bench.compile("4930000..4930009\n"))
        await bench.enable()
        bench.phone.faults.corruptDirectory()
        try await reloader.publish(try bench.compile("4930000..4930010\n"))
        let loads = bench.phone.callDirectory.loads.count
        for _ in 1...3 {
            let standing = try #require(try await bench.reload(reloader).first)
            #expect((standing.isLoaded, standing.lastResult) == (false, .databaseDamaged))
        }
        #expect(bench.phone.callDirectory.loads.count - loads <= 3)
    }

    @Test(
        "R112: an extension that was off is loaded again once it is on, whoever saw the switch first", arguments: 0...1)
    func enabledAgain(_ looksFirst: Int) async throws {
        let bench = try LoaderBench { $0.loadsWhenEnabled = false }
        let reloader = try await bench.reloader()
        try await reloader.publish(try bench.compile("4930000..4930009\n"))
        #expect(try await bench.reload(reloader).first?.lastResult == .disabled)
        await bench.enable()
        if looksFirst == 1 { _ = try await bench.inApp { await reloader.standings() } }
        #expect(try await bench.reload(reloader).first?.isLoaded == true)
        try await reloader.publish(try bench.compile("4930000..4930019\n"))
        #expect(try await bench.reload(reloader).first?.isLoaded == true)
        #expect(bench.blocked == Array(4_930_000...4_930_019))
    }

    @Test("Bug 5: a list that the app's extensions cannot hold is refused when it is published, with what it needs")
    func tooLarge() async throws {
        let bench = try LoaderBench()
        let reloader = try await bench.reloader()
        let error = await #expect(throws: DirectoryFolderError.self) {
            try await reloader.publish(try bench.compile("33162######\n33163######\n3316#######\n"))
        }
        #expect(error?.description.contains("the app needs 6 extensions") == true, "\(String(describing: error))")
    }

    @Test("Bug 17: lists that nobody needs are removed; a state that was cut off means a full load, not a wrong list")
    func tidyAndTorn() async throws {
        let bench = try LoaderBench()
        let reloader = try await bench.reloader()
        try await reloader.publish(try bench.compile("4930000..4930009\n"))
        await bench.enable()
        for end in 10...13 {
            try await reloader.publish(try bench.compile("4930000..49300\(end)\n"))
            _ = try await bench.reload(reloader)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder.url.path)
        #expect(names.filter { $0.hasSuffix(".directory") }.count == 1, "\(names)")
        try Data("{\"content\"".utf8).write(to: bench.folder.url.appendingPathComponent("state-0.json"))
        try await reloader.publish(try bench.compile("4930000..4930020\n"))
        _ = try await bench.reload(reloader)
        #expect(bench.blocked == Array(4_930_000...4_930_020))
        #expect(bench.phone.callDirectory.loads.last?.isIncremental == false)
    }

    @Test("Bug 14: a phone that never answers is a time-out, for a reload and for the status; nothing waits for ever")
    func silence() async throws {
        let bench = try LoaderBench()
        let reloader = try await bench.reloader(timeout: .milliseconds(1))
        try await reloader.publish(try bench.compile("4930000..4930009\n"))
        await bench.enable()
        try await reloader.publish(try bench.compile("4930000..4930010\n"))
        bench.phone.faults.silenceDirectory(true)
        let standing = try #require(try await bench.reload(reloader).first)
        #expect((standing.isEnabled, standing.isLoaded, standing.lastResult) == (nil, false, .timedOut))
        // What was asked meanwhile has reached the phone. Nobody knows what became of it: the next load is right anyway.
        await bench.phone.settle()
        bench.phone.faults.silenceDirectory(false)
        let patient = try await bench.reloader()
        #expect(try await bench.reload(patient).first?.isLoaded == true)
        #expect(bench.blocked == Array(4_930_000...4_930_010))
    }

    @Test("Bug 10: code 102, with no load, leaves what is known of the list before")
    func notRun() async throws {
        let bench = try LoaderBench()
        let reloader = try await bench.reloader()
        try await reloader.publish(try bench.compile("4930000..4930009\n"))
        await bench.enable()
        #expect(try await bench.reload(reloader).first?.isLoaded == true)
        try await reloader.publish(try bench.compile("4930000..4930010\n"))
        #expect(try await bench.reload(reloader).first?.isLoaded == true)
        bench.phone.faults.failNextDirectory(.reload, code: 102)
        // Gone from the new list is what the last load added: it is removed only if that load was not forgotten.
        try await reloader.publish(try bench.compile("4930000..4930008\n"))
        #expect(try await bench.reload(reloader).first?.isLoaded == true)
        #expect(bench.blocked == Array(4_930_000...4_930_008))
        #expect(bench.phone.callDirectory.loads.map(\.isIncremental).last == true)
    }

    @Test("Bug 13: a wrong bundle identifier is named, and not asked again and again")
    func wrongIdentifier() async throws {
        let bench = try LoaderBench()
        let file = try bench.compile("4930000..4930009\n")
        let folder = bench.folder
        let standing = try await bench.inApp {
            let reloader = DirectoryReloader(
                folder: folder, extensions: ["com.example.wrong"], manager: CXCallDirectoryManager.sharedInstance,
                sleep: { _ in })
            try await reloader.publish(file)
            return try await reloader.reload().first
        }
        #expect(standing?.lastResult == .noSuchExtension)
        #expect(standing?.lastResult?.description.contains("check its bundle identifier") == true)
        #expect(standing?.isLoaded == false)
        #expect(bench.phone.callDirectory.loads.isEmpty)
    }
}
