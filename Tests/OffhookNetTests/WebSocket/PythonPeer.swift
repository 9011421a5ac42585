// SPDX-License-Identifier: MIT

import Foundation
import Testing

/// A Python script of the Peers folder as a child process, whose output lines are awaited.
final class PythonPeer {
    let lines = Recorder<String?>()
    private let process = Process()
    private let input = Pipe()

    /// Starts a script; without the Python environment the test fails and says what to do.
    init(_ script: String, _ arguments: [String] = [], file: String = #filePath) throws {
        let tests = URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
        let package = tests.deletingLastPathComponent().deletingLastPathComponent()
        let python = package.appendingPathComponent(".venv/bin/python")
        try #require(
            FileManager.default.isExecutableFile(atPath: python.path),
            "there is no Python environment at .venv; run `make setup`")
        process.executableURL = python
        process.arguments = [tests.appendingPathComponent("Peers/\(script)").path] + arguments
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let lines = lines
        // One thread reads to the end; it is over when the script is.
        Thread {
            var rest = Data()
            while true {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                rest += more
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    lines.report(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = Data(rest[(end + 1)...])
                }
            }
            lines.report(nil)
        }.start()
    }

    /// The next line of output; fails the test when the script has ended.
    func line() async throws -> String {
        try #require(try await lines.next(), "the Python script has ended; its errors are in the test's output")
    }

    deinit {
        try? input.fileHandleForWriting.close()
        // Not waited for: that would block a thread that the other tests need, until Foundation hears of the end, which
        // may be only when the scripts that were started at the same time have ended as well.
        if process.isRunning { process.terminate() }
    }
}
