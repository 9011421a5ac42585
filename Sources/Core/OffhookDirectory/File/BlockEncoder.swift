// SPDX-License-Identifier: MIT

// One stored item: a number, or a range of numbers, and its attribute set.
struct DirectoryItem: Equatable {
    var first: Int64
    var last: Int64
    var set: UInt32

    var length: UInt64 { UInt64(last - first) + 1 }
}

// Collects the items of one block and encodes them.
struct BlockEncoder {
    private(set) var items: [DirectoryItem] = []
    private var parameter = 8

    var isFull: Bool { items.count == DirectoryFormat.blockItems }

    mutating func append(_ item: DirectoryItem) {
        items.append(item)
    }

    // The block's bytes; the encoder is empty then. There must be an item.
    mutating func finish() -> [UInt8] {
        let start = parameter
        let numbers = encodeNumbers()
        let common = commonSet()
        let exceptions = items.indices.filter { items[$0].set != common }
        let attributes = AttributeCode(exceptions: exceptions, items: items)
        let ranges = items.indices.filter { items[$0].length > 1 }

        var block: [UInt8] = []
        block.reserveCapacity(numbers.count + attributes.bytes.count + 64)
        block.appendVarint(UInt64(items.count))
        block.appendVarint(UInt64(ranges.count))
        block.appendVarint(UInt64(exceptions.count))
        block.appendVarint(UInt64(common))
        block.append(UInt8(start))
        block.append(UInt8(attributes.gapParameter))
        block.append(UInt8(attributes.classBits))
        block.appendVarint(UInt64(numbers.count))
        block.appendVarint(UInt64(attributes.bytes.count))
        var next = 0
        for index in ranges {
            block.appendVarint(UInt64(index - next))
            block.appendVarint(items[index].length - 2)
            next = index + 1
        }
        block += numbers
        block += attributes.bytes
        items.removeAll(keepingCapacity: true)
        return block
    }

    private mutating func encodeNumbers() -> [UInt8] {
        var model = GapModel(parameter: parameter)
        var bits = BitWriter()
        var previous = items.first?.last ?? 0
        for item in items.dropFirst() {
            let gap = UInt64(item.first - previous) - 1
            let parameter = model.parameter
            let quotient = gap >> UInt64(parameter)
            let over = quotient &- UInt64(GapModel.shortUnary - 1)
            let overBits = 63 - (over | 1).leadingZeroBitCount
            if quotient < UInt64(GapModel.shortUnary) {
                bits.writeUnary(Int(quotient))
                bits.write(gap, bits: parameter)
            } else if GapModel.shortUnary + overBits < GapModel.longestUnary {
                bits.writeUnary(GapModel.shortUnary + overBits)
                bits.write(over, bits: overBits)
                bits.write(gap, bits: parameter)
            } else {
                let width = 64 - gap.leadingZeroBitCount
                bits.write(0, bits: GapModel.longestUnary)
                bits.write(UInt64(width - 1), bits: 6)
                bits.write(gap, bits: Swift.min(width, 32))
                bits.write(gap >> 32, bits: Swift.max(width - 32, 0))
            }
            model.update(gap, parameter: parameter)
            previous = item.last
        }
        parameter = model.parameter
        return bits.finish()
    }

    // The set of most items, the lowest of equals.
    private func commonSet() -> UInt32 {
        var counts: [UInt32: Int] = [:]
        for item in items { counts[item.set, default: 0] += 1 }
        return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
    }
}

// The items whose set is not the block's common one: where they are and which set they have.
private struct AttributeCode {
    let gapParameter: Int
    let classBits: Int
    let bytes: [UInt8]

    init(exceptions: [Int], items: [DirectoryItem]) {
        var gaps: [UInt64] = []
        var next = 0
        for index in exceptions {
            gaps.append(UInt64(index - next))
            next = index + 1
        }
        let costs = (0...12).map { parameter in
            gaps.reduce(0) { $0 + ($1 >> UInt64(parameter)) + UInt64(parameter) + 1 }
        }
        let parameter = costs.indices.min { (costs[$0], $0) < (costs[$1], $1) } ?? 0
        let highest = exceptions.map { AttributeCode.width(items[$0].set) }.max() ?? 0
        let classBits = Int.bitWidth - highest.leadingZeroBitCount

        var bits = BitWriter()
        var last: UInt32?
        for (gap, index) in zip(gaps, exceptions) {
            // The costs above see to it that no quotient is long; one of 4095 would still be correct.
            var quotient = Int(gap >> UInt64(parameter))
            while quotient >= GapModel.longestUnary {
                bits.write(0, bits: GapModel.longestUnary)
                quotient -= GapModel.longestUnary
            }
            bits.writeUnary(quotient)
            bits.write(gap, bits: parameter)
            let set = items[index].set
            bits.write(set == last ? 1 : 0, bits: 1)
            if set != last {
                let width = AttributeCode.width(set)
                bits.write(UInt64(width), bits: classBits)
                bits.write(UInt64(set) + 1, bits: width)
            }
            last = set
        }
        gapParameter = parameter
        self.classBits = classBits
        bytes = bits.finish()
    }

    // The number of bits after the leading one in the set's number plus one.
    private static func width(_ set: UInt32) -> Int {
        63 - (UInt64(set) + 1).leadingZeroBitCount
    }
}
