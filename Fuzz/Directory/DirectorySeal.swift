// SPDX-License-Identifier: MIT

/// Makes the checksums of a file right, and a delta one for a given directory, so that a fuzzer gets behind them.
enum DirectorySeal {
    /// The file with right checksums, as far as it has the parts that are summed.
    static func sealed(_ file: [UInt8], base: UInt64) -> [UInt8] {
        var bytes = file
        let start = bytes.count - DirectoryFormat.trailerBytes
        guard start >= DirectoryFormat.headerBytes else { return bytes }
        bytes.replaceSubrange(0..<8, with: DirectoryFormat.magic)
        put(Checksum.of(Array(bytes[..<12])), at: 12, in: &bytes)
        bytes.replaceSubrange((bytes.count - 8)..., with: DirectoryFormat.endMagic)
        let places = (0..<3).map { integer(bytes, at: start + 32 + $0 * 8, bytes: 8) }
        if places[0] <= places[1], places[1] <= places[2], places[2] <= UInt64(start) {
            sealSections(&bytes, places.map(Int.init), start)
        }
        if bytes[10] == UInt8(truncatingIfNeeded: DirectoryFileKind.delta.rawValue) {
            for shift in 0..<8 { bytes[start + 80 + shift] = UInt8(truncatingIfNeeded: base >> UInt64(8 * shift)) }
        }
        put(Checksum.of(Array(bytes[start..<start + 100])), at: start + 100, in: &bytes)
        return bytes
    }

    private static func sealSections(_ bytes: inout [UInt8], _ places: [Int], _ start: Int) {
        let (sets, labels, index) = (places[0], places[1], places[2])
        var at = index
        while at + DirectoryFormat.indexEntryBytes <= start {
            let offset = integer(bytes, at: at + 16, bytes: 8)
            let length = integer(bytes, at: at + 24, bytes: 4)
            if offset <= UInt64(index), length <= UInt64(index) - offset {
                put(Checksum.of(Array(bytes[Int(offset)..<Int(offset + length)])), at: at + 28, in: &bytes)
            }
            at += DirectoryFormat.indexEntryBytes
        }
        put(Checksum.of(Array(bytes[sets..<labels])), at: start + 68, in: &bytes)
        put(Checksum.of(Array(bytes[labels..<index])), at: start + 72, in: &bytes)
        put(Checksum.of(Array(bytes[index..<start])), at: start + 76, in: &bytes)
    }

    private static func put(_ value: UInt32, at position: Int, in bytes: inout [UInt8]) {
        for shift in 0..<4 { bytes[position + shift] = UInt8(truncatingIfNeeded: value >> UInt32(8 * shift)) }
    }

    private static func integer(_ bytes: [UInt8], at position: Int, bytes count: Int) -> UInt64 {
        var value: UInt64 = 0
        for shift in 0..<count { value |= UInt64(bytes[position + shift]) << UInt64(8 * shift) }
        return value
    }
}
