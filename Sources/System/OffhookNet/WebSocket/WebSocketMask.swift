// SPDX-License-Identifier: MIT

/// The four bytes a client XORs its payload with (RFC 6455 §5.3).
struct WebSocketMask: Hashable, Sendable {
    /// The bytes in the order of the wire, the first one lowest.
    let key: UInt32

    /// Makes an unpredictable mask from the system's random source.
    static func random() -> WebSocketMask {
        WebSocketMask(key: .random(in: .min ... .max))
    }

    init(key: UInt32) {
        self.key = key
    }

    subscript(index: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: key >> (UInt32(index & 3) * 8))
    }

    /// XORs bytes in place; the first one has the given position in its frame.
    func apply(to bytes: UnsafeMutableRawBufferPointer, position: Int) {
        let shift = UInt32(position & 3) * 8
        let rotated = shift == 0 ? key : key >> shift | key << (32 - shift)
        let word = UInt64(rotated) | UInt64(rotated) << 32
        var index = 0
        while index + 8 <= bytes.count {
            let value = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            bytes.storeBytes(of: (value ^ word).littleEndian, toByteOffset: index, as: UInt64.self)
            index += 8
        }
        while index < bytes.count {
            bytes[index] ^= self[position + index]
            index += 1
        }
    }
}
