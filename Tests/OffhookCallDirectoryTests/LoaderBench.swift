// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import OffhookCallDirectory
import OffhookCore
import OffhookDirectory
import OffhookDirectoryCompiler
import Testing
import VirtualPhone

/// A phone with an app whose extensions are ``DirectoryLoader``s, and the folder they share.
final class LoaderBench: Sendable {
    let phone: VirtualPhone
    let folder: DirectoryFolder
    let extensions: [String]
    private let root: URL
    private let process = Locked<AppProcess?>(nil)

    init(extensions count: Int = 1, change: (inout DirectorySettings) -> Void = { _ in }) throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("loader-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        let folder = DirectoryFolder(root.appendingPathComponent("group"))
        self.folder = folder
        extensions = (0..<count).map { "com.example.app.directory\($0)" }
        var settings = PhoneSettings()
        settings.directory.entriesPerSecond = nil
        change(&settings.directory)
        phone = VirtualPhone(.init(settings: settings, seed: 1))
        let process = process
        phone.install(
            App(
                bundleIdentifier: "com.example.app", displayName: "App",
                callDirectoryExtensions: extensions.enumerated().map { index, identifier in
                    App.CallDirectoryExtension(bundleIdentifier: identifier) {
                        Handler(folder, DirectoryShard(index: index, count: count) ?? .whole)
                    }
                }
            ) { _ in
                process.withLock { $0 = AppProcess.current }
                return NSObject()
            })
        phone.open("com.example.app")
    }

    deinit {
        phone.shutDown()
        try? FileManager.default.removeItem(at: root)
    }

    func enable() async {
        for identifier in extensions {
            phone.callDirectory.setEnabled(identifier, true)
            await phone.callDirectory.finishLoading(identifier)
        }
    }

    /// Compiles a list and gives its file.
    func compile(_ list: String, purpose: ImportSource.Purpose = .block) throws -> URL {
        let file = root.appendingPathComponent("compiled.directory")
        let bytes = Locked(Array(list.utf8))
        let source = ImportSource(
            name: "list", format: .patterns, purpose: purpose, numbers: PhoneNumberOptions()
        ) { _ in
            bytes.withLock { bytes in
                defer { bytes = [] }
                return bytes
            }
        }
        let sink = try AtomicFile(path: file.path)
        _ = try DirectoryCompiler().compile([source], into: sink)
        try sink.finish()
        return file
    }

    /// Code of the app: what it asks of CallKit goes to this bench's phone.
    func inApp<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) async throws -> Result {
        await phone.settle()
        let app = try #require(process.withLock { $0 })
        return try await app.run { Task { try await body() } }.value
    }

    /// What the app team's code says after a reload.
    func reload(_ reloader: DirectoryReloader) async throws -> [DirectoryReloader.Standing] {
        try await inApp { try await reloader.reload() }
    }

    func reloader(timeout: TimeSpan = .seconds(60)) async throws -> DirectoryReloader {
        let (folder, extensions) = (folder, extensions)
        var settings = DirectoryReloader.Settings()
        settings.timeout = timeout
        let known = settings
        return try await inApp {
            DirectoryReloader(
                folder: folder, extensions: extensions, settings: known,
                manager: CXCallDirectoryManager.sharedInstance, sleep: { _ in })
        }
    }

    /// What all extensions together have the phone block.
    var blocked: [Int64] {
        extensions.flatMap { phone.callDirectory.blocked(by: $0) }.sorted()
    }
}

/// What an app team writes.
final class Handler: CXCallDirectoryProvider {
    private let loader: DirectoryLoader

    init(_ folder: DirectoryFolder, _ shard: DirectoryShard) {
        loader = DirectoryLoader(folder: folder, shard: shard)
        super.init()
    }

    override func beginRequest(with context: CXCallDirectoryExtensionContext) {
        loader.beginRequest(with: context)
    }
}
