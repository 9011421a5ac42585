// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// The folders of one demo: the one it writes to, which is its own as long as it runs, and one for its secrets.
final class DemoFolders: Sendable {
    /// Where the report and the recordings go.
    let output: String
    /// Where keys are that were made for this run; removed at the end, however the demo ends.
    let secrets: String
    private let lock: Int32

    /// Makes both folders.
    ///
    /// - Throws: ``EnvironmentError`` when one cannot be made, or another demo writes to the first.
    init(output: String) throws {
        self.output = output
        try Self.make(output)
        // A lock on the folder itself leaves nothing behind; a file system without locks must not be in the way.
        lock = open(output, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        if lock >= 0, flock(lock, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            close(lock)
            throw EnvironmentError(message: "another demo writes to \(output) now; name another folder with --out")
        }
        secrets =
            FileManager.default.temporaryDirectory.appendingPathComponent("offhook-demo-\(UUID().uuidString)").path
        do {
            try Self.make(secrets, mode: 0o700)
        } catch {
            if lock >= 0 { close(lock) }
            throw error
        }
    }

    /// Removes the secrets.
    func removeSecrets() {
        try? FileManager.default.removeItem(atPath: secrets)
    }

    deinit {
        removeSecrets()
        if lock >= 0 { close(lock) }
    }

    private static func make(_ path: String, mode: Int? = nil) throws {
        do {
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: true, attributes: mode.map { [.posixPermissions: $0] })
        } catch {
            throw EnvironmentError(
                message: "cannot make the folder \(path) (\(error.localizedDescription)); name another with --out")
        }
    }
}
