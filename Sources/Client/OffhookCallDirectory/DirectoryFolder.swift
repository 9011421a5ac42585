// SPDX-License-Identifier: MIT

public import Foundation
public import OffhookDirectory

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The folder that an app shares with its Call Directory extensions: the published list, the lists that the phone still
/// has, and what is known of each load.
///
/// It lies in the app group's container. Everything in it is replaced by renames, and changes of one state are made under
/// a file lock: app and extensions may use it at the same time, and may be killed at any moment.
public struct DirectoryFolder: Sendable {
    /// What is published.
    struct Target: Codable {
        var version: LoadState.Version
    }

    /// Where it is.
    public let url: URL

    /// Names the folder; it is made by ``publish(_:extensions:)``.
    public init(_ url: URL) {
        self.url = url
    }

    /// Copies a list into the folder and makes it the one that the phone is to have.
    ///
    /// - Parameters:
    ///   - file: A compiled directory; it is checked block by block first.
    ///   - extensions: How many extensions the app has; a number belongs to the same one as long as this stays the same.
    /// - Returns: The version that the phone is to have.
    /// - Throws: ``DirectoryFolderError``; what was published before stays then.
    @discardableResult
    public func publish(_ file: URL, extensions: Int) throws(DirectoryFolderError) -> LoadState.Version {
        let source = try open(file)
        do throws(DirectoryFileError) { try source.verify() } catch {
            throw .badFile(path: file.path, error)
        }
        let needed = DirectoryCapacity.extensions(for: source.summary)
        guard let needed, needed <= extensions else {
            let entries = source.summary.blocked.addingReportingOverflow(source.summary.identifications)
            throw .tooManyEntries(
                entries: entries.overflow ? .max : entries.partialValue, extensions: extensions, needed: needed)
        }
        let version = LoadState.Version(fingerprint: source.summary.fingerprint, shards: extensions)
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
            let target = place(of: version.fingerprint)
            if !FileManager.default.fileExists(atPath: target.path) {
                let temporary = url.appendingPathComponent(".\(UUID().uuidString).new")
                try FileManager.default.copyItem(at: file, to: temporary)
                try flush(temporary)
                guard rename(temporary.path, target.path) == 0 else {
                    throw DirectoryFolderError.unwritable(path: target.path, reason: String(cString: strerror(errno)))
                }
            }
            try write(Target(version: version), to: url.appendingPathComponent("target.json"))
        } catch let error as DirectoryFolderError {
            throw error
        } catch {
            throw .unwritable(path: url.path, reason: error.localizedDescription)
        }
        return version
    }

    /// The version that the phone is to have.
    ///
    /// - Throws: ``DirectoryFolderError/empty(path:)`` before the first ``publish(_:extensions:)``.
    public func target() throws(DirectoryFolderError) -> LoadState.Version {
        let file = url.appendingPathComponent("target.json")
        guard let data = try? Data(contentsOf: file) else { throw .empty(path: url.path) }
        guard let target = try? JSONDecoder().decode(Target.self, from: data) else {
            throw .unreadable(path: file.path, reason: "not what publish(_:) wrote; publish again")
        }
        return target.version
    }

    /// Whether the list of a version is still there.
    public func has(_ version: LoadState.Version) -> Bool {
        FileManager.default.fileExists(atPath: place(of: version.fingerprint).path)
    }

    /// Opens the list of a version.
    ///
    /// - Throws: ``DirectoryFolderError``.
    public func file(of version: LoadState.Version) throws(DirectoryFolderError) -> DirectoryFile {
        try open(place(of: version.fingerprint))
    }

    private func open(_ file: URL) throws(DirectoryFolderError) -> DirectoryFile {
        let bytes = try MappedFile(path: file.path)
        do throws(DirectoryFileError) { return try DirectoryFile(bytes) } catch {
            throw .badFile(path: file.path, error)
        }
    }

    private func place(of fingerprint: UInt64) -> URL {
        url.appendingPathComponent("\(String(fingerprint, radix: 16)).directory")
    }

    // MARK: - States

    /// What is known of an extension's list on the phone.
    ///
    /// - Parameter index: The extension's ``DirectoryShard/index``.
    /// - Returns: The state; one that cannot be read counts as unknown.
    public func state(of index: Int) -> LoadState {
        guard let data = try? Data(contentsOf: stateFile(index)) else { return LoadState() }
        return (try? JSONDecoder().decode(LoadState.self, from: data)) ?? LoadState()
    }

    /// Changes a state; no other process changes it meanwhile.
    ///
    /// - Throws: ``DirectoryFolderError/unwritable(path:reason:)``; the state is unchanged then.
    public func change<Result>(
        _ index: Int, _ body: (inout LoadState) -> Result
    ) throws(DirectoryFolderError) -> Result {
        let path = url.appendingPathComponent("state-\(index).lock").path
        let lock = Self.openLock(path)
        guard lock >= 0 else { throw .unwritable(path: path, reason: String(cString: strerror(errno))) }
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0 {
            guard errno == EINTR else { throw .unwritable(path: path, reason: String(cString: strerror(errno))) }
        }
        var state = state(of: index)
        let before = state
        let result = body(&state)
        if state != before {
            do { try write(state, to: stateFile(index)) } catch {
                throw .unwritable(path: stateFile(index).path, reason: error.localizedDescription)
            }
        }
        return result
    }

    /// Removes the lists that neither the phone nor the next load needs.
    ///
    /// - Parameter extensions: How many extensions have a state.
    public func tidy(extensions: Int) {
        guard let target = try? target() else { return }
        var needed: Set<UInt64> = [target.fingerprint]
        for index in 0..<extensions { needed.formUnion(state(of: index).fingerprints) }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        for name in names where name.hasSuffix(".directory") {
            guard let fingerprint = UInt64(name.dropLast(".directory".count), radix: 16) else { continue }
            if !needed.contains(fingerprint) {
                try? FileManager.default.removeItem(at: url.appendingPathComponent(name))
            }
        }
    }

    private func stateFile(_ index: Int) -> URL {
        url.appendingPathComponent("state-\(index).json")
    }

    private static func openLock(_ path: String) -> Int32 {
        #if canImport(Darwin)
            Darwin.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #else
            Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        #endif
    }

    private func write(_ value: some Encodable, to file: URL) throws {
        let temporary = url.appendingPathComponent(".\(UUID().uuidString).new")
        try JSONEncoder().encode(value).write(to: temporary)
        try flush(temporary)
        guard rename(temporary.path, file.path) == 0 else {
            throw DirectoryFolderError.unwritable(path: file.path, reason: String(cString: strerror(errno)))
        }
    }

    private func flush(_ file: URL) throws {
        let handle = try FileHandle(forUpdating: file)
        defer { try? handle.close() }
        try handle.synchronize()
    }
}

extension LoadState {
    /// The lists that are needed to tell what changes.
    var fingerprints: Set<UInt64> {
        func of(_ content: Content) -> [UInt64] {
            switch content {
            case .unknown: return []
            case .whole(let version): return [version.fingerprint]
            case .partial(let old, let new, _): return [new.fingerprint] + (old.map { [$0.fingerprint] } ?? [])
            }
        }
        return Set(of(content) + (attempt.map { of($0.content) } ?? []))
    }
}
