// SPDX-License-Identifier: MIT

/// Why a file cannot be read as a checkpoint or as a journal; the file is left as it is (R9).
public enum CheckpointError: Error, Hashable, Sendable {
    /// The file ends too early.
    case truncated
    /// The file is of another kind, or its bytes are not those that were written.
    case damaged
    /// A newer version of this library wrote the file, with this schema version.
    case newerSchema(Int)
    /// The file is longer than any that is written: this many bytes.
    case tooLarge(Int)
}
