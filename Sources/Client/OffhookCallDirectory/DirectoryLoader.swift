// SPDX-License-Identifier: MIT

public import CallKit
public import Foundation
public import OffhookDirectory

/// The body of a Call Directory extension: gives the phone the published list, or what changed since the last load.
///
/// ```swift
/// final class Handler: CXCallDirectoryProvider {
///     private let loader = DirectoryLoader(folder: sharedFolder, shard: .whole)
///
///     override func beginRequest(with context: CXCallDirectoryExtensionContext) {
///         loader.beginRequest(with: context)
///     }
/// }
/// ```
///
/// Memory does not grow with the list: it is mapped, and read a block at a time. A load that takes too long or too much
/// is repeated in smaller parts; see ``LoadState``.
public final class DirectoryLoader: NSObject, Sendable {
    private let folder: DirectoryFolder
    private let shard: DirectoryShard
    private let current = RequestNumber()

    /// Makes a loader.
    ///
    /// - Parameters:
    ///   - folder: The folder that the app publishes in.
    ///   - shard: Which of the app's extensions this is.
    public init(folder: DirectoryFolder, shard: DirectoryShard) {
        self.folder = folder
        self.shard = shard
    }

    /// Carries out one request; the call returns when all entries were given.
    ///
    /// An error cancels the request: the phone keeps its list, and the app's reload returns the error.
    public func beginRequest(with context: CXCallDirectoryExtensionContext) {
        context.delegate = self
        do {
            try load(context)
        } catch {
            // Before the phone hears of it: its error then says nothing about the size of the load.
            _ = try? folder.change(shard.index) { $0.cancel() }
            context.cancelRequest(withError: DirectoryLoader.nsError(error))
        }
    }

    private func load(_ context: CXCallDirectoryExtensionContext) throws {
        let target = try folder.target()
        let (step, limit) = try folder.change(shard.index) { state in
            let step = state.step(
                toward: target, isAvailable: { folder.has($0) }, isIncremental: { context.isIncremental })
            current.value = state.requests
            return (step, state.chunk)
        }
        let request = current.value
        var receiver = ContextReceiver(context: context)
        var outcome = DirectoryLoad.Outcome()
        switch step {
        case .nothing: break
        case .full(let new):
            outcome = try DirectoryLoad(from: nil, to: folder.file(of: new), shard: share(of: new))
                .run(limit: limit, into: &receiver)
        case .changes(let old, let new, let number):
            let before = try old.map { (file: try folder.file(of: $0), shard: optionalShare(of: $0)) }
            outcome = try DirectoryLoad(
                from: before, to: folder.file(of: new), shard: share(of: new), after: number
            ).run(limit: limit, into: &receiver)
        }
        let done = outcome
        try folder.change(shard.index) { $0.begin(step, through: done.through, changes: done.changes) }
        context.completeRequest { [folder, shard] isExpired in
            // The process may end before this: the app's reload says how it went, too.
            // Or long after it, when the next request has begun, whose outcome this is not.
            _ = try? folder.change(shard.index) { state in
                if state.requests == request { state.finish(isExpired ? .expired : .stored) }
            }
        }
    }

    /// This extension's share of a version, which may have had fewer shards.
    private func optionalShare(of version: LoadState.Version) -> DirectoryShard? {
        DirectoryShard(index: shard.index, count: version.shards)
    }

    private func share(of version: LoadState.Version) -> DirectoryShard {
        optionalShare(of: version) ?? shard
    }

    private static func nsError(_ error: any Error) -> NSError {
        NSError(
            domain: "OffhookCallDirectory", code: 1,
            userInfo: [NSLocalizedDescriptionKey: "\(error)"])
    }
}

extension DirectoryLoader: CXCallDirectoryExtensionContextDelegate {
    /// Notes that a load failed, and why (D11).
    public func requestFailed(for extensionContext: CXCallDirectoryExtensionContext, withError error: any Error) {
        let error = error as NSError
        let request = current.value
        _ = try? folder.change(shard.index) { state in
            if state.requests == request { state.finish(LoadResult(domain: error.domain, code: error.code)) }
        }
    }
}

/// Which request of its extension a loader carries out.
private final class RequestNumber {
    private let lock = NSLock()
    private var number = 0

    var value: Int {
        get { lock.withLock { number } }
        set { lock.withLock { number = newValue } }
    }
}

// Protected by `lock`.
extension RequestNumber: @unchecked Sendable {}

/// Passes entries on to CallKit.
private struct ContextReceiver: DirectoryReceiver {
    let context: CXCallDirectoryExtensionContext

    func addBlocked(_ number: Int64) {
        context.addBlockingEntry(withNextSequentialPhoneNumber: number)
    }

    func addIdentification(_ number: Int64, label: String) {
        #if canImport(ObjectiveC)
            // The bridged label must not wait for the end of the request.
            autoreleasepool { context.addIdentificationEntry(withNextSequentialPhoneNumber: number, label: label) }
        #else
            context.addIdentificationEntry(withNextSequentialPhoneNumber: number, label: label)
        #endif
    }

    func removeBlocked(_ number: Int64) {
        context.removeBlockingEntry(withPhoneNumber: number)
    }

    func removeIdentification(_ number: Int64) {
        context.removeIdentificationEntry(withPhoneNumber: number)
    }
}
