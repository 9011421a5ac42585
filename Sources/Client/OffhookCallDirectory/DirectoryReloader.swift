// SPDX-License-Identifier: MIT

public import CallKit
import Dispatch
import Foundation
public import OffhookCore
public import OffhookDirectory

/// The app's side of Call Directory: publishes lists, has the phone load them, and says what stands in the way.
///
/// One reload of an extension at a time, the parts of a load one after the other, wishes that come together as one reload,
/// and longer and longer waits after failures (``ReloadSchedule``).
public actor DirectoryReloader {
    /// How one extension stands.
    public struct Standing: Hashable, Sendable {
        /// The extension's bundle identifier.
        public var identifier: String
        /// The switch in Settings, which says nothing about the list (D8); nil when the phone did not say in time.
        public var isEnabled: Bool?
        /// Whether the phone has the published list, as far as is known.
        public var isLoaded: Bool
        /// How the last reload went; nil before the first.
        public var lastResult: LoadResult?
    }

    /// How to reload.
    public struct Settings: Sendable {
        /// When to reload.
        public var policy = ReloadSchedule.Policy()
        /// How long an answer of the phone is waited for: a load of millions takes minutes, and some answers never come
        /// (bug 14).
        public var timeout: TimeSpan = .seconds(600)

        /// Makes the defaults.
        public init() {}
    }

    private let folder: DirectoryFolder
    private let identifiers: [String]
    private let settings: Settings
    private let manager: CXCallDirectoryManager
    private let sleep: @Sendable (TimeSpan) async throws -> Void
    private var schedules: [ReloadSchedule]
    private var results: [LoadResult?]
    private let start = DispatchTime.now().uptimeNanoseconds
    /// The latest moment that a wait ended at: a test's `sleep` may not wait.
    private var elapsed = TimeSpan.zero

    /// Makes the app's side.
    ///
    /// - Parameters:
    ///   - folder: The folder shared with the extensions.
    ///   - extensions: Their bundle identifiers, in the order of their shards; 1 to 64.
    ///   - settings: How to reload.
    ///   - manager: The phone's manager.
    ///   - sleep: Waits between reloads; for tests.
    /// - Precondition: There is an extension, and at most 64.
    public init(
        folder: DirectoryFolder, extensions: [String], settings: Settings = Settings(),
        manager: CXCallDirectoryManager = .sharedInstance,
        sleep: @escaping @Sendable (TimeSpan) async throws -> Void = DirectoryReloader.sleep
    ) {
        precondition((1...64).contains(extensions.count), "name 1 to 64 extensions")
        self.folder = folder
        identifiers = extensions
        self.settings = settings
        self.manager = manager
        self.sleep = sleep
        schedules = extensions.map { _ in ReloadSchedule(policy: settings.policy) }
        results = extensions.map { _ in nil }
    }

    /// Publishes a compiled list; ``reload()`` has the phone load it.
    ///
    /// - Throws: ``DirectoryFolderError``; what was published before stays then.
    public func publish(_ file: URL) throws(DirectoryFolderError) {
        try folder.publish(file, extensions: identifiers.count)
    }

    /// Has the phone load what is published, until every extension has it or nothing more can be done.
    ///
    /// - Returns: How each extension stands, in the order of shards.
    /// - Throws: ``DirectoryFolderError``, or `CancellationError`.
    public func reload() async throws -> [Standing] {
        _ = try folder.target()
        for index in identifiers.indices { try await reload(index) }
        folder.tidy(extensions: identifiers.count)
        return await standings()
    }

    /// Waits for a time span.
    public static func sleep(_ span: TimeSpan) async throws {
        try await Task.sleep(nanoseconds: UInt64(max(0, span.milliseconds)) * 1_000_000)
    }

    /// The time since the reloader was made.
    private var now: TimeSpan {
        max(elapsed, .milliseconds((DispatchTime.now().uptimeNanoseconds - start) / 1_000_000))
    }

    private func reload(_ index: Int) async throws {
        var effects = schedules[index].handle(.wanted, at: now)
        if effects.contains(.askToEnable), await isEnabled(identifiers[index]) == true {
            effects = schedules[index].handle(.enabled(true), at: now)
        }
        while true {
            if effects.contains(.reload) {
                let result = try await load(index)
                results[index] = result
                let target = try folder.target()
                let isComplete = folder.state(of: index).has(target)
                effects = schedules[index].handle(.finished(result, isComplete: isComplete), at: now)
                continue
            }
            guard let deadline = schedules[index].deadline else { return }
            if case .stored = results[index], folder.state(of: index).has(try folder.target()) { return }
            try await sleep(max(.zero, deadline - now))
            elapsed = max(elapsed, deadline)
            effects = schedules[index].handle(.tick, at: now)
        }
    }

    private func load(_ index: Int) async throws -> LoadResult {
        let requests = folder.state(of: index).requests
        let result =
            await answer { done in
                self.manager.reloadExtension(withIdentifier: self.identifiers[index]) { error in
                    let error = error.map { $0 as NSError }
                    done(error.map { LoadResult(domain: $0.domain, code: $0.code) } ?? .stored)
                }
            } ?? .timedOut
        try folder.change(index) { state in
            // A reload that returned without an error although the extension said that its time was over: nothing was
            // stored (D5), and the extension has noted it.
            state.finish(result, hasBegun: state.requests != requests)
        }
        return folder.state(of: index).failures > 0 && result == .stored ? .expired : result
    }

    /// How each extension stands.
    public func standings() async -> [Standing] {
        var standings: [Standing] = []
        for (index, identifier) in identifiers.enumerated() {
            let isEnabled = await isEnabled(identifier)
            let target = try? folder.target()
            standings.append(
                Standing(
                    identifier: identifier, isEnabled: isEnabled,
                    isLoaded: target.map { folder.state(of: index).has($0) } ?? false, lastResult: results[index]))
        }
        return standings
    }

    /// The switch in Settings; nil when the phone did not say in time.
    private func isEnabled(_ identifier: String) async -> Bool? {
        let isEnabled: Bool?? = await answer { done in
            self.manager.getEnabledStatusForExtension(withIdentifier: identifier) { status, _ in
                switch status {
                case .enabled: done(true)
                case .disabled: done(false)
                case .unknown: done(nil)
                @unknown default: done(nil)
                }
            }
        }
        return isEnabled ?? nil
    }

    /// Opens the place in Settings where the user switches the extensions on.
    ///
    /// - Throws: The phone's error. From iOS 26 on Settings may open at its top (D8).
    public func openSettings() async throws {
        try await manager.openSettings()
    }

    /// Waits for one answer of the phone, at most as long as the settings say; nil when none came.
    private func answer<Value: Sendable>(_ ask: (@escaping @Sendable (Value) -> Void) -> Void) async -> Value? {
        let (stream, continuation) = AsyncStream.makeStream(of: Value?.self, bufferingPolicy: .bufferingOldest(1))
        let timeout = Task { [settings] in
            try await DirectoryReloader.sleep(settings.timeout)
            continuation.yield(nil)
        }
        defer { timeout.cancel() }
        ask { continuation.yield($0) }
        for await value in stream { return value }
        return nil
    }
}
