// SPDX-License-Identifier: MIT

/// XXH64 written once more, word by word from its specification, so that tests can seal what they have changed.
enum Checksums {
    static func xxh64(_ bytes: [UInt8]) -> UInt64 {
        let p1: UInt64 = 11_400_714_785_074_694_791
        let p2: UInt64 = 14_029_467_366_897_019_727
        let p3: UInt64 = 1_609_587_929_392_839_161
        let p4: UInt64 = 9_650_029_242_287_828_579
        let p5: UInt64 = 2_870_177_450_012_600_261
        func rotate(_ value: UInt64, _ count: UInt64) -> UInt64 { value << count | value >> (64 - count) }
        func round(_ lane: UInt64, _ input: UInt64) -> UInt64 { rotate(lane &+ input &* p2, 31) &* p1 }
        func word(_ offset: Int, _ size: Int) -> UInt64 {
            (0..<size).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
        }
        var offset = 0
        var sum = p5
        if bytes.count >= 32 {
            var lanes = [p1 &+ p2, p2, 0, 0 &- p1]
            while bytes.count - offset >= 32 {
                for lane in 0..<4 { lanes[lane] = round(lanes[lane], word(offset + 8 * lane, 8)) }
                offset += 32
            }
            sum = rotate(lanes[0], 1) &+ rotate(lanes[1], 7) &+ rotate(lanes[2], 12) &+ rotate(lanes[3], 18)
            for lane in lanes { sum = (sum ^ round(0, lane)) &* p1 &+ p4 }
        }
        sum = sum &+ UInt64(bytes.count)
        while bytes.count - offset >= 8 {
            sum = rotate(sum ^ round(0, word(offset, 8)), 27) &* p1 &+ p4
            offset += 8
        }
        if bytes.count - offset >= 4 {
            sum = rotate(sum ^ word(offset, 4) &* p1, 23) &* p2 &+ p3
            offset += 4
        }
        for byte in bytes[offset...] { sum = rotate(sum ^ UInt64(byte) &* p5, 11) &* p1 }
        sum = (sum ^ sum >> 33) &* p2
        sum = (sum ^ sum >> 29) &* p3
        return sum ^ sum >> 32
    }
}
