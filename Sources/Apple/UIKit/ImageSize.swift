// SPDX-License-Identifier: MIT

import Foundation

/// Reads how large a PNG or JPEG picture is.
enum ImageSize {
    static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// A PNG of 40 × 40 transparent grey pixels.
    static let placeholder =
        Data(
            base64Encoded:
                "iVBORw0KGgoAAAANSUhEUgAAACgAAAAoCAQAAAAm93DmAAAAGklEQVR42u3BMQEAAADCoPVPbQ0PoAAAAL4MDKgA"
                + "Ae9sz+oAAAAASUVORK5CYII="
        ) ?? Data()

    /// nil when the bytes are neither PNG nor JPEG.
    static func of(_ data: Data) -> CGSize? {
        let bytes = [UInt8](data)
        if bytes.starts(with: pngSignature) {
            guard bytes.count >= 24 else { return nil }
            return CGSize(width: number(bytes, 16, 4), height: number(bytes, 20, 4))
        }
        guard bytes.starts(with: [0xFF, 0xD8]) else { return nil }
        var index = 2
        while index + 9 < bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            // A start of frame holds the size; other segments are skipped.
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return CGSize(width: number(bytes, index + 7, 2), height: number(bytes, index + 5, 2))
            }
            index += 2 + number(bytes, index + 2, 2)
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }
}
