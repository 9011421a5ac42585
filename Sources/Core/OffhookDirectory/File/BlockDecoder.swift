// SPDX-License-Identifier: MIT

// Where a block is and what it spans: one entry of the index.
struct BlockPlace: Equatable {
    static let size = DirectoryFormat.indexEntryBytes

    var first: Int64
    var last: Int64
    var offset: UInt64
    var length: UInt32
    var checksum: UInt32
}

// Decodes a block into arrays that are used again for the next one. Refuses whatever the encoder cannot have written.
struct BlockDecoder {
    private(set) var count = 0
    private(set) var ranges: [(index: Int, length: UInt64)] = []
    private(set) var firsts = [UInt64](repeating: 0, count: DirectoryFormat.blockItems)
    private(set) var sets = [UInt32](repeating: 0, count: DirectoryFormat.blockItems)

    // The item; `range` is the place in `ranges` of the first range not before `index`.
    func item(_ index: Int, range: Int) -> DirectoryItem {
        let first = firsts[index]
        let isRange = range < ranges.count && ranges[range].index == index
        let last = isRange ? first + (ranges[range].length - 1) : first
        return DirectoryItem(first: Int64(first), last: Int64(last), set: sets[index])
    }

    // `file` reaches at least eight bytes past the block. False when the block is damaged; then `count` is 0.
    mutating func decode(_ file: UnsafeRawBufferPointer, place: BlockPlace, setCount: Int) -> Bool {
        count = 0
        ranges.removeAll(keepingCapacity: true)
        let start = Int(place.offset)
        let end = start + Int(place.length)
        guard let base = file.baseAddress, end + 8 <= file.count,
            Checksum.of(UnsafeRawBufferPointer(rebasing: file[start..<end])) == place.checksum
        else { return false }
        var header = ByteReader(file, from: start, to: end)
        guard let items = header.count(upTo: DirectoryFormat.blockItems), items > 0,
            let rangeCount = header.count(upTo: items),
            let exceptions = header.count(upTo: items),
            let common = header.count(upTo: setCount - 1),
            let parameter = header.byte(), parameter <= GapModel.maximumParameter,
            let gapParameter = header.byte(), gapParameter <= 12,
            let classBits = header.byte(), classBits <= 5,
            let numberBytes = header.count(upTo: end - start),
            let attributeBytes = header.count(upTo: end - start),
            readRanges(rangeCount, items: items, from: &header),
            header.position + numberBytes + attributeBytes == end
        else { return false }
        let middle = header.position + numberBytes
        var numbers = BitReader(base, from: header.position, to: middle)
        guard readNumbers(items, place: place, parameter: Int(parameter), from: &numbers) else { return false }
        var attributes = BitReader(base, from: middle, to: end)
        for index in 0..<items { sets[index] = UInt32(common) }
        guard
            readExceptions(
                exceptions, items: items, setCount: setCount, gapParameter: Int(gapParameter),
                classBits: Int(classBits), from: &attributes)
        else { return false }
        count = items
        return true
    }

    private mutating func readRanges(_ count: Int, items: Int, from header: inout ByteReader) -> Bool {
        var next = 0
        for _ in 0..<count {
            guard let gap = header.count(upTo: items), next + gap < items,
                let length = header.varint(), length < DirectoryFormat.maximumNumber
            else { return false }
            ranges.append((next + gap, length + 2))
            next += gap + 1
        }
        return true
    }

    private mutating func readNumbers(
        _ items: Int, place: BlockPlace, parameter: Int, from reader: inout BitReader
    ) -> Bool {
        let limit = UInt64(place.last)
        var number = UInt64(place.first)
        var model = GapModel(parameter: parameter)
        var range = 0
        var index = 0
        let ranges = ranges
        return firsts.withUnsafeMutableBufferPointer { firsts in
            while true {
                firsts[index] = number
                if range < ranges.count, ranges[range].index == index {
                    guard number <= limit else { return false }
                    number &+= ranges[range].length - 1
                    range += 1
                }
                // No gap and no length is above 2^63 and the limit is below it: no sum wraps.
                guard number <= limit, reader.isInside else { return false }
                index += 1
                if index == items { break }
                let window = reader.window
                let parameter = model.parameter
                let zeros = window.trailingZeroBitCount
                let gap: UInt64
                if zeros < 12 {
                    // At most 12 + 7 + 32 bits: within one window.
                    let shift = UInt64(truncatingIfNeeded: parameter)
                    let overBits = UInt64(truncatingIfNeeded: Swift.max(zeros &- GapModel.shortUnary, 0))
                    let rest = window &>> UInt64(truncatingIfNeeded: zeros &+ 1)
                    let least =
                        zeros < GapModel.shortUnary
                        ? UInt64(truncatingIfNeeded: zeros)
                        : UInt64(GapModel.shortUnary - 1) &+ (1 &<< overBits)
                    let quotient = least &+ (rest & ((1 &<< overBits) &- 1))
                    gap = (quotient &<< shift) | ((rest &>> overBits) & ((1 &<< shift) &- 1))
                    reader.position &+= zeros &+ 1 &+ Int(truncatingIfNeeded: overBits) &+ parameter
                } else {
                    guard let long = Self.readLongGap(zeros, parameter: parameter, from: &reader) else { return false }
                    gap = long
                }
                model.update(gap, parameter: parameter)
                number &+= gap &+ 1
            }
            return number == limit && (reader.position + 7) / 8 == reader.end / 8
        }
    }

    @inline(never)
    private static func readLongGap(_ zeros: Int, parameter: Int, from reader: inout BitReader) -> UInt64? {
        if zeros < GapModel.longestUnary {
            let overBits = zeros - GapModel.shortUnary
            reader.position += zeros + 1
            guard let over = reader.read(overBits), let low = reader.read(parameter) else { return nil }
            return (UInt64(GapModel.shortUnary - 1) + (1 << UInt64(overBits)) + over) << UInt64(parameter) | low
        }
        reader.position += GapModel.longestUnary
        guard let width = reader.read(6).map({ Int($0) + 1 }), width < 64,
            let low = reader.read(Swift.min(width, 32)),
            let high = reader.read(Swift.max(width - 32, 0))
        else { return nil }
        return high << 32 | low
    }

    private mutating func readExceptions(
        _ count: Int, items: Int, setCount: Int, gapParameter: Int, classBits: Int, from reader: inout BitReader
    ) -> Bool {
        let gapMask = (UInt64(1) << UInt64(gapParameter)) - 1
        let classMask = (UInt64(1) << UInt64(classBits)) - 1
        return sets.withUnsafeMutableBufferPointer { sets in
            var next = 0
            var last: UInt32?
            for _ in 0..<count {
                guard reader.isInside else { return false }
                var quotient = 0
                var window = reader.window
                while window.trailingZeroBitCount >= GapModel.longestUnary {
                    quotient += GapModel.longestUnary
                    reader.position += GapModel.longestUnary
                    guard quotient < items, reader.isInside else { return false }
                    window = reader.window
                }
                // At most 24 + 12 + 1 bits: within one window.
                let zeros = window.trailingZeroBitCount
                window &>>= UInt64(truncatingIfNeeded: zeros &+ 1)
                let low = window & gapMask
                window &>>= UInt64(truncatingIfNeeded: gapParameter)
                let index = next + ((quotient + zeros) << gapParameter) + Int(low)
                reader.position &+= zeros &+ gapParameter &+ 2
                guard index < items else { return false }
                if window & 1 == 0 {
                    guard reader.isInside else { return false }
                    let bits = reader.window
                    let width = bits & classMask
                    let value = (bits &>> UInt64(truncatingIfNeeded: classBits)) & ((1 &<< width) &- 1)
                    let set = ((1 &<< width) | value) &- 1
                    guard set < UInt64(setCount) else { return false }
                    last = UInt32(truncatingIfNeeded: set)
                    reader.position &+= classBits &+ Int(width)
                }
                guard let last else { return false }
                sets[index] = last
                next = index + 1
            }
            return (reader.position + 7) / 8 == reader.end / 8
        }
    }
}
