// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import OffhookCallDirectory
import OffhookDirectory
import VirtualPhone

/// directory.memory: private memory of extensions, processes of this program, that load a list onto a virtual phone.
enum DirectoryMemory {
    private static let limit = 2 << 20

    /// The rows of one size: the whole list, and what changed; `smaller` are the rows of the smaller size.
    static func rows(_ work: DirectoryWork, smaller: [BenchmarkRow]) async throws -> [BenchmarkRow] {
        let group = DirectoryFolder(work.folder.appendingPathComponent("group"))
        guard let count = DirectoryCapacity.extensions(for: work.summary) else {
            throw BenchmarkError("the list needs too many extensions")
        }
        try group.publish(work.directory, extensions: count)
        var settings = PhoneSettings()
        settings.directory.memoryLimit = limit
        let phone = DirectoryPhone(
            settings, extensions: (0..<count).map { DirectoryProcess.arguments(group.url, shard: $0, of: count) })
        defer { phone.close() }
        let whole = try await row(phone, work, "the whole list", smaller.first)
        let changed = work.folder.appendingPathComponent("changed.directory")
        try work.writeChanged(to: changed)
        try group.publish(changed, extensions: count)
        let delta = try await row(phone, work, "what changed", smaller.dropFirst().first)
        return try await [whole, delta]
            + peers(work).map { name, memory in
                whole.beside("\(name), no limit", memory, better: .lower)
            }
    }

    private static func row(
        _ phone: DirectoryPhone, _ work: DirectoryWork, _ what: String, _ smaller: BenchmarkRow?
    ) async throws -> BenchmarkRow {
        let started = ContinuousClock.now
        var (peak, changes) = (0, 0)
        for index in phone.extensions.indices {
            let report = try await phone.load(index)
            guard report.outcome == .stored else { throw BenchmarkError("extension \(index): \(report.outcome)") }
            peak = max(peak, report.peakMemory ?? 0)
            changes += report.blockingAdded + report.identificationAdded + report.removed
        }
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        let memory = Double(peak) / 1024
        let growth = smaller.map { "; " + Growth.note(($0.n, $0.value), (work.size, memory)) } ?? ""
        return BenchmarkRow(
            "directory.memory", n: work.size, value: memory, unit: "KiB private",
            note: "\(what): \(changes) changes by \(phone.extensions.count) extensions under a limit of 2 MiB, "
                + String(format: "%.2f M/s", Double(changes) / seconds / 1e6) + growth)
    }

    /// The peak of one extension that gives the same entries from what apps use instead.
    private static func peers(_ work: DirectoryWork) async throws -> [(String, Double)] {
        try DirectoryPeers.writeDatabase(work)
        try DirectoryPeers.writeText(work)
        try DirectoryPeers.writeJSON(work)
        var peaks: [(String, Double)] = []
        for (name, kind, file) in [
            ("SQLite", DirectoryProcess.Kind.sqlite, work.database), ("sorted text", .text, work.text),
            ("JSONDecoder", .json, work.json),
        ] {
            var settings = PhoneSettings()
            settings.directory.memoryLimit = nil
            settings.directory.entryLimit = .max
            let phone = DirectoryPhone(settings, extensions: [DirectoryProcess.arguments(file, kind)])
            defer { phone.close() }
            let report = try await phone.load(0)
            guard report.outcome == .stored else { throw BenchmarkError("\(name): \(report.outcome)") }
            peaks.append((name, Double(report.peakMemory ?? 0) / 1024))
        }
        return peaks
    }
}

/// A virtual phone with one app, whose extensions are processes of this program.
private struct DirectoryPhone {
    private static let app = "com.example.app"

    private let phone: VirtualPhone
    let extensions: [String]

    init(_ settings: PhoneSettings, extensions arguments: [[String]]) {
        var settings = settings
        settings.directory.entriesPerSecond = nil
        settings.directory.loadsWhenEnabled = false
        settings.directory.timeBudget = nil
        phone = VirtualPhone(.init(settings: settings, seed: 1))
        extensions = arguments.indices.map { "\(Self.app).directory\($0)" }
        let program = "/proc/self/exe"
        let path = (try? FileManager.default.destinationOfSymbolicLink(atPath: program)) ?? program
        phone.install(
            App(
                bundleIdentifier: Self.app, displayName: "App",
                callDirectoryExtensions: zip(extensions, arguments).map {
                    .init(bundleIdentifier: $0, executable: path, arguments: $1)
                }
            ) { _ in NSObject() })
        for identifier in extensions { phone.callDirectory.setEnabled(identifier, true) }
    }

    func load(_ index: Int) async throws -> DirectoryLoadReport {
        guard let report = await phone.callDirectory.load(extensions[index], timeout: .seconds(600)) else {
            throw BenchmarkError("the phone refused to load")
        }
        return report
    }

    func close() { phone.shutDown() }
}
