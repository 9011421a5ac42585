// SPDX-License-Identifier: MIT

/// Reads what ``ByteWriter`` wrote; every step is checked against the end.
struct ByteReader {
    private let bytes: UnsafeRawBufferPointer
    private(set) var offset = 0

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Reads an array; the reader is valid within the closure alone.
    static func reading<Value>(
        _ bytes: [UInt8], _ body: (inout ByteReader) throws(CheckpointError) -> Value
    ) throws(CheckpointError) -> Value {
        try bytes.withUnsafeBytes { raw -> Result<Value, CheckpointError> in
            do throws(CheckpointError) {
                var reader = ByteReader(raw)
                return .success(try body(&reader))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    var remaining: Int { bytes.count - offset }
    var isAtEnd: Bool { offset == bytes.count }

    /// The next bytes, passed over.
    mutating func take(_ count: Int) throws(CheckpointError) -> UnsafeRawBufferPointer {
        guard count <= remaining else { throw .truncated }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// A reader of the next bytes alone, which are passed over.
    mutating func part(_ count: Int) throws(CheckpointError) -> ByteReader {
        ByteReader(try take(count))
    }

    /// The checksum of what is left.
    var checksum: UInt64 { Checksum.of(UnsafeRawBufferPointer(rebasing: bytes[offset...])) }

    mutating func number<Number: FixedWidthInteger & BitwiseCopyable>(
        _ type: Number.Type = Number.self
    ) throws(CheckpointError) -> Number {
        Number(littleEndian: try take(MemoryLayout<Number>.size).loadUnaligned(as: Number.self))
    }

    mutating func flag() throws(CheckpointError) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw .damaged
        }
    }

    mutating func text() throws(CheckpointError) -> String {
        let count = Int(try number(UInt32.self))
        return String(decoding: try take(count), as: UTF8.self)
    }

    mutating func code<Code: StoredCode>(_ type: Code.Type = Code.self) throws(CheckpointError) -> Code {
        guard let value = Code(code: try number(UInt8.self)) else { throw .damaged }
        return value
    }

    /// A counted list; an element takes at least `size` bytes, so that a wrong count cannot take memory.
    mutating func list<Element>(
        size: Int, _ body: (inout ByteReader) throws(CheckpointError) -> Element
    ) throws(CheckpointError) -> [Element] {
        let count = Int(try number(UInt32.self))
        guard count <= remaining / size else { throw .truncated }
        var list: [Element] = []
        list.reserveCapacity(count)
        for _ in 0..<count { list.append(try body(&self)) }
        return list
    }

    /// Reads a file's header and checks all that follows against it.
    mutating func readHeader(magic: [UInt8], schema: Int) throws(CheckpointError) {
        guard remaining >= ByteWriter.headerLength else { throw .truncated }
        guard try take(magic.count).elementsEqual(magic) else { throw .damaged }
        let version = Int(try number(UInt16.self))
        guard version <= schema else { throw .newerSchema(version) }
        guard version == schema, try number(UInt16.self) == 0 else { throw .damaged }
        let length = Int(try number(UInt32.self))
        let sum = try number(UInt64.self)
        guard length <= remaining else { throw .truncated }
        guard length == remaining, checksum == sum else { throw .damaged }
    }
}
