// SPDX-License-Identifier: MIT

import Foundation
import Synchronization

/// Counts the calls that change files, and ends the process before the one that OFFHOOK_KILL_AT names, from 1.
enum KillCounter {
    private static let end = getenv("OFFHOOK_KILL_AT").flatMap { Int(String(cString: $0)) } ?? .max
    private static let count = Atomic(Int.min)

    /// Begins to count; what the process did before, to get ready, does not matter.
    static func begin() {
        _ = end
        count.store(0, ordering: .sequentiallyConsistent)
    }

    /// A call that changes files is about to happen.
    static func step() {
        let before = count.load(ordering: .sequentiallyConsistent)
        guard before >= 0 else { return }
        if count.add(1, ordering: .sequentiallyConsistent).newValue == end {
            kill(getpid(), SIGKILL)
            while true { pause() }
        }
    }

    /// Whether a descriptor is that of a file, not of a socket or a pipe.
    static func isFile(_ descriptor: Int32) -> Bool {
        var status = stat()
        return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }
}

/// The C library's own functions.
enum Original {
    static let write = find("write", as: (@convention(c) (Int32, UnsafeRawPointer?, Int) -> Int).self)
    static let sendfile = find(
        "sendfile", as: (@convention(c) (Int32, Int32, UnsafeMutableRawPointer?, Int) -> Int).self)
    static let fsync = find("fsync", as: (@convention(c) (Int32) -> Int32).self)
    static let rename = find(
        "rename", as: (@convention(c) (UnsafePointer<CChar>?, UnsafePointer<CChar>?) -> Int32).self)
    static let unlink = find("unlink", as: (@convention(c) (UnsafePointer<CChar>?) -> Int32).self)

    private static func find<Function>(_ name: String, as: Function.Type) -> Function? {
        // RTLD_NEXT: the next definition after this program's.
        dlsym(UnsafeMutableRawPointer(bitPattern: -1), name).map { unsafeBitCast($0, to: Function.self) }
    }
}

// This program's definitions of the C library's functions: whatever in the process calls them, Foundation too, comes
// here.

/// `write`, which may be the last thing that never happens.
@_cdecl("write") public func killableWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    if KillCounter.isFile(file) { KillCounter.step() }
    return Original.write?(file, bytes, count) ?? -1
}

/// `sendfile`, which may be the last thing that never happens.
@_cdecl("sendfile") public func killableSendfile(
    _ out: Int32, _ input: Int32, _ offset: UnsafeMutableRawPointer?, _ count: Int
) -> Int {
    KillCounter.step()
    return Original.sendfile?(out, input, offset, count) ?? -1
}

/// `fsync`, which may be the last thing that never happens.
@_cdecl("fsync") public func killableFsync(_ file: Int32) -> Int32 {
    KillCounter.step()
    return Original.fsync?(file) ?? -1
}

/// `rename`, which may be the last thing that never happens.
@_cdecl("rename") public func killableRename(_ old: UnsafePointer<CChar>?, _ new: UnsafePointer<CChar>?) -> Int32 {
    KillCounter.step()
    return Original.rename?(old, new) ?? -1
}

/// `unlink`, which may be the last thing that never happens.
@_cdecl("unlink") public func killableUnlink(_ path: UnsafePointer<CChar>?) -> Int32 {
    KillCounter.step()
    return Original.unlink?(path) ?? -1
}
