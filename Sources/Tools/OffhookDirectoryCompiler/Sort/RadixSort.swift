// SPDX-License-Identifier: MIT

/// Sorts records by their first number, and keeps the order of records with the same one.
enum RadixSort {
    private static let bits = 11

    /// Sorts `count` records of `records`; `room` has as much space and holds anything afterwards.
    static func sort(
        _ records: UnsafeMutablePointer<SortRecord>, room: UnsafeMutablePointer<SortRecord>, count: Int
    ) {
        guard count > 1 else { return }
        var varying: Int64 = 0
        var isSorted = true
        for index in 1..<count {
            varying |= records[index].first ^ records[0].first
            if records[index].first < records[index - 1].first { isSorted = false }
        }
        if isSorted { return }
        var (source, target) = (records, room)
        var shift = Int64(0)
        let mask = Int64(1 << bits - 1)
        while shift < 64, varying >> shift != 0 {
            defer { shift += Int64(bits) }
            // Digits that all numbers share change nothing.
            guard (varying >> shift) & mask != 0 else { continue }
            var offsets = [Int](repeating: 0, count: 1 << bits)
            for index in 0..<count { offsets[Int(source[index].first >> shift & mask)] += 1 }
            var total = 0
            for digit in offsets.indices { (offsets[digit], total) = (total, total + offsets[digit]) }
            offsets.withUnsafeMutableBufferPointer { offsets in
                for index in 0..<count {
                    let digit = Int(source[index].first >> shift & mask)
                    target[offsets[digit]] = source[index]
                    offsets[digit] += 1
                }
            }
            swap(&source, &target)
        }
        if source != records { records.update(from: source, count: count) }
    }
}
