// SPDX-License-Identifier: MIT

/// Sorts any number of records in a bounded memory: full buffers are sorted and go to disk, and are merged at the end.
///
/// Records with the same first number come in the order in which they were added.
final class ExternalSorter {
    private struct Run {
        var offset: Int
        var count: Int
    }

    /// The fewest records of a buffer.
    static let smallestCapacity = 1024

    private let capacity: Int
    private let directory: String
    private let records: UnsafeMutablePointer<SortRecord>
    private let room: UnsafeMutablePointer<SortRecord>
    private var count = 0
    private var file: ScratchFile?
    private var fileSize = 0
    private var runs: [Run] = []

    /// Prepares the buffers.
    ///
    /// - Parameters:
    ///   - memory: The bytes that both buffers may take together.
    ///   - directory: Where the scratch file goes, when one is needed.
    init(memory: Int, directory: String) {
        capacity = max(ExternalSorter.smallestCapacity, memory / (2 * MemoryLayout<SortRecord>.stride))
        self.directory = directory
        records = .allocate(capacity: capacity)
        room = .allocate(capacity: capacity)
    }

    deinit {
        records.deallocate()
        room.deallocate()
    }

    /// How many buffers went to disk.
    var spills: Int { runs.count }

    /// Adds a record.
    func add(_ record: SortRecord) throws(CompileError) {
        if count == capacity { try spill() }
        (records + count).initialize(to: record)
        count += 1
    }

    /// Gives all records in ascending order; nothing can be added afterwards.
    func sorted(_ body: (SortRecord) throws -> Void) throws {
        guard !runs.isEmpty else {
            RadixSort.sort(records, room: room, count: count)
            for index in 0..<count { try body(records[index]) }
            return
        }
        if count > 0 { try spill() }
        try merge(body)
    }

    private func spill() throws(CompileError) {
        RadixSort.sort(records, room: room, count: count)
        let target: ScratchFile
        if let file { target = file } else { target = try ScratchFile(in: directory) }
        file = target
        let bytes = UnsafeRawBufferPointer(start: records, count: count * MemoryLayout<SortRecord>.stride)
        try target.write(bytes, at: fileSize)
        runs.append(Run(offset: fileSize, count: count))
        fileSize += bytes.count
        count = 0
    }

    /// The buffers are free now: each run reads through its share of one of them.
    private func merge(_ body: (SortRecord) throws -> Void) throws {
        guard let file else { return }
        let share = max(1, capacity / runs.count)
        // Far more runs than records fit a buffer do not happen: a run is as long as the buffer.
        precondition(runs.count <= capacity, "more runs than the buffer has room for")
        var readers = runs.enumerated().map { number, run in
            RunReader(
                file: file, offset: run.offset, left: run.count, buffer: records + number * share, capacity: share)
        }
        for index in readers.indices { try readers[index].fill() }
        // A heap of the runs by their next record; equal numbers come from the earlier run first.
        var heap = Array(readers.indices)
        func comes(_ one: Int, before other: Int) -> Bool {
            let (left, right) = (readers[one].head.first, readers[other].head.first)
            return left != right ? left < right : one < other
        }
        func sift(_ start: Int) {
            var parent = start
            while true {
                var least = parent
                for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                    if comes(heap[child], before: heap[least]) { least = child }
                }
                if least == parent { return }
                heap.swapAt(parent, least)
                parent = least
            }
        }
        for index in (0..<heap.count / 2).reversed() { sift(index) }
        while let next = heap.first {
            try body(readers[next].head)
            let isOver = try readers[next].advance() == false
            if isOver {
                heap.swapAt(0, heap.count - 1)
                heap.removeLast()
            }
            sift(0)
        }
    }
}

/// Reads a sorted run from the scratch file, a piece at a time.
private struct RunReader {
    let file: ScratchFile
    var offset: Int
    var left: Int
    let buffer: UnsafeMutablePointer<SortRecord>
    let capacity: Int
    private var position = 0
    private var count = 0

    init(file: ScratchFile, offset: Int, left: Int, buffer: UnsafeMutablePointer<SortRecord>, capacity: Int) {
        self.file = file
        self.offset = offset
        self.left = left
        self.buffer = buffer
        self.capacity = capacity
    }

    var head: SortRecord { buffer[position] }

    mutating func fill() throws(CompileError) {
        count = min(left, capacity)
        position = 0
        let bytes = count * MemoryLayout<SortRecord>.stride
        try file.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: bytes), at: offset)
        offset += bytes
        left -= count
    }

    /// Moves to the next record; false at the end.
    mutating func advance() throws(CompileError) -> Bool {
        position += 1
        if position < count { return true }
        if left == 0 { return false }
        try fill()
        return true
    }
}
