// SPDX-License-Identifier: MIT

import Foundation
import OffhookDirectory
import Testing

/// Texts with numbers, and what the PyPI package `phonenumbers` makes of them.
struct PhoneNumberOracle {
    struct Case {
        let region: String
        let number: String?
        let isValid: Bool
        let text: [UInt8]
        let base64: String
    }

    let version: String
    let cases: [Case]

    private static func folder(file: String = #filePath) -> URL {
        URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Peers")
    }

    /// Runs the script; without the Python environment the test fails and says what to do.
    init(seed: String, count: Int) throws {
        let peers = PhoneNumberOracle.folder()
        let package = peers.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let python = package.appendingPathComponent(".venv/bin/python")
        try #require(
            FileManager.default.isExecutableFile(atPath: python.path),
            "there is no Python environment at .venv; run `make setup`")
        let process = Process()
        process.executableURL = python
        process.arguments = [peers.appendingPathComponent("phone_numbers.py").path, seed, String(count)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "the Python script failed; its errors are in the test's output")
        var lines = data.split(separator: UInt8(ascii: "\n")).makeIterator()
        version = lines.next().map { String(decoding: $0, as: UTF8.self) } ?? ""
        var cases: [Case] = []
        cases.reserveCapacity(count)
        while let line = lines.next() {
            let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
                .map { String(decoding: $0, as: UTF8.self) }
            try #require(fields.count == 4)
            cases.append(
                Case(
                    region: fields[0], number: fields[1] == "-" ? nil : fields[1], isValid: fields[2] == "1",
                    text: [UInt8](try #require(Data(base64Encoded: fields[3]))), base64: fields[3]))
        }
        self.cases = cases
    }

    /// The differences that are known, with their reasons.
    static func knownDifferences() throws -> [String: String] {
        let file = folder().appendingPathComponent("phone-number-differences.txt")
        var known: [String: String] = [:]
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.hasPrefix("#") {
            let parts = line.split(separator: ":", maxSplits: 1)
            try #require(parts.count == 2 && parts[1].count > 10, "a difference without a reason: \(line)")
            known[String(parts[0])] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return known
    }
}
