// SPDX-License-Identifier: MIT

/// The entries of one kind that a request has given so far (D3).
struct DirectoryChanges: Hashable, Sendable {
    /// A removal, and how many entries were added before it.
    struct Removal: Hashable, Sendable {
        var number: Int64
        var position: Int
    }

    /// The highest number (D4).
    static let highest = Int64.max - 1

    private(set) var added = DirectoryList()
    private(set) var removals: [Removal] = []
    /// How many entries were added before everything was removed.
    private(set) var clearedAt: Int?
    private(set) var removalCount = 0
    private var interned: [String: UInt32] = [:]

    mutating func intern(_ label: String) -> UInt32 {
        if let known = interned[label] { return known }
        let new = added.table.append(label)
        interned[label] = new
        return new
    }

    /// Adds the next number to block.
    mutating func add(_ number: Int64) throws(DirectoryProblem) {
        guard number > 0, number <= DirectoryChanges.highest else { throw .notANumber }
        if let last = added.numbers.last {
            if number == last { throw .duplicate }
            if number < last { throw .outOfOrder }
        }
        added.numbers.append(number)
    }

    /// Adds many numbers to block, ascending.
    mutating func add(_ numbers: [Int64]) throws(DirectoryProblem) {
        var last = added.numbers.last ?? 0
        for number in numbers {
            if number <= last || number > DirectoryChanges.highest { return try add(slowly: numbers) }
            last = number
        }
        added.numbers.append(contentsOf: numbers)
    }

    /// One after the other, to say what is wrong with the first that is.
    private mutating func add(slowly numbers: [Int64]) throws(DirectoryProblem) {
        for number in numbers { try add(number) }
    }

    /// Adds the next number to identify; several labels of one number follow each other.
    mutating func add(_ number: Int64, label: UInt32, allowsSeveral: Bool) throws(DirectoryProblem) {
        guard number > 0, number <= DirectoryChanges.highest else { throw .notANumber }
        if let last = added.numbers.last {
            if number < last { throw .outOfOrder }
            if number == last {
                guard allowsSeveral else { throw .duplicate }
                var place = added.numbers.count - 1
                while place >= 0, added.numbers[place] == number {
                    if added.labels[place] == label { throw .duplicate }
                    place -= 1
                }
            }
        }
        added.numbers.append(number)
        added.labels.append(label)
    }

    mutating func remove(_ number: Int64) {
        removals.append(Removal(number: number, position: added.count))
        removalCount += 1
    }

    mutating func removeAll() {
        clearedAt = added.count
        removals.removeAll()
        removalCount += 1
    }

    /// The list after these changes.
    ///
    /// - Parameters:
    ///   - list: The stored entries.
    ///   - refusesStored: Whether what is stored already may not be added; else adding it changes nothing.
    /// - Returns: nil when something is added that is stored already (D10).
    func applied(to list: DirectoryList, refusesStored: Bool) -> DirectoryList? {
        if removals.isEmpty, list.numbers.isEmpty || clearedAt == 0 { return kept }
        let removals = self.removals.sorted { ($0.number, $0.position) < ($1.number, $1.position) }
        let stored = clearedAt == nil ? list : DirectoryList()
        var merger = DirectoryMerger(stored: stored, added: added)
        var removal = 0
        var addition = clearedAt ?? 0
        while addition < added.count || removal < removals.count {
            let nextAdded = addition < added.count ? added.numbers[addition] : Int64.max
            let nextRemoved = removal < removals.count ? removals[removal].number : Int64.max
            let number = min(nextAdded, nextRemoved)
            let firstRemoval = nextRemoved == number ? removals[removal].position : Int.max
            var lastRemoval = -1
            while removal < removals.count, removals[removal].number == number {
                lastRemoval = removals[removal].position
                removal += 1
            }
            merger.keepStored(below: number)
            let present = merger.takeStored(number)
            if lastRemoval < 0 { merger.keep(present) }
            while addition < added.count, added.numbers[addition] == number {
                // In the order of the request: what was removed before may be added, what is removed after is gone.
                if firstRemoval > addition, merger.holds(present, label: addition) {
                    if refusesStored { return nil }
                } else if lastRemoval <= addition {
                    merger.append(addition)
                }
                addition += 1
            }
        }
        return merger.finished()
    }

    /// What was added, without what was added before everything was removed.
    private var kept: DirectoryList {
        guard let clearedAt, clearedAt > 0 else { return added }
        return DirectoryList(
            numbers: Array(added.numbers[clearedAt...]),
            labels: added.labels.isEmpty ? [] : Array(added.labels[clearedAt...]), table: added.table)
    }
}

/// Writes the merged list; stored entries between two changes are copied in one piece.
private struct DirectoryMerger {
    let stored: DirectoryList
    let added: DirectoryList
    private var result = DirectoryList()
    private var place = 0
    private let shift: UInt32

    init(stored: DirectoryList, added: DirectoryList) {
        self.stored = stored
        self.added = added
        result.table = stored.table
        shift = result.table.append(added.table)
        result.numbers.reserveCapacity(stored.count + added.count)
        result.labels.reserveCapacity(stored.labels.count + added.labels.count)
    }

    mutating func keepStored(below number: Int64) {
        let end = stored.lowerBound(of: number, from: place)
        keep(place..<end)
        place = end
    }

    /// The stored entries of a number, which are neither kept nor dropped yet.
    mutating func takeStored(_ number: Int64) -> Range<Int> {
        var end = place
        while end < stored.count, stored.numbers[end] == number { end += 1 }
        defer { place = end }
        return place..<end
    }

    mutating func keep(_ range: Range<Int>) {
        guard !range.isEmpty else { return }
        result.numbers.append(contentsOf: stored.numbers[range])
        if !stored.labels.isEmpty { result.labels.append(contentsOf: stored.labels[range]) }
    }

    /// Whether a stored entry of this range is the one to be added: the same number, and the same label if it has one.
    func holds(_ range: Range<Int>, label index: Int) -> Bool {
        guard !added.labels.isEmpty else { return !range.isEmpty }
        let label = added.table[added.labels[index]]
        return range.contains { stored.table[stored.labels[$0]] == label }
    }

    mutating func append(_ index: Int) {
        result.numbers.append(added.numbers[index])
        if !added.labels.isEmpty { result.labels.append(added.labels[index] + shift) }
    }

    mutating func finished() -> DirectoryList {
        keep(place..<stored.count)
        result.dropUnusedLabels()
        return result
    }
}
