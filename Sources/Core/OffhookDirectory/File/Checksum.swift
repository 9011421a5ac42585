// SPDX-License-Identifier: MIT

// CRC-32 as in ISO 3309 and zlib, eight bytes a step.
enum Checksum {
    private static let table: [UInt32] = {
        var table = [UInt32](repeating: 0, count: 8 * 256)
        for index in 0..<256 {
            var value = UInt32(index)
            for _ in 0..<8 { value = value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
            table[index] = value
        }
        for index in 256..<table.count {
            let value = table[index - 256]
            table[index] = table[Int(value & 0xFF)] ^ (value >> 8)
        }
        return table
    }()

    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        table.withUnsafeBufferPointer { table in
            var crc = UInt32.max
            var at = 0
            while at + 8 <= bytes.count {
                let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self)) ^ UInt64(crc)
                crc = 0
                for lane in 0..<8 {
                    crc ^= table[(7 - lane) * 256 + Int(truncatingIfNeeded: word >> UInt64(8 * lane)) & 0xFF]
                }
                at += 8
            }
            while at < bytes.count {
                crc = table[Int((crc ^ UInt32(bytes[at])) & 0xFF)] ^ (crc >> 8)
                at += 1
            }
            return ~crc
        }
    }

    static func of(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBytes { of($0) }
    }
}
