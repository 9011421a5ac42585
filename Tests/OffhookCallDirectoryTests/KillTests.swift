// SPDX-License-Identifier: MIT

import Foundation
import OffhookCallDirectory
import OffhookDirectory
import Testing
import VirtualPhone

/// A process is killed before its first, second, third, … change of a file; the old file is there, or the new one.
@Suite(.serialized) struct KillTests {
    /// A folder for one test.
    private func withFolder(_ body: (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    /// Runs the fixture, killed at a call or at none; tells whether it came to its end.
    private func run(_ what: String, _ folder: URL, _ numbers: ClosedRange<Int64>, killAt call: Int?) throws -> Bool {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tests).deletingLastPathComponent()
            .appendingPathComponent("kill-fixture")
        process.arguments = [what, folder.path, "\(numbers.lowerBound)", "\(numbers.upperBound)"]
        var environment = ProcessInfo.processInfo.environment
        environment["OFFHOOK_KILL_AT"] = call.map(String.init)
        process.environment = environment
        try process.run()
        process.waitUntilExit()
        if process.terminationReason == .uncaughtSignal {
            #expect(process.terminationStatus == SIGKILL)
            return false
        }
        #expect(process.terminationStatus == 0)
        return true
    }

    /// Makes an old state, with nobody killed.
    private func make(_ what: String, _ folder: URL, _ numbers: ClosedRange<Int64>) throws {
        let isDone = try run(what, folder, numbers, killAt: nil)
        #expect(isDone)
    }

    /// Kills at every call, each time from the old state that `prepare` makes, until the process is through.
    ///
    /// `check` reads the state and tells whether it is the new one. There must be as many calls as `least`, so that the
    /// test cannot pass because nothing was counted.
    private func killAtEveryCall(
        _ what: String, _ folder: URL, _ numbers: ClosedRange<Int64>, least: Int,
        prepare: () throws -> Void, check: (Int) async throws -> Bool
    ) async throws {
        var call = 1
        var states: [Bool] = []
        while true {
            try prepare()
            let isDone = try run(what, folder, numbers, killAt: call)
            let isNew = try await check(call)
            if isDone {
                #expect(isNew, "a process that was not killed has made the new state")
                break
            }
            states.append(isNew)
            call += 1
            try #require(call < 500)
        }
        #expect(states.count >= least, "\(what) made \(states.count) calls")
        #expect(states.first == false)
        #expect(states == states.filter { !$0 } + states.filter { $0 }, "first the old state, then the new one")
    }

    @Test("R109: a compiler killed at any write leaves the old directory or the new one")
    func compile() async throws {
        try await withFolder { folder in
            let file = folder.appendingPathComponent("list.directory")
            try make("compile", folder, 100_000...100_020)
            let old = try Data(contentsOf: file)
            try await killAtEveryCall("compile", folder, 200_000...209_000, least: 4) {
                try old.write(to: file)
            } check: { _ in
                let found = try DirectoryFile(try MappedFile(path: file.path))
                try found.verify()
                if try Data(contentsOf: file) == old { return false }
                #expect(found.summary.numbers == 9_001)
                return true
            }
        }
    }

    @Test("R110: an app killed while it publishes leaves the old list published or the new one")
    func publish() async throws {
        try await withFolder { folder in
            let group = folder.appendingPathComponent("group")
            try await killAtEveryCall("publish", folder, 200_000...200_300, least: 4) {
                try? FileManager.default.removeItem(at: group)
                try make("publish", folder, 100_000...100_020)
            } check: { _ in
                let shared = DirectoryFolder(group)
                let found = try shared.file(of: try shared.target())
                try found.verify()
                let isNew = try found.attributes(of: 200_000) != nil
                #expect(found.summary.numbers == (isNew ? 301 : 21))
                return isNew
            }
        }
    }

    @Test("R110: an extension killed while it notes a load leaves a state that leads to the right list")
    func state() async throws {
        try await withFolder { folder in
            let group = folder.appendingPathComponent("group")
            let old = LoadState.Version(fingerprint: 100_000, shards: 1)
            let new = LoadState.Version(fingerprint: 200_000, shards: 1)
            try await killAtEveryCall("state", folder, 200_000...200_000, least: 4) {
                try? FileManager.default.removeItem(at: group)
                try FileManager.default.createDirectory(at: group, withIntermediateDirectories: true)
                try make("state", folder, 100_000...100_000)
            } check: { _ in
                var state = DirectoryFolder(group).state(of: 0)
                if state.has(new) { return true }
                if state.has(old) { return false }
                // Between the two nobody knows what the phone took: the whole list is loaded again.
                #expect(state.attempt?.content == .whole(new))
                let step = state.step(toward: new, isAvailable: { _ in true }, isIncremental: { true })
                #expect(step == .full(new: new))
                return false
            }
        }
    }

    @Test("D10: a phone killed while it stores an extension's entries has the old ones or the new ones")
    func phone() async throws {
        try await withFolder { folder in
            let storage = folder.appendingPathComponent("phone")
            let identifier = "com.example.app.directory"
            try await killAtEveryCall("phone", storage, 200_000...200_300, least: 4) {
                try? FileManager.default.removeItem(at: storage)
                try FileManager.default.createDirectory(at: storage, withIntermediateDirectories: true)
                try make("phone", storage, 100_000...100_020)
            } check: { _ in
                let phone = VirtualPhone(.init(seed: 1, storage: storage))
                defer { phone.shutDown() }
                let found = phone.callDirectory.blocked(by: identifier)
                let isNew = found.first == 200_000
                #expect(found == (isNew ? Array(200_000...200_300) : Array(100_000...100_020)))
                #expect(phone.callDirectory.isEnabled(identifier))
                return isNew
            }
        }
    }
}
