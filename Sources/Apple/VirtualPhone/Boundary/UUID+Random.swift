// SPDX-License-Identifier: MIT

package import Foundation

extension UUID {
    /// A random identifier; Foundation's on Linux opens a file for each, which every action of a call would pay for.
    package static func fresh() -> UUID {
        var generator = SystemRandomNumberGenerator()
        return UUID(high: generator.next(), low: generator.next())
    }

    /// An identifier of version 4 from random bits.
    init(high: UInt64, low: UInt64) {
        func byte(_ value: UInt64, _ index: UInt64) -> UInt8 { UInt8(truncatingIfNeeded: value >> (56 - 8 * index)) }
        self.init(
            uuid: (
                byte(high, 0), byte(high, 1), byte(high, 2), byte(high, 3), byte(high, 4), byte(high, 5),
                (byte(high, 6) & 0x0F) | 0x40, byte(high, 7), (byte(low, 0) & 0x3F) | 0x80, byte(low, 1),
                byte(low, 2), byte(low, 3), byte(low, 4), byte(low, 5), byte(low, 6), byte(low, 7)
            ))
    }
}
