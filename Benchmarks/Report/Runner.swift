// SPDX-License-Identifier: MIT

import Foundation

/// Runs the benchmarks that are wanted, prints the table and writes bench.json.
struct Runner {
    /// Every benchmark there is.
    var benchmarks: [Benchmark]
    /// Where the rows are written.
    var file = "bench.json"

    /// Runs those whose ids are named in the arguments or in BENCH (separated by commas); all when none is named.
    ///
    /// - Returns: The exit code: 0, 1 when a benchmark could not measure, 64 for an unknown id.
    func run(_ arguments: [String], environment: [String: String]) async -> Int32 {
        let named = arguments.isEmpty ? [environment["BENCH"] ?? ""] : arguments
        let wanted = Set(named.flatMap { $0.split(separator: ",") }.map { $0.trimmingCharacters(in: .whitespaces) })
        let known = benchmarks.flatMap(\.ids)
        if wanted == ["list"] || wanted == ["--help"] {
            for benchmark in benchmarks { print(benchmark.ids.joined(separator: ", ") + ": " + benchmark.summary) }
            return 0
        }
        if let unknown = wanted.subtracting(known).min() {
            complain("there is no benchmark '\(unknown)'; there are \(known.joined(separator: ", "))")
            return 64
        }
        var rows: [BenchmarkRow] = []
        var failed = false
        for benchmark in benchmarks where wanted.isEmpty || !wanted.isDisjoint(with: benchmark.ids) {
            complain("measuring \(benchmark.ids.joined(separator: ", ")): \(benchmark.summary)")
            do {
                rows += try await benchmark.run().filter { wanted.isEmpty || wanted.contains($0.id) }
            } catch {
                complain("\(benchmark.ids.joined(separator: ", ")) could not measure: \(error)")
                failed = true
            }
        }
        let table = BenchmarkTable(rows: rows)
        for line in table.lines() { print(line) }
        do {
            try table.json().write(to: URL(fileURLWithPath: file))
        } catch {
            complain("cannot write \(file): \(error.localizedDescription)")
            failed = true
        }
        return failed ? 1 : 0
    }

    private func complain(_ message: String) {
        FileHandle.standardError.write(Data((message + "\n").utf8))
    }
}
