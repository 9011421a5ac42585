// SPDX-License-Identifier: MIT

// Reads bits, the lowest bit of each byte first. The eight bytes after `end` must be readable.
struct BitReader {
    let base: UnsafeRawPointer
    var position: Int
    let end: Int

    init(_ bytes: UnsafeRawPointer, from start: Int, to end: Int) {
        base = bytes
        position = start * 8
        self.end = end * 8
    }

    // False when more bits were taken than there are; ask before each read of at most 57 bits.
    @inline(__always) var isInside: Bool { position <= end }

    // The next 57 bits or more.
    @inline(__always) var window: UInt64 {
        let word = base.loadUnaligned(fromByteOffset: position >> 3, as: UInt64.self)
        return UInt64(littleEndian: word) &>> UInt64(truncatingIfNeeded: position & 7)
    }

    // At most 32 bits.
    @inline(__always) mutating func read(_ bits: Int) -> UInt64? {
        guard isInside else { return nil }
        let value = window & ((1 &<< UInt64(truncatingIfNeeded: bits)) &- 1)
        position &+= bits
        return value
    }
}

// Reads bytes and numbers in order; nil past the end.
struct ByteReader {
    let bytes: UnsafeRawBufferPointer
    var position: Int
    let end: Int

    init(_ bytes: UnsafeRawBufferPointer, from start: Int, to end: Int) {
        self.bytes = bytes
        position = start
        self.end = Swift.min(end, bytes.count)
    }

    @inline(__always) mutating func byte() -> UInt8? {
        guard position < end else { return nil }
        defer { position += 1 }
        return bytes[position]
    }

    @inline(__always) mutating func varint() -> UInt64? {
        // Nearly all are one byte.
        if position < end, bytes[position] < 0x80 {
            defer { position += 1 }
            return UInt64(bytes[position])
        }
        return longVarint()
    }

    private mutating func longVarint() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while let byte = byte() {
            if shift == 63 && byte > 1 { return nil }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
            if shift > 63 { return nil }
        }
        return nil
    }

    // A varint that must not be larger than `limit`.
    @inline(__always) mutating func count(upTo limit: Int) -> Int? {
        guard limit >= 0, let value = varint(), value <= UInt64(limit) else { return nil }
        return Int(value)
    }

    mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type) -> Value? {
        guard end - position >= MemoryLayout<Value>.size else { return nil }
        defer { position += MemoryLayout<Value>.size }
        return Value(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: Value.self))
    }
}
