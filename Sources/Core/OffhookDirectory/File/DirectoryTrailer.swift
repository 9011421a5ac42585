// SPDX-License-Identifier: MIT

// The last bytes of a file: what it holds and where.
struct DirectoryTrailer {
    var setsOffset: UInt64 = 0
    var labelsOffset: UInt64 = 0
    var indexOffset: UInt64 = 0
    var setsChecksum: UInt32 = 0
    var labelsChecksum: UInt32 = 0
    var indexChecksum: UInt32 = 0
    var base: UInt64 = 0
    var target: UInt64 = 0

    private func start(_ summary: DirectorySummary) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendInteger(summary.numbers)
        bytes.appendInteger(summary.blocked)
        bytes.appendInteger(summary.identifications)
        bytes.appendInteger(summary.items)
        bytes.appendInteger(setsOffset)
        bytes.appendInteger(labelsOffset)
        bytes.appendInteger(indexOffset)
        bytes.appendInteger(UInt32(summary.attributeSets))
        bytes.appendInteger(UInt32(summary.labels))
        bytes.appendInteger(UInt32(summary.blocks))
        bytes.appendInteger(setsChecksum)
        bytes.appendInteger(labelsChecksum)
        bytes.appendInteger(indexChecksum)
        return bytes
    }

    // The checksum of bytes 0 to 79 in the upper half, that of the index, which has all blocks' checksums, in the lower.
    func fingerprint(of summary: DirectorySummary) -> UInt64 {
        UInt64(Checksum.of(start(summary))) << 32 | UInt64(indexChecksum)
    }

    func encoded(_ summary: DirectorySummary) -> [UInt8] {
        var bytes = start(summary)
        bytes.appendInteger(base)
        bytes.appendInteger(target)
        bytes.appendInteger(UInt32(0))
        bytes.appendInteger(Checksum.of(bytes))
        bytes += DirectoryFormat.endMagic
        return bytes
    }

    // Reads the trailer and the counts it holds; nil when it is damaged.
    static func read(_ file: UnsafeRawBufferPointer) -> (DirectoryTrailer, DirectorySummary)? {
        let start = file.count - DirectoryFormat.trailerBytes
        let checked = DirectoryFormat.trailerBytes - 12
        var reader = ByteReader(file, from: start, to: file.count)
        var trailer = DirectoryTrailer()
        var summary = DirectorySummary()
        guard let numbers = reader.integer(UInt64.self), let blocked = reader.integer(UInt64.self),
            let identifications = reader.integer(UInt64.self), let items = reader.integer(UInt64.self),
            let setsOffset = reader.integer(UInt64.self), let labelsOffset = reader.integer(UInt64.self),
            let indexOffset = reader.integer(UInt64.self), let sets = reader.integer(UInt32.self),
            let labels = reader.integer(UInt32.self), let blocks = reader.integer(UInt32.self),
            let setsChecksum = reader.integer(UInt32.self), let labelsChecksum = reader.integer(UInt32.self),
            let indexChecksum = reader.integer(UInt32.self), let base = reader.integer(UInt64.self),
            let target = reader.integer(UInt64.self), reader.integer(UInt32.self) == 0,
            reader.integer(UInt32.self)
                == Checksum.of(UnsafeRawBufferPointer(rebasing: file[start..<start + checked])),
            file[(start + checked + 4)...].elementsEqual(DirectoryFormat.endMagic)
        else { return nil }
        trailer.setsOffset = setsOffset
        trailer.labelsOffset = labelsOffset
        trailer.indexOffset = indexOffset
        trailer.setsChecksum = setsChecksum
        trailer.labelsChecksum = labelsChecksum
        trailer.indexChecksum = indexChecksum
        trailer.base = base
        trailer.target = target
        summary.numbers = numbers
        summary.blocked = blocked
        summary.identifications = identifications
        summary.items = items
        summary.attributeSets = Int(sets)
        summary.labels = Int(labels)
        summary.blocks = Int(blocks)
        summary.bytes = file.count
        summary.fingerprint = trailer.fingerprint(of: summary)
        return (trailer, summary)
    }
}
