// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet

@testable import Offhook

/// A disk in memory that can be locked and be full.
final class MemoryFiles: StoreFiles, Sendable {
    private struct State {
        var files: [String: [UInt8]] = [:]
        var changes: [String] = []
        var isLocked = false
        var isFull = false
    }

    private let state = Guarded(State())

    /// The files that there are.
    var files: [String: [UInt8]] {
        get { state.withLock { $0.files } }
        set { state.withLock { $0.files = newValue } }
    }

    /// The names of the files that were changed, in order.
    var changes: [String] { state.withLock { $0.changes } }

    /// Whether nothing can be read or written, as before the first unlock.
    func setLocked(_ locked: Bool) { state.withLock { $0.isLocked = locked } }

    /// Whether nothing more fits.
    func setFull(_ full: Bool) { state.withLock { $0.isFull = full } }

    func read(_ path: String) throws(StoreError) -> [UInt8]? {
        let (isLocked, bytes) = state.withLock { ($0.isLocked, $0.files[path]) }
        if isLocked { throw StoreError("locked", EPERM) }
        return bytes
    }

    func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        try change(path) { $0[path] = bytes }
    }

    func append(_ bytes: [UInt8], to path: String) throws(StoreError) {
        try change(path) { $0[path, default: []] += bytes }
    }

    func rename(_ path: String, to other: String) throws(StoreError) {
        try change(path) { files in
            if let bytes = files.removeValue(forKey: path) { files[other] = bytes }
        }
    }

    func removeFolder(_ path: String) throws(StoreError) {
        try change(path) { files in files = files.filter { !$0.key.hasPrefix(path + "/") } }
    }

    private func change(_ path: String, _ work: (inout [String: [UInt8]]) -> Void) throws(StoreError) {
        let number = state.withLock { state -> Int32 in
            if state.isLocked { return EPERM }
            if state.isFull { return ENOSPC }
            state.changes.append(path)
            work(&state.files)
            return 0
        }
        if number != 0 { throw StoreError("scripted", number) }
    }
}
