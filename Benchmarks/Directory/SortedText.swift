// SPDX-License-Identifier: MIT

import Foundation

/// A file with a line for each entry, number, tab and label, read line by line as `readLine` reads.
struct SortedText {
    let file: URL

    /// Walks through all entries in order.
    func forEach(_ body: (Int64, String?) -> Void) throws {
        guard let stream = fopen(file.path, "r") else { throw BenchmarkError("cannot read \(file.path)") }
        defer { fclose(stream) }
        var (buffer, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { free(buffer) }
        while true {
            let count = getline(&buffer, &capacity, stream)
            guard count > 0, let buffer else { return }
            let bytes = UnsafeRawBufferPointer(start: buffer, count: count)
            let line = String(decoding: bytes.last == UInt8(ascii: "\n") ? bytes.dropLast() : bytes[...], as: UTF8.self)
            let parts = line.split(separator: "\t", maxSplits: 1, omittingEmptySubsequences: false)
            body(Int64(parts[0]) ?? 0, parts.count > 1 && !parts[1].isEmpty ? String(parts[1]) : nil)
        }
    }

    /// The sum of all numbers and of the lengths of all labels.
    func check() throws -> Int {
        var check = 0
        try forEach { number, label in check &+= Int(number) &+ (label?.utf8.count ?? 0) }
        return check
    }
}
