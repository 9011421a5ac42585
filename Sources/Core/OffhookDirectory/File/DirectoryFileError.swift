// SPDX-License-Identifier: MIT

/// Tells why a directory file cannot be read.
public enum DirectoryFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The bytes do not start as a directory file does.
    case notADirectory
    /// A later version of the format wrote the file.
    case newerVersion(found: Int, supported: Int)
    /// The file ends early: the download or the copy was cut off.
    case truncated
    /// A checksum or a value is wrong; `offset` is where the damaged part begins, in bytes from the file's start.
    case damaged(part: DirectoryFilePart, offset: Int)
    /// The file is a delta where a whole directory is needed, or the other way round.
    case wrongKind(found: DirectoryFileKind)

    /// What happened and what to do about it, in one sentence.
    public var description: String {
        switch self {
        case .notADirectory:
            "not a directory file: it does not begin with the directory signature; compile the list first"
        case .newerVersion(let found, let supported):
            "the file has format version \(found), this reader knows \(supported): update the reader or compile again"
        case .truncated:
            "the file ends early: fetch or copy it again"
        case .damaged(let part, let offset):
            "the file is damaged in its \(part.rawValue) at byte \(offset): fetch or compile it again"
        case .wrongKind(.delta):
            "the file is a delta, and a whole directory is needed: apply the delta to the directory it was made from"
        case .wrongKind(.directory):
            "the file is a whole directory, and a delta is needed: make one of two directories"
        }
    }
}

/// Names a part of a directory file.
public enum DirectoryFilePart: String, Hashable, Sendable {
    /// The first 16 bytes: signature and version.
    case header
    /// A block of entries.
    case block
    /// The table of attribute sets.
    case attributes
    /// The table of label texts.
    case labels
    /// The index of blocks.
    case index
    /// The last 112 bytes: counts, places and checksums.
    case trailer
}

/// Tells a whole directory from a delta.
public enum DirectoryFileKind: UInt16, Hashable, Sendable {
    /// A complete list.
    case directory = 0
    /// The changes from one list to another; an entry without attributes is a removal.
    case delta = 1
}

/// Tells why a writer refuses an entry.
public enum DirectoryWriteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The entry begins at or before the end of the entry before it: sort the entries, drop repeated numbers.
    case notAscending(previous: Int64, next: Int64)
    /// The number is not in 1 ... Int64.max - 1, or the entry's last number lies before its first (rule D4).
    case invalidNumbers(first: Int64, last: Int64)
    /// The entry is neither blocked nor labelled.
    case noAttributes(number: Int64)
    /// The label is empty or longer than ``DirectoryFormat/maximumLabelBytes``.
    case invalidLabel(bytes: Int)
    /// The tables of labels and attributes are full, or the attributes have more labels than the format holds.
    case tooManyLabels
    /// The writer was finished or had failed; nothing more can be written to it.
    case finished

    /// What happened and what to do about it, in one sentence.
    public var description: String {
        switch self {
        case .notAscending(let previous, let next):
            "\(next) does not come after \(previous): give entries in ascending order, each number once"
        case .invalidNumbers(let first, let last):
            "\(first) to \(last) are not phone numbers: give 1 to \(Int64.max - 1), the smaller first"
        case .noAttributes(let number):
            "\(number) is neither blocked nor labelled: leave it out"
        case .invalidLabel(let bytes):
            "a label of \(bytes) bytes does not fit: give 1 to \(DirectoryFormat.maximumLabelBytes) bytes"
        case .tooManyLabels:
            "too many different labels for one file: split the list"
        case .finished:
            "the writer is finished: begin a new file"
        }
    }
}
