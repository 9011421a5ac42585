// SPDX-License-Identifier: MIT

import Foundation
import OffhookDirectory

/// directory.*: a list of callers as a file, at two sizes, beside what apps use instead.
enum DirectoryBenchmark {
    static let benchmark = Benchmark(
        ids: [
            "directory.build", "directory.bits", "directory.bytes", "directory.scan", "directory.parse",
        ],
        summary:
            "lists of 1 and 10 million callers: compile, size, scan, parse; beside SQLite, text, JSON, Roaring, Python",
        run: measure)

    static let memory = Benchmark(
        ids: ["directory.memory"],
        summary:
            "lists of 1 and 10 million callers, and their changes, onto a phone, in 2 MiB; beside SQLite, text, JSON",
        run: {
            var rows: [BenchmarkRow] = []
            for size in sizes {
                let work = try DirectoryWork(size: size)
                rows += try await DirectoryMemory.rows(work, smaller: rows)
            }
            return rows
        })

    private static let sizes = [1_000_000, 10_000_000]

    /// What the smaller list cost in all, to tell how costs grow.
    private struct Costs {
        var n: Int
        var build: Double
        var scan: Double
        var parse: Double
        var bits: Double
        var bytes: Double
    }

    @Sendable private static func measure() async throws -> [BenchmarkRow] {
        var rows: [BenchmarkRow] = []
        var smaller: Costs?
        for size in sizes {
            let work = try DirectoryWork(size: size)
            let scanned = try scan(work)
            let parsed = try DirectoryParse(work)
            let costs = Costs(
                n: size, build: work.buildSeconds, scan: scanned.seconds, parse: parsed.seconds,
                bits: Double(try work.numbersAlone()) * 8, bytes: Double(work.summary.bytes))
            func growth(_ cost: KeyPath<Costs, Double>) -> String {
                smaller.map { "; " + Growth.note(($0.n, $0[keyPath: cost]), (size, costs[keyPath: cost])) } ?? ""
            }
            let numbers = Double(work.summary.numbers)
            let peers = try DirectoryPeers(work, check: scanned.check)
            let build = BenchmarkRow(
                "directory.build", n: size, value: costs.build, unit: "CPU s",
                note: "\(work.lines) messy lines, each parsed and validated" + growth(\.build))
            rows += peers.build(build)
            let bits = BenchmarkRow(
                "directory.bits", n: size, value: costs.bits / numbers, unit: "bits/number",
                note: "whole file without labels, index included" + growth(\.bits))
            rows.append(bits.beside("local-density bound", try work.densityBound() / numbers, better: .lower))
            rows += try peers.bits(bits)
            let bytes = BenchmarkRow(
                "directory.bytes", n: size, value: costs.bytes / numbers, unit: "bytes/entry",
                note: String(format: "%.0f %% with labels", Double(work.summary.identifications) / numbers * 100)
                    + growth(\.bytes))
            rows += peers.bytes(bytes)
            let scan = BenchmarkRow(
                "directory.scan", n: size, value: Double(work.summary.items) / costs.scan / 1e6,
                unit: "M entries/CPU s", note: "from a mapped file, with labels" + growth(\.scan))
            rows += peers.scan(scan)
            rows += try parsed.rows(growth(\.parse))
            smaller = costs
        }
        return rows
    }

    /// Walks through the file with labels, the fastest of three times.
    private static func scan(_ work: DirectoryWork) throws -> (seconds: Double, check: Int) {
        var best = Double.infinity
        var check = 0
        for _ in 0..<3 {
            let before = Stopwatch.threadSeconds()
            check = 0
            var cursor = try work.open().entries()
            while let entry = try cursor.next() {
                check &+= Int(entry.first)
                for label in entry.attributes.labels { check &+= label.utf8.count }
            }
            best = min(best, Stopwatch.threadSeconds() - before)
        }
        return (best, check)
    }
}
