// SPDX-License-Identifier: MIT

import Foundation

/// The files of a store, by their paths below its folder; bound to the engine queue.
///
/// Tests bring their own.
protocol StoreFiles: AnyObject {
    /// A file's bytes; nil when there is no such file.
    func read(_ path: String) throws(StoreError) -> [UInt8]?
    /// Puts a file in place of an earlier one: after a crash one or the other is there, whole.
    func replace(_ path: String, with bytes: [UInt8]) throws(StoreError)
    /// Adds bytes to a file's end, making the file when there is none; after a crash some of them may be missing.
    func append(_ bytes: [UInt8], to path: String) throws(StoreError)
    /// Gives a file another name, in place of an earlier file of that name; nothing when there is no such file.
    func rename(_ path: String, to other: String) throws(StoreError)
    /// Removes a folder with all that is in it; nothing when there is none.
    func removeFolder(_ path: String) throws(StoreError)
}

/// Why a file could not be read or written.
struct StoreError: Error, Hashable {
    /// The system's number: `errno`.
    var number: Int32
    /// What could not be done.
    var step: String

    init(_ step: String, _ number: Int32 = errno) {
        self.step = step
        self.number = number
    }

    /// Whether the disk is full.
    var isFull: Bool { number == ENOSPC || number == EDQUOT }
    /// What happened, for people; no path, which may name the user.
    var message: String { "\(step): \(String(cString: strerror(number))) (\(number))." }
}

/// Files on the disk, readable from the first unlock on (R78).
final class DiskFiles: StoreFiles {
    private let folder: URL

    /// Nothing is made on the disk before it is written to.
    init(_ folder: URL) {
        self.folder = folder
    }

    func read(_ path: String) throws(StoreError) -> [UInt8]? {
        let file = open(name(path), O_RDONLY | O_CLOEXEC)
        if file < 0 {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw StoreError("A file could not be opened")
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Foundation.read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            if count < 0 { throw StoreError("A file could not be read") }
            if count == 0 { return bytes }
            bytes += piece[..<count]
        }
    }

    func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        try makeFolder(of: path)
        let draft = name(path + ".new")
        try write(bytes, to: draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC)
        guard Foundation.rename(draft, name(path)) == 0 else { throw StoreError("A file could not be put in place") }
        try syncFolder(of: path)
    }

    func append(_ bytes: [UInt8], to path: String) throws(StoreError) {
        try makeFolder(of: path)
        try write(bytes, to: name(path), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC)
    }

    func rename(_ path: String, to other: String) throws(StoreError) {
        guard Foundation.rename(name(path), name(other)) == 0 else {
            if errno == ENOENT { return }
            throw StoreError("A file could not be renamed")
        }
        try syncFolder(of: path)
    }

    func removeFolder(_ path: String) throws(StoreError) {
        let url = folder.appendingPathComponent(path)
        guard access(url.path, F_OK) == 0 else { return }
        do {
            try FileManager.default.removeItem(at: url)
        } catch {
            throw StoreError("A folder could not be removed", EIO)
        }
    }

    private func name(_ path: String) -> String { folder.appendingPathComponent(path).path }

    /// Makes the folder in which a file is to be, with the protection that its files inherit.
    private func makeFolder(of path: String) throws(StoreError) {
        let place = folder.appendingPathComponent(path).deletingLastPathComponent()
        guard access(place.path, F_OK) != 0 else { return }
        var attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        #if canImport(Darwin) && !os(macOS)
            attributes[.protectionKey] = FileProtectionType.completeUntilFirstUserAuthentication
        #endif
        do {
            try FileManager.default.createDirectory(
                at: place, withIntermediateDirectories: true, attributes: attributes)
        } catch {
            throw StoreError("A folder could not be made", (error as NSError).underlyingNumber)
        }
    }

    private func write(_ bytes: [UInt8], to name: String, _ flags: Int32) throws(StoreError) {
        let file = open(name, flags, 0o600)
        guard file >= 0 else { throw StoreError("A file could not be opened for writing") }
        defer { close(file) }
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Foundation.write(file, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw StoreError("A file could not be written") }
            done += count
        }
        guard fsync(file) == 0 else { throw StoreError("A file could not be made to last") }
    }

    /// Makes a change of names last; not every file system can, and then it lasts as the others do.
    private func syncFolder(of path: String) throws(StoreError) {
        let place = folder.appendingPathComponent(path).deletingLastPathComponent()
        let file = open(place.path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw StoreError("A folder could not be opened") }
        defer { close(file) }
        guard fsync(file) == 0 || errno == EINVAL else { throw StoreError("A folder could not be made to last") }
    }
}

extension NSError {
    /// The system's number behind a Cocoa error; EIO when there is none.
    fileprivate var underlyingNumber: Int32 {
        if domain == NSPOSIXErrorDomain { return Int32(clamping: code) }
        let inner = userInfo[NSUnderlyingErrorKey] as? any Error
        guard let inner = inner.map({ $0 as NSError }), inner !== self else { return EIO }
        return inner.underlyingNumber
    }
}
