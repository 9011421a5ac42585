// SPDX-License-Identifier: MIT

import Foundation

/// A process's private writable memory, as Linux counts and limits it: heap, mappings and the stacks of threads, but no
/// mapped files.
enum ProcessMemory {
    /// What a process has, in bytes.
    struct Reading: Equatable {
        /// Private writable memory, touched or not: what the limit counts.
        var size = 0
        /// Private memory in use.
        var inUse = 0
        /// Pages of files, and pages shared with others, in use.
        var shared = 0
        /// The most that was in use at one time, files and all: the kernel keeps no more than that sum.
        var highest = 0

        /// Reads what the kernel says of a process, lines of a name, a number and `kB`.
        init?(_ status: UnsafeRawBufferPointer) {
            var isWhole = false
            var start = 0
            while start < status.count {
                let end = status[start...].firstIndex(of: UInt8(ascii: "\n")) ?? status.count
                let line = UnsafeRawBufferPointer(rebasing: status[start..<end])
                start = end + 1
                guard line.starts(with: "Vm".utf8) || line.starts(with: "Rss".utf8) else { continue }
                let bytes = line.reduce(0) { $1 >= 48 && $1 < 58 ? $0 * 10 + Int($1 - 48) : $0 } << 10
                if line.starts(with: "VmData:".utf8) {
                    size = bytes
                    isWhole = true
                } else if line.starts(with: "VmHWM:".utf8) {
                    highest = bytes
                } else if line.starts(with: "RssAnon:".utf8) {
                    inUse = bytes
                } else if line.starts(with: "RssFile:".utf8) || line.starts(with: "RssShmem:".utf8) {
                    shared += bytes
                }
            }
            if !isWhole { return nil }
        }
    }

    /// The most private memory that a process had in use, from what it had each time it was looked at.
    struct Peak {
        private var base: Int?
        private var mostShared = 0
        /// Bytes beyond those of the first reading.
        private(set) var bytes = 0

        /// Takes a reading.
        ///
        /// - Returns: Whether it is a new peak.
        mutating func take(_ reading: Reading) -> Bool {
            mostShared = max(mostShared, reading.shared)
            guard let base else {
                base = reading.inUse
                return false
            }
            // What was in use between two readings shows in the highest sum, unless files took as much of it before.
            let beyond = max(reading.inUse, reading.highest - mostShared) - base
            guard beyond > bytes else { return false }
            bytes = beyond
            return true
        }
    }

    /// Reads what a process has.
    ///
    /// - Parameter process: The number of the process, or `self`.
    /// - Returns: nil when it is gone.
    static func read(_ process: String) -> Reading? {
        let file = open("/proc/\(process)/status", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: 8192, alignment: 1) { buffer in
            let count = Foundation.read(file, buffer.baseAddress, buffer.count)
            return count > 0 ? Reading(UnsafeRawBufferPointer(rebasing: buffer[..<count])) : nil
        }
    }

    /// Lets this process have so many bytes beyond those it has, for good.
    static func limit(to bytes: Int) {
        guard let size = read("self")?.size else { return }
        var limit = rlimit(rlim_cur: rlim_t(size + bytes), rlim_max: rlim_t(size + bytes))
        setrlimit(__rlimit_resource_t(RLIMIT_DATA.rawValue), &limit)
    }

    /// Gives new threads a stack as on an iPhone, not the 8 MiB of a Linux shell, which count as memory.
    static func keepStacksSmall() {
        // The C library's function is not in Swift's Glibc.
        typealias Function = @convention(c) (UnsafePointer<pthread_attr_t>) -> Int32
        guard let symbol = dlsym(nil, "pthread_setattr_default_np") else { return }
        let setDefault = unsafeBitCast(symbol, to: Function.self)
        withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { buffer in
            guard let attributes = buffer.baseAddress, pthread_attr_init(attributes) == 0 else { return }
            pthread_attr_setstacksize(attributes, stackSize)
            _ = setDefault(attributes)
            pthread_attr_destroy(attributes)
        }
    }

    /// That of a thread beside the main one.
    static let stackSize = 512 << 10
}
