// SPDX-License-Identifier: MIT

/// Collects the bytes of a file: little-endian numbers, counted strings.
struct ByteWriter {
    /// The length of a file's header.
    static let headerLength = 20

    private(set) var bytes: [UInt8] = []

    mutating func write(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func write(_ value: Bool) {
        bytes.append(value ? 1 : 0)
    }

    mutating func write(_ text: String) {
        write(UInt32(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    mutating func write(code value: some StoredCode) {
        bytes.append(value.code)
    }

    /// A presence byte, then the value.
    mutating func write<Value>(optional value: Value?, _ body: (inout ByteWriter, Value) -> Void) {
        write(value != nil)
        if let value { body(&self, value) }
    }

    /// A count, then the elements.
    mutating func write<Element>(list: some Collection<Element>, _ body: (inout ByteWriter, Element) -> Void) {
        write(UInt32(list.count))
        for element in list { body(&self, element) }
    }

    mutating func reserve(_ count: Int) {
        bytes.reserveCapacity(bytes.count + count)
    }

    /// Begins a file; `seal` completes the header.
    mutating func writeHeader(magic: [UInt8], schema: Int) {
        bytes.append(contentsOf: magic)
        write(UInt16(schema))
        write(UInt16(0))
        write(UInt32(0))
        write(UInt64(0))
    }

    /// Writes length and checksum of what follows the header into it.
    mutating func seal() {
        seal(from: ByteWriter.headerLength)
    }

    /// Writes length and checksum of what follows a record's header into it.
    mutating func sealRecord() {
        seal(from: ByteWriter.recordHeaderLength)
    }

    private mutating func seal(from start: Int) {
        let length = UInt32(bytes.count - start)
        let sum = bytes.withUnsafeBytes { Checksum.of(UnsafeRawBufferPointer(rebasing: $0[start...])) }
        bytes.withUnsafeMutableBytes {
            $0.storeBytes(of: length.littleEndian, toByteOffset: start - 12, as: UInt32.self)
            $0.storeBytes(of: sum.littleEndian, toByteOffset: start - 8, as: UInt64.self)
        }
    }
}
