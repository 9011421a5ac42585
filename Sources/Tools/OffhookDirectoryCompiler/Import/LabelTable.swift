// SPDX-License-Identifier: MIT

import Foundation

/// Keeps each different label once and names it by a number.
///
/// Grows with the number of different labels, as the file's own table does, and with nothing else.
struct LabelTable {
    /// No label.
    static let none: UInt32 = 0

    private var bytes: [UInt8] = []
    private var ends: [Int] = [0]
    private var slots: [UInt32] = Array(repeating: 0, count: 1024)

    /// How many different labels there are.
    var count: Int { ends.count - 1 }

    /// The number of a label, from 1; the same for the same bytes.
    mutating func identifier(of label: UnsafeBufferPointer<UInt8>) -> UInt32 {
        if count * 2 >= slots.count { grow() }
        var slot = LabelTable.hash(label) & (slots.count - 1)
        while slots[slot] != 0 {
            if holds(label, slots[slot]) { return slots[slot] }
            slot = (slot + 1) & (slots.count - 1)
        }
        bytes.append(contentsOf: label)
        ends.append(bytes.count)
        slots[slot] = UInt32(count)
        return UInt32(count)
    }

    /// The label with a number that ``identifier(of:)`` gave.
    func text(of identifier: UInt32) -> String {
        String(decoding: bytes[ends[Int(identifier) - 1]..<ends[Int(identifier)]], as: UTF8.self)
    }

    private func holds(_ label: UnsafeBufferPointer<UInt8>, _ identifier: UInt32) -> Bool {
        let (start, end) = (ends[Int(identifier) - 1], ends[Int(identifier)])
        guard end - start == label.count else { return false }
        return bytes.withUnsafeBytes { bytes in
            guard let known = bytes.baseAddress, let bytes = label.baseAddress else { return true }
            return memcmp(known + start, bytes, label.count) == 0
        }
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 2)
        bytes.withUnsafeBufferPointer { bytes in
            for identifier in 1...max(1, count) where identifier <= count {
                let label = UnsafeBufferPointer(rebasing: bytes[ends[identifier - 1]..<ends[identifier]])
                var slot = LabelTable.hash(label) & (slots.count - 1)
                while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
                slots[slot] = UInt32(identifier)
            }
        }
    }

    // FNV-1a with a final mix.
    private static func hash(_ label: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in label { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: (hash ^ (hash >> 32)) & 0x7FFF_FFFF)
    }
}
