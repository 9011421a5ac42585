// SPDX-License-Identifier: MIT

/// XXH64: the 64-bit checksum of the files written here (xxHash specification, version 0.1.1), with seed 0.
enum Checksum {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// The checksum of some bytes.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var offset = 0
        var sum: UInt64
        if bytes.count >= 32 {
            var lane1 = prime1 &+ prime2
            var lane2 = prime2
            var lane3: UInt64 = 0
            var lane4 = 0 &- prime1
            while offset + 32 <= bytes.count {
                lane1 = round(lane1, word(bytes, offset))
                lane2 = round(lane2, word(bytes, offset + 8))
                lane3 = round(lane3, word(bytes, offset + 16))
                lane4 = round(lane4, word(bytes, offset + 24))
                offset += 32
            }
            sum = turned(lane1, 1) &+ turned(lane2, 7) &+ turned(lane3, 12) &+ turned(lane4, 18)
            for lane in [lane1, lane2, lane3, lane4] { sum = (sum ^ round(0, lane)) &* prime1 &+ prime4 }
        } else {
            sum = prime5
        }
        sum = sum &+ UInt64(bytes.count)
        while offset + 8 <= bytes.count {
            sum = turned(sum ^ round(0, word(bytes, offset)), 27) &* prime1 &+ prime4
            offset += 8
        }
        if offset + 4 <= bytes.count {
            let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            sum = turned(sum ^ (UInt64(half) &* prime1), 23) &* prime2 &+ prime3
            offset += 4
        }
        while offset < bytes.count {
            sum = turned(sum ^ (UInt64(bytes[offset]) &* prime5), 11) &* prime1
            offset += 1
        }
        sum = (sum ^ sum >> 33) &* prime2
        sum = (sum ^ sum >> 29) &* prime3
        return sum ^ sum >> 32
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    private static func turned(_ value: UInt64, _ bits: UInt64) -> UInt64 {
        value << bits | value >> (64 - bits)
    }

    private static func round(_ lane: UInt64, _ word: UInt64) -> UInt64 {
        turned(lane &+ word &* prime2, 31) &* prime1
    }
}
