// SPDX-License-Identifier: MIT

import Foundation

/// The repository these tests belong to, and commands run in it.
enum Repository {
    /// The repository's folder.
    static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// A file's text.
    static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Runs a command to its end and returns its exit code and everything it wrote.
    ///
    /// The command is a path in the repository, or an absolute one; the environment is whole, or nil for this process's.
    static func run(
        _ command: String, _ arguments: [String] = [], environment: [String: String]? = nil
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL =
            command.hasPrefix("/") ? URL(fileURLWithPath: command) : root.appendingPathComponent(command)
        process.arguments = arguments
        process.currentDirectoryURL = root
        if let environment { process.environment = environment }
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}

/// A folder that exists as long as a test.
final class TemporaryFolder {
    /// Where it is.
    let url: URL
    /// Where it is, as a path.
    var path: String { url.path }

    /// Makes a folder with some files.
    init(_ files: [String: String] = [:]) throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("offhook-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, text) in files { try write(text, to: path) }
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// Writes a file, and an executable one if asked.
    func write(_ text: String, to path: String, executable: Bool = false) throws {
        let file = url.appendingPathComponent(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
        if executable {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        }
    }
}
