// SPDX-License-Identifier: MIT

import Foundation
public import OffhookDirectory

/// A file that appears at its path whole or not at all: written beside it, flushed, then renamed.
///
/// Whatever ends the process, the path has the old file or the new one. A file that was not finished is removed, or, after
/// a kill, left under a name that begins with a dot and is overwritten next time.
public final class AtomicFile: DirectorySink {
    private let path: String
    private let temporary: String
    private var descriptor: Int32
    private var buffer: [UInt8] = []

    /// Opens the temporary file.
    ///
    /// - Throws: ``CompileError/destination(path:reason:)``.
    public init(path: String) throws(CompileError) {
        self.path = path
        var status = stat()
        // A rename would put a file in the place of a device or a pipe.
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw .destination(path: path, reason: status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "not a file")
        }
        let url = URL(fileURLWithPath: path)
        temporary = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).new").path
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard descriptor >= 0 else { throw .destination(path: path, reason: String(cString: strerror(errno))) }
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        unlink(temporary)
    }

    /// Appends bytes.
    ///
    /// - Throws: ``CompileError/destination(path:reason:)``.
    public func append(_ bytes: [UInt8]) throws {
        buffer.append(contentsOf: bytes)
        if buffer.count >= 1 << 20 { try flush() }
    }

    /// Puts the file in place.
    ///
    /// - Throws: ``CompileError/destination(path:reason:)``; the path has its old file then.
    public func finish() throws(CompileError) {
        try flush()
        guard fsync(descriptor) == 0, rename(temporary, path) == 0 else {
            throw .destination(path: path, reason: String(cString: strerror(errno)))
        }
        close(descriptor)
        descriptor = -1
        // The rename itself is on disk once the folder is.
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY)
        if folder >= 0 {
            fsync(folder)
            close(folder)
        }
    }

    private func flush() throws(CompileError) {
        var done = 0
        while done < buffer.count {
            let count = buffer.withUnsafeBytes { write(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done) }
            if count < 0 {
                if errno == EINTR { continue }
                throw .destination(path: path, reason: String(cString: strerror(errno)))
            }
            done += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
