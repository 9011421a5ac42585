// SPDX-License-Identifier: MIT

// Collects bits, the lowest bit of each byte first.
struct BitWriter {
    private(set) var bytes: [UInt8] = []
    private var pending: UInt64 = 0
    private var count = 0

    // At most 32 bits at a time.
    mutating func write(_ value: UInt64, bits: Int) {
        pending |= (value & ((1 << UInt64(bits)) - 1)) << UInt64(count)
        count += bits
        while count >= 8 {
            bytes.append(UInt8(truncatingIfNeeded: pending))
            pending >>= 8
            count -= 8
        }
    }

    // `zeros` zero bits and a one.
    mutating func writeUnary(_ zeros: Int) {
        write(1 << UInt64(zeros), bits: zeros + 1)
    }

    // Ends the stream at a byte and hands it out; the writer is empty then.
    mutating func finish() -> [UInt8] {
        if count > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
        defer { self = BitWriter() }
        return bytes
    }
}

extension [UInt8] {
    mutating func appendVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    mutating func appendInteger<Value: FixedWidthInteger>(_ value: Value) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}
