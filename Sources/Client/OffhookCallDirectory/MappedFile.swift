// SPDX-License-Identifier: MIT

import Foundation
public import OffhookDirectory

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A directory file where it lies on disk: pages come into memory as they are read and cost no private memory.
///
/// The file must not be changed in place; replace it by a rename, as ``DirectoryFolder`` does.
public final class MappedFile: DirectoryBytes {
    private let bytes: UnsafeRawBufferPointer

    /// Maps a file.
    ///
    /// - Throws: ``DirectoryFolderError/unreadable(path:reason:)``.
    public init(path: String) throws(DirectoryFolderError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .unreadable(path: path, reason: "not a file") }
        let count = Int(status.st_size)
        guard count > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        guard let start = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), start != MAP_FAILED else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        bytes = UnsafeRawBufferPointer(start: start, count: count)
    }

    deinit {
        if let start = bytes.baseAddress { munmap(UnsafeMutableRawPointer(mutating: start), bytes.count) }
    }

    /// Calls `body` with all bytes of the file.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try withExtendedLifetime(self) { try body(bytes) }
    }
}

// The mapping is only read, and lives as long as the object.
extension MappedFile: @unchecked Sendable {}
