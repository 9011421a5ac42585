// SPDX-License-Identifier: MIT

/// The stored entries of one kind, ascending: ten million of them are 80 MB, and 40 MB more with labels.
struct DirectoryList: Hashable, Sendable {
    var numbers: [Int64] = []
    /// The label of each number; empty in a list of numbers to block.
    var labels: [UInt32] = []
    var table = LabelTable()

    var count: Int { numbers.count }

    func contains(_ number: Int64) -> Bool {
        let place = lowerBound(of: number)
        return place < numbers.count && numbers[place] == number
    }

    /// The labels of a number, in the order they were added.
    func labels(of number: Int64) -> [String] {
        var found: [String] = []
        var place = lowerBound(of: number)
        while place < numbers.count, numbers[place] == number, place < labels.count {
            found.append(table[labels[place]])
            place += 1
        }
        return found
    }

    /// Drops labels that no number has any more, once they are the most of the table.
    mutating func dropUnusedLabels() {
        guard table.count > 2 * labels.count + 1_024 else { return }
        var used = LabelTable()
        var places = [UInt32](repeating: .max, count: table.count)
        for index in labels.indices {
            let old = Int(labels[index])
            if places[old] == .max { places[old] = used.append(table[labels[index]]) }
            labels[index] = places[old]
        }
        table = used
    }

    /// The first place, from `start` on, whose number is not below the given one.
    func lowerBound(of number: Int64, from start: Int = 0) -> Int {
        // In growing steps first: what is looked for is near when a list is walked through.
        var low = start
        var step = 1
        while low + step <= numbers.count, numbers[low + step - 1] < number {
            low += step
            step *= 2
        }
        var high = min(low + step, numbers.count)
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
