// SPDX-License-Identifier: MIT

import Foundation

/// The directories of the apps' and App Groups' containers: real ones, below the temporary directory (R78).
///
/// While the files of a container cannot be read, each is kept aside, and a directory of its name stands in its place.
/// So it exists, as on an iPhone, and reading or replacing it fails (EISDIR), which no missing file does (ENOENT); a
/// superuser's process cannot be kept from a file by its mode.
final class Containers: Sendable {
    private let root: URL
    /// The containers whose files are kept aside.
    private let closed = Locked<Set<String>>([])

    /// Nothing is made on the disk before it is asked for.
    init(root: String) {
        self.root = URL(filePath: root, directoryHint: .isDirectory)
    }

    /// The directory of an app, made when it is asked for; nil when it cannot be made.
    func app(_ bundle: String) -> URL? { directory(Containers.name(ofApp: bundle)) }

    /// The directory of an app group, where the machine says it is.
    func group(path: String) -> URL? { directory("Shared/" + (path as NSString).lastPathComponent) }

    /// Removes an app's directory with all that is in it.
    func erase(_ bundle: String) {
        let name = Containers.name(ofApp: bundle)
        closed.withLock { closed in
            try? FileManager.default.removeItem(at: place(name))
            try? FileManager.default.removeItem(at: aside(name))
            closed.remove(name)
        }
    }

    /// Keeps the files of these containers aside, and puts those of all others back.
    func protect(_ bundles: Set<String>, groups: Bool) {
        closed.withLock { closed in
            var wanted = Set(bundles.map(Containers.name))
            if groups { wanted.formUnion(names(in: place("Shared")).map { "Shared/\($0)" }) }
            for name in closed.subtracting(wanted) { open(name) }
            for name in wanted.subtracting(closed) { close(name) }
            closed = wanted
        }
    }

    private static func name(ofApp bundle: String) -> String {
        "Containers/" + bundle.replacingOccurrences(of: "/", with: "_")
    }

    private func place(_ name: String) -> URL { root.appending(path: name, directoryHint: .isDirectory) }
    private func aside(_ name: String) -> URL { root.appending(path: "Protected/\(name)", directoryHint: .isDirectory) }

    // MARK: - Under the lock

    private func directory(_ name: String) -> URL? {
        closed.withLock { _ in
            let url = place(name)
            let isThere = (try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)) != nil
            return isThere ? url : nil
        }
    }

    private func names(in directory: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
    }

    private func files(in directory: URL) -> [String] {
        let names = FileManager.default.enumerator(atPath: directory.path)?.compactMap { $0 as? String } ?? []
        return names.filter { name in
            var isDirectory = false
            return exists(directory.appending(path: name), isDirectory: &isDirectory) && !isDirectory
        }
    }

    private func exists(_ url: URL, isDirectory: inout Bool) -> Bool {
        let type = try? FileManager.default.attributesOfItem(atPath: url.path)[.type] as? FileAttributeType
        isDirectory = type == .typeDirectory
        return type != nil
    }

    private func close(_ name: String) {
        let place = place(name)
        let aside = aside(name)
        for file in files(in: place) {
            let kept = aside.appending(path: file)
            try? FileManager.default.createDirectory(
                at: kept.deletingLastPathComponent(), withIntermediateDirectories: true)
            try? FileManager.default.moveItem(at: place.appending(path: file), to: kept)
            try? FileManager.default.createDirectory(
                at: place.appending(path: file), withIntermediateDirectories: false)
        }
    }

    private func open(_ name: String) {
        let place = place(name)
        let aside = aside(name)
        for file in files(in: aside) {
            try? FileManager.default.removeItem(at: place.appending(path: file))
            try? FileManager.default.moveItem(at: aside.appending(path: file), to: place.appending(path: file))
        }
        try? FileManager.default.removeItem(at: aside)
    }
}
