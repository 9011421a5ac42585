// SPDX-License-Identifier: MIT

/// Whether what must outlive the process is on the disk (R81).
///
/// In every state pushes are reported and calls ring, are answered and end; in all but ``ready`` nothing is written, so
/// that what is on the disk stays as it is (R9).
public enum StorageState: Hashable, Sendable {
    /// The configuration names no folder: nothing outlives the process, and nothing is written.
    case memoryOnly
    /// The files were read, and every change is written.
    case ready
    /// The files cannot be read now, as before the phone's first unlock (R78, C14). They are read again by themselves.
    case locked
    /// A file cannot be used; it is left as it is until ``CallCenter/resetStorage()``.
    case damaged(StorageDamage)
}

/// Why a file of the storage cannot be used.
public enum StorageDamage: Hashable, Sendable {
    /// It ends too early.
    case truncated
    /// Its bytes are not those that were written.
    case corrupted
    /// A newer version of the library wrote it, with this schema version.
    case newerSchema(Int)
    /// It is longer than any that is written: this many bytes.
    case tooLarge(Int)
    /// It belongs to another user's stay on this device (R90).
    case otherAccount
}
