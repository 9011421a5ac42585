// SPDX-License-Identifier: MIT

import CallKit
import Foundation
import OffhookCallDirectory
import OffhookDirectory

/// This program as a Call Directory extension: what directory.memory has the phone start.
enum DirectoryProcess {
    /// Where an extension has its entries from.
    enum Kind: String {
        case sqlite, text, json
    }

    /// The first argument of such a process.
    static let argument = "--directory-extension"

    /// The arguments of an extension that loads its share of the list in a folder.
    static func arguments(_ folder: URL, shard: Int, of count: Int) -> [String] {
        [argument, folder.path, "\(shard)", "\(count)"]
    }

    /// The arguments of an extension that gives the entries of a peer's file.
    static func arguments(_ file: URL, _ kind: Kind) -> [String] {
        [argument, file.path, kind.rawValue]
    }

    /// Serves as an extension until the phone ends the process.
    ///
    /// On the main actor from its beginning: the phone looks for the principal object once the main queue is served.
    @MainActor static func serve(_ arguments: [String]) async {
        let url = URL(fileURLWithPath: arguments[1])
        let provider: CXCallDirectoryProvider
        if arguments.count == 4, let index = Int(arguments[2]), let count = Int(arguments[3]),
            let shard = DirectoryShard(index: index, count: count)
        {
            provider = LoaderProvider(DirectoryLoader(folder: DirectoryFolder(url), shard: shard))
        } else {
            provider = PeerProvider(url, Kind(rawValue: arguments[2]) ?? .json)
        }
        _ = Unmanaged.passRetained(provider)
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
}

/// The loader as an extension.
private final class LoaderProvider: CXCallDirectoryProvider {
    private let loader: DirectoryLoader

    init(_ loader: DirectoryLoader) {
        self.loader = loader
        super.init()
    }

    override func beginRequest(with context: CXCallDirectoryExtensionContext) {
        loader.beginRequest(with: context)
    }
}

/// What apps do instead: a database or lines read one after the other, or the whole list decoded at once.
private final class PeerProvider: CXCallDirectoryProvider {
    private let file: URL
    private let kind: DirectoryProcess.Kind

    init(_ file: URL, _ kind: DirectoryProcess.Kind) {
        self.file = file
        self.kind = kind
        super.init()
    }

    override func beginRequest(with context: CXCallDirectoryExtensionContext) {
        func add(_ number: Int64, _ label: String?) {
            context.addBlockingEntry(withNextSequentialPhoneNumber: number)
            guard let label, !label.isEmpty else { return }
            context.addIdentificationEntry(withNextSequentialPhoneNumber: number, label: label)
        }
        do {
            switch kind {
            case .sqlite: try DirectoryDatabase(file).forEach(add)
            case .text: try SortedText(file: file).forEach(add)
            case .json:
                for entry in try JSONDecoder().decode([DirectoryPeers.Entry].self, from: Data(contentsOf: file)) {
                    add(entry.number, entry.label)
                }
            }
            context.completeRequest()
        } catch {
            context.cancelRequest(withError: error)
        }
    }
}
