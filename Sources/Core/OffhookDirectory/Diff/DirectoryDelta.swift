// SPDX-License-Identifier: MIT

/// Tells why a delta cannot be applied.
public enum DirectoryDeltaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The delta was made for another directory than the one given: fetch the whole directory instead.
    case wrongBase(expected: UInt64, found: UInt64)
    /// The result is not the directory the delta was made from: discard it and fetch the whole directory.
    case wrongResult(expected: UInt64, found: UInt64)

    /// What happened and what to do about it, in one sentence.
    public var description: String {
        switch self {
        case .wrongBase(let expected, let found):
            "the delta is for directory \(hex(expected)), not \(hex(found)): fetch the whole directory"
        case .wrongResult(let expected, let found):
            "the delta gave directory \(hex(found)) in place of \(hex(expected)): discard it, fetch the whole directory"
        }
    }

    private func hex(_ value: UInt64) -> String {
        String(value, radix: 16)
    }
}

/// Makes and applies deltas: files of the same format that hold only what changed.
public enum DirectoryDelta {
    /// Writes the changes from one directory to another.
    ///
    /// - Returns: what the delta holds; numbers that are removed count, but not as blocked or identified.
    /// - Throws: ``DirectoryFileError`` if either file is damaged; ``DirectoryWriteError/tooManyLabels``; what the sink
    ///   throws. The sink has no complete file then.
    public static func write<Sink: DirectorySink>(
        from old: DirectoryFile, to new: DirectoryFile, into sink: inout Sink
    ) throws -> DirectorySummary {
        var difference = DirectoryDifference(from: old, to: new)
        var encoder = DirectoryEncoder(
            kind: .delta, base: old.summary.fingerprint, target: new.summary.fingerprint)
        let removed = try encoder.identifier(of: .none)
        while let step = try difference.nextStep() {
            var set = removed
            if let after = step.after { set = try encoder.identifier(of: difference.attributes(after: after)) }
            try encoder.append(first: step.first, last: step.last, set: set)
            if !encoder.output.isEmpty { try sink.append(encoder.takeOutput()) }
        }
        let summary = try encoder.finish()
        try sink.append(encoder.takeOutput())
        return summary
    }

    /// Writes the directory that results when a delta is applied: byte for byte the one the delta was made from.
    ///
    /// - Parameters:
    ///   - delta: A file opened with ``DirectoryFileKind/delta``.
    ///   - base: The directory that the delta starts from.
    ///   - sink: Takes the new directory. What it holds after an error is no complete or no right file.
    /// - Returns: what the new directory holds.
    /// - Throws: ``DirectoryDeltaError``; ``DirectoryFileError`` if either file is damaged or of the wrong kind; what
    ///   the sink throws.
    public static func apply<Sink: DirectorySink>(
        _ delta: DirectoryFile, to base: DirectoryFile, into sink: inout Sink
    ) throws -> DirectorySummary {
        guard delta.kind == .delta else { throw DirectoryFileError.wrongKind(found: delta.kind) }
        guard base.kind == .directory else { throw DirectoryFileError.wrongKind(found: base.kind) }
        guard delta.transition.base == base.summary.fingerprint else {
            throw DirectoryDeltaError.wrongBase(expected: delta.transition.base, found: base.summary.fingerprint)
        }
        var encoder = DirectoryEncoder(kind: .directory, base: 0, target: 0)
        var kept = Translation(base)
        var changed = Translation(delta)
        var baseCursor = base.entries()
        var deltaCursor = delta.entries()
        var old = try baseCursor.nextItem()
        var change = try deltaCursor.nextItem()
        while old != nil || change != nil {
            if let item = old, item.first < change?.first ?? .max {
                let last = min(item.last, (change?.first ?? .max) - 1)
                let set = try kept.identifier(of: item.set, in: &encoder)
                if set != Translation.removed { try encoder.append(first: item.first, last: last, set: set) }
                if last == item.last { old = try baseCursor.nextItem() } else { old?.first = last + 1 }
            } else if let item = change {
                // What the base says about the numbers no longer counts.
                while let covered = old, covered.first <= item.last {
                    if covered.last <= item.last { old = try baseCursor.nextItem() } else { old?.first = item.last + 1 }
                }
                let set = try changed.identifier(of: item.set, in: &encoder)
                if set != Translation.removed { try encoder.append(first: item.first, last: item.last, set: set) }
                change = try deltaCursor.nextItem()
            }
            if !encoder.output.isEmpty { try sink.append(encoder.takeOutput()) }
        }
        let summary = try encoder.finish()
        guard summary.fingerprint == delta.transition.target else {
            throw DirectoryDeltaError.wrongResult(expected: delta.transition.target, found: summary.fingerprint)
        }
        try sink.append(encoder.takeOutput())
        return summary
    }

    // From the numbers of a file's sets to those the encoder gave.
    private struct Translation {
        static let removed = UInt32.max
        private static let unknown = UInt32.max - 1

        private let file: DirectoryFile
        private var identifiers: [UInt32]

        init(_ file: DirectoryFile) {
            self.file = file
            identifiers = Array(repeating: Translation.unknown, count: file.summary.attributeSets)
        }

        mutating func identifier(of set: UInt32, in encoder: inout DirectoryEncoder) throws -> UInt32 {
            let known = identifiers[Int(set)]
            if known != Translation.unknown { return known }
            let attributes = try file.attributes(set: set)
            let identifier = attributes == .none ? Translation.removed : try encoder.identifier(of: attributes)
            identifiers[Int(set)] = identifier
            return identifier
        }
    }
}
