// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import OffhookCallDirectory
import OffhookDirectory

/// This program as a Call Directory extension: what `offhook directory load` has the phone start.
struct DirectoryExtension {
    /// The first words of the arguments.
    private static let words = ["directory", "extension"]

    private let folder: DirectoryFolder
    private let shard: DirectoryShard

    /// Reads the arguments; nil when they are those of a command.
    init?(_ arguments: [String]) {
        guard arguments.starts(with: DirectoryExtension.words), arguments.count == 5, let index = Int(arguments[3]),
            let count = Int(arguments[4]), let shard = DirectoryShard(index: index, count: count)
        else { return nil }
        folder = DirectoryFolder(URL(fileURLWithPath: arguments[2], isDirectory: true))
        self.shard = shard
    }

    /// The arguments for an extension.
    static func arguments(folder: URL, index: Int, count: Int) -> [String] {
        words + [folder.path, "\(index)", "\(count)"]
    }

    /// Makes the principal object and serves the main queue until the phone ends the process.
    ///
    /// On the main actor from its beginning: the phone looks for the principal object once the main queue is served.
    @MainActor func serve() async {
        _ = Unmanaged.passRetained(Provider(DirectoryLoader(folder: folder, shard: shard)))
        // Not a sleep: that would take a thread.
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }

    /// What an app team writes.
    private final class Provider: CXCallDirectoryProvider {
        private let loader: DirectoryLoader

        init(_ loader: DirectoryLoader) {
            self.loader = loader
            super.init()
        }

        override func beginRequest(with context: CXCallDirectoryExtensionContext) {
            loader.beginRequest(with: context)
        }
    }
}
