// SPDX-License-Identifier: MIT

import Foundation

/// A file without a name for what does not fit in memory; it is gone when the process ends, however it ends.
final class ScratchFile {
    private let descriptor: Int32

    /// Makes the file.
    ///
    /// - Throws: ``CompileError/scratch(path:reason:)``.
    init(in directory: String) throws(CompileError) {
        var template = Array((directory + "/offhook-sort-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else {
            throw .scratch(path: directory, reason: String(cString: strerror(errno)))
        }
        unlink(template)
    }

    deinit {
        close(descriptor)
    }

    /// Writes all bytes at an offset.
    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(CompileError) {
        var done = 0
        while done < bytes.count {
            let count = pwrite(
                descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
            if count < 0 {
                if errno == EINTR { continue }
                throw .scratch(path: "", reason: String(cString: strerror(errno)))
            }
            done += count
        }
    }

    /// Reads bytes at an offset until the buffer is full.
    func read(into bytes: UnsafeMutableRawBufferPointer, at offset: Int) throws(CompileError) {
        var done = 0
        while done < bytes.count {
            let count = pread(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done, off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else {
                throw .scratch(path: "", reason: count == 0 ? "file ends early" : String(cString: strerror(errno)))
            }
            done += count
        }
    }
}
