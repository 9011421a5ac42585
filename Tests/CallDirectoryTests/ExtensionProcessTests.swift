// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import Testing
import VirtualPhone

/// Extensions as programs of their own, under the memory limit.
@Suite(.serialized) struct ExtensionProcessTests {
    private func bench(_ arguments: [String], settings: DirectorySettings = DirectorySettings()) throws
        -> DirectoryBench
    {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = URL(fileURLWithPath: tests).deletingLastPathComponent()
            .appendingPathComponent("call-directory-fixture").path
        return DirectoryBench(
            settings: settings,
            extensions: [
                App.CallDirectoryExtension(
                    bundleIdentifier: DirectoryBench.directory, executable: path, arguments: arguments)
            ])
    }

    private func withFile<Result>(_ text: String, _ body: (String) async throws -> Result) async throws -> Result {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(text.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return try await body(file.path)
    }

    private func json(_ count: Int) -> String {
        "["
            + (0..<count).map { #"{"number":\#(491_000_000_000 + $0),"label":"Caller \#($0 % 100)"}"# }
            .joined(separator: ",") + "]"
    }

    private func lines(_ count: Int) -> String {
        (0..<count).map { "\(491_000_000_000 + $0) Caller \($0 % 100)\n" }.joined()
    }

    @Test("P48: 9,999 entries decoded at once fit into 12 MiB")
    func smallList() async throws {
        try await withFile(json(9_999)) { path in
            let bench = try bench(["codable", path])
            defer { bench.close() }
            let report = await bench.enable()
            #expect(report?.outcome == .stored)
            #expect(report?.identificationAdded == 9_999)
            #expect(bench.identified.first == DirectoryLabel(number: 491_000_000_000, label: "Caller 0"))
        }
    }

    @Test("P48, D6: bug 1: 99,999 entries decoded at once end the extension: code 2, with a cause")
    func bigList() async throws {
        try await withFile(json(99_999)) { path in
            let bench = try bench(["codable", path])
            defer { bench.close() }
            #expect(await bench.enable()?.error == managerError(2))
            let death = try #require(bench.phone.deaths.last)
            #expect(death.code.hasPrefix("was ended by signal"))
            #expect(death.message.contains("P48"))
            #expect(bench.identified.isEmpty)
        }
    }

    @Test("P48: without the limit the same list is stored")
    func bigListWithoutLimit() async throws {
        var settings = DirectorySettings()
        settings.memoryLimit = nil
        try await withFile(json(99_999)) { path in
            let bench = try bench(["codable", path], settings: settings)
            defer { bench.close() }
            let report = await bench.enable()
            #expect(report?.outcome == .stored)
            #expect(try #require(report?.peakMemory) > 12 << 20)
        }
    }

    @Test("P48: a list that is read in pieces fits, whatever its length")
    func streamedList() async throws {
        try await withFile(lines(99_999)) { path in
            let bench = try bench(["stream", path])
            defer { bench.close() }
            let report = await bench.enable()
            #expect(report?.outcome == .stored)
            #expect(try #require(report?.peakMemory) < 12 << 20)
            #expect(bench.phone.callDirectory.counts(of: DirectoryBench.directory).identification == 99_999)
            #expect(
                bench.phone.callDirectory.decision(for: "491000099998")
                    == .identified(label: "Caller 98", extensionIdentifier: DirectoryBench.directory))
        }
    }

    @Test("D6: a program that crashes, exits or cannot be started gives an error", arguments: ["crash", "exit"])
    func died(_ argument: String) async throws {
        let bench = try bench([argument])
        defer { bench.close() }
        #expect(await bench.enable()?.error == managerError(2))
        #expect(bench.phone.deaths.last?.code == (argument == "exit" ? "exited with code 3" : "was ended by signal 6"))
    }

    @Test("D6: a program that cannot be started gives 102")
    func notStarted() async throws {
        let bench = DirectoryBench(extensions: [
            App.CallDirectoryExtension(bundleIdentifier: DirectoryBench.directory, executable: "/nonexistent")
        ])
        defer { bench.close() }
        #expect(await bench.enable()?.error == managerError(102))
    }

    @Test("D2: the exception ends the program")
    func removal() async throws {
        let bench = try bench(["remove"])
        defer { bench.close() }
        #expect(await bench.enable()?.error == managerError(8))
        #expect(bench.phone.deaths.last?.rule == "D2")
    }

    @Test("D6: a program that reads a missing file cancels its request")
    func cancelled() async throws {
        let bench = try bench(["codable", "/nonexistent"])
        defer { bench.close() }
        #expect(await bench.enable()?.error == managerError(2))
    }
}
