// SPDX-License-Identifier: MIT

import Foundation
import OffhookDirectory

/// directory.parse: the numbers of a list's lines, parsed and validated.
struct DirectoryParse {
    /// Numbers that Python's parser, which is slow, is measured with.
    private static let peerCount = 50_000

    private let work: DirectoryWork
    /// The numbers one after the other, and where each ends.
    private var text: [UInt8] = []
    private var ends: [Int] = []
    /// What all of them cost.
    private(set) var seconds = 0.0

    /// Reads as many numbers of the list as its size says, and parses them, the fastest of three times.
    init(_ work: DirectoryWork) throws {
        self.work = work
        let list = try Data(contentsOf: work.list, options: .mappedIfSafe)
        text.reserveCapacity(list.count)
        list.withUnsafeBytes { list in
            var isNumber = true
            for byte in list where ends.count < work.size {
                switch byte {
                case UInt8(ascii: "\n"):
                    ends.append(text.count)
                    isNumber = true
                case UInt8(ascii: "\t"): isNumber = false
                default: if isNumber { text.append(byte) }
                }
            }
        }
        seconds = try measure(text, ends)
    }

    /// The rows: numbers as they are in lists, and the same with extensions.
    func rows(_ growth: String) throws -> [BenchmarkRow] {
        var (extended, places): ([UInt8], [Int]) = ([], [])
        var start = 0
        for end in ends.prefix(1_000_000) {
            extended += text[start..<end] + Array(" ext. 12".utf8)
            places.append(extended.count)
            start = end
        }
        let usual = row(ends.count, seconds, "parsed and validated" + growth)
        let slow = row(places.count, try measure(extended, places), "the same numbers with extensions")
        guard PythonPeer.isAvailable else { return [usual, slow] }
        let file = work.folder.appendingPathComponent("numbers.txt")
        var lines: [UInt8] = []
        start = 0
        for end in ends.prefix(Self.peerCount) {
            lines += text[start..<end] + [UInt8(ascii: "\n")]
            start = end
        }
        try Data(lines).write(to: file)
        guard let theirs = try PythonPeer(script: "phonenumbers_parse.py").run([file.path])["per_second"] else {
            return [usual, slow]
        }
        return [usual, slow].map { $0.beside("Python phonenumbers", theirs / 1e6, better: .higher) }
    }

    private func row(_ count: Int, _ seconds: Double, _ note: String) -> BenchmarkRow {
        BenchmarkRow(
            "directory.parse", n: count, value: Double(count) / seconds / 1e6, unit: "M numbers/CPU s", note: note)
    }

    private func measure(_ text: [UInt8], _ ends: [Int]) throws -> Double {
        let parser = PhoneNumberParser(
            options: PhoneNumberOptions(internationalPrefix: .ofRegionOrDoubleZero, requiresValid: true))
        var best = Double.infinity
        for _ in 0..<3 {
            let before = Stopwatch.threadSeconds()
            var valid = 0
            text.withUnsafeBufferPointer { text in
                var start = 0
                for end in ends {
                    let number = UnsafeBufferPointer(rebasing: text[start..<end])
                    if (try? parser.parse(utf8: number)) != nil { valid += 1 }
                    start = end
                }
            }
            best = min(best, Stopwatch.threadSeconds() - before)
            guard valid * 100 > ends.count * 95 else {
                throw BenchmarkError("only \(valid) of \(ends.count) numbers are valid")
            }
        }
        return best
    }
}
