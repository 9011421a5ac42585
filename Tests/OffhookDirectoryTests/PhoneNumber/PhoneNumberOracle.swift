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

    private static func folder(file: String = #filePath) -> URL {
        URL(fileURLWithPath: file).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Peers")
    }

    /// Runs the script and hands over its cases in pieces, as they come; without the Python environment it fails and
    /// says what to do.
    ///
    /// - Returns: The version of `phonenumbers`.
    static func read(seed: String, count: Int, _ body: ([Case]) throws -> Void) throws -> String {
        let peers = folder()
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
        var version: String?
        var rest: [UInt8] = []
        while let data = try output.fileHandleForReading.read(upToCount: 1 << 16), !data.isEmpty {
            rest.append(contentsOf: data)
            guard let end = rest.lastIndex(of: UInt8(ascii: "\n")) else { continue }
            var lines = rest[..<end].split(separator: UInt8(ascii: "\n"))
            if version == nil { version = String(decoding: lines.removeFirst(), as: UTF8.self) }
            try body(lines.map(item(of:)))
            rest.removeSubrange(...end)
        }
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "the Python script failed; its errors are in the test's output")
        try #require(rest.isEmpty, "the Python script's last line has no end")
        return version ?? ""
    }

    private static func item(of line: ArraySlice<UInt8>) throws -> Case {
        let fields = line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        try #require(fields.count == 4)
        return Case(
            region: fields[0], number: fields[1] == "-" ? nil : fields[1], isValid: fields[2] == "1",
            text: [UInt8](try #require(Data(base64Encoded: fields[3]))), base64: fields[3])
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
