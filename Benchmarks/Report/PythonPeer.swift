// SPDX-License-Identifier: MIT

import Foundation

/// A peer written in Python, run in the environment that `make bench` makes (.venv-bench).
struct PythonPeer {
    /// The script's name in Benchmarks/peers.
    var script: String

    /// Whether the environment is there; without it a benchmark leaves its peer out.
    static var isAvailable: Bool {
        FileManager.default.isExecutableFile(atPath: interpreter)
    }

    private static let interpreter = ".venv-bench/bin/python"

    /// Runs the script to its end and reads the JSON object that its last line holds.
    ///
    /// - Throws: ``BenchmarkError`` when the script fails or prints something else.
    func run(_ arguments: [String]) throws -> [String: Double] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.interpreter)
        process.arguments = ["Benchmarks/peers/\(script)"] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        guard process.terminationStatus == 0, let last = lines.last,
            let figures = try? JSONDecoder().decode([String: Double].self, from: Data(last.utf8))
        else {
            throw BenchmarkError("\(script) ended with \(process.terminationStatus): \(lines.last ?? "no output")")
        }
        return figures
    }
}

/// Why a benchmark could not measure.
struct BenchmarkError: Error, CustomStringConvertible {
    /// What happened.
    var description: String

    /// Makes an error.
    init(_ description: String) {
        self.description = description
    }
}
