// SPDX-License-Identifier: MIT

import Foundation

/// Why the entries of a message are refused (D3, D4, D7).
enum DirectoryProblem: Error, Hashable, Sendable {
    case outOfOrder, duplicate, notANumber, tooMany, malformed
}

extension DirectoryChanges {
    /// Takes the entries of a message, in order.
    ///
    /// - Parameters:
    ///   - batch: The message.
    ///   - room: How many entries may still be added.
    ///   - allowsSeveral: Whether a number may have several labels.
    /// - Throws: What is wrong with the first entry that is.
    mutating func take(_ batch: DirectoryBatch, room: Int, _ allowsSeveral: Bool) throws(DirectoryProblem) {
        let count = batch.numbers.count / 8
        let hasLabels = batch.list == .identification
        guard batch.numbers.count == count * 8, batch.operations.isEmpty || batch.operations.count == count,
            batch.labelIndexes.count == (hasLabels ? count * 2 : 0)
        else { throw .malformed }
        var labels: [UInt32] = []
        if hasLabels { labels = batch.labels.map { intern($0) } }
        let operations = [UInt8](batch.operations)
        let numbers = [Int64](littleEndian: batch.numbers)
        let indexes = hasLabels ? [UInt16](littleEndian: batch.labelIndexes) : []
        if operations.isEmpty, !hasLabels {
            guard count <= room else { throw .tooMany }
            return try add(numbers)
        }
        var room = room
        for place in 0..<count {
            switch operations.isEmpty ? .add : DirectoryBatch.Operation(rawValue: operations[place]) {
            case .add:
                guard room > 0 else { throw .tooMany }
                room -= 1
                guard hasLabels else {
                    try add(numbers[place])
                    continue
                }
                guard Int(indexes[place]) < labels.count else { throw .malformed }
                try add(numbers[place], label: labels[Int(indexes[place])], allowsSeveral: allowsSeveral)
            case .remove: remove(numbers[place])
            case .removeAll: removeAll()
            case nil: throw .malformed
            }
        }
    }
}

extension Array where Element: FixedWidthInteger {
    /// Reads numbers, little-endian.
    init(littleEndian data: Data) {
        let size = MemoryLayout<Element>.size
        self.init(unsafeUninitializedCapacity: data.count / size) { buffer, count in
            count = data.count / size
            _ = data.copyBytes(to: UnsafeMutableRawBufferPointer(buffer), count: count * size)
            for index in 0..<count { buffer[index] = Element(littleEndian: buffer[index]) }
        }
    }
}
