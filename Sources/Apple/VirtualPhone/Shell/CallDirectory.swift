// SPDX-License-Identifier: MIT

import Foundation

/// The caller identification of a ``VirtualPhone``: the user's switches, what is stored, and a bench for extensions.
public struct CallDirectory: Sendable {
    let phone: VirtualPhone

    // MARK: - What the user does

    /// Switches an extension in Settings; switching it on loads it (D8).
    public func setEnabled(_ extensionIdentifier: String, _ isEnabled: Bool) {
        phone.handle(.directory(.enabled(extensionIdentifier: extensionIdentifier, isEnabled)))
    }

    /// Whether the user has an extension switched on; says nothing of a load (D8).
    public func isEnabled(_ extensionIdentifier: String) -> Bool {
        read { $0.extensions[extensionIdentifier]?.isEnabled ?? false }
    }

    /// Puts the extensions into an order: the first that knows a number decides (D9).
    public func setOrder(_ extensionIdentifiers: [String]) {
        phone.handle(.directory(.ordered(extensionIdentifiers)))
    }

    /// Resets all settings: a corrupt database is empty and sound again, and every extension is off (P49).
    public func resetAllSettings() {
        phone.handle(.directory(.resetAllSettings))
    }

    /// What openSettings brought up last; nil while it brought up nothing (D8).
    public var settingsPage: SettingsPage? {
        read(\.settingsPage)
    }

    // MARK: - Loads

    /// Lets the next load of an extension ask for the whole list, whatever was stored before (D1).
    public func requestFullLoad(of extensionIdentifier: String) {
        phone.handle(.directory(.fullRequest(extensionIdentifier: extensionIdentifier)))
    }

    /// Loads an extension by the system's own wish, and waits until the load is over.
    ///
    /// Virtual time moves to the moment when everything is taken or the load expires, as soon as the extension has
    /// completed its request.
    ///
    /// - Parameters:
    ///   - extensionIdentifier: The extension.
    ///   - timeout: How long the extension may work, in real time; then virtual time moves on all the same.
    /// - Returns: What became of it; nil when the load was refused: the extension is off, not there, being loaded, or
    ///   the database is corrupt.
    public func load(
        _ extensionIdentifier: String, timeout: Duration = .seconds(60)
    ) async -> DirectoryLoadReport? {
        let before = phone.state.withLock { state in
            state.core.directory.reports.count
        }
        phone.handle(.directory(.load(extensionIdentifier: extensionIdentifier)))
        return await finish(extensionIdentifier, since: before, timeout: timeout)
    }

    /// Waits until no load of the extension goes on; virtual time moves as in ``load(_:timeout:)``.
    ///
    /// - Returns: The last load; nil when there was none.
    @discardableResult
    public func finishLoading(
        _ extensionIdentifier: String, timeout: Duration = .seconds(60)
    ) async -> DirectoryLoadReport? {
        await finish(extensionIdentifier, since: 0, timeout: timeout)
    }

    private func finish(_ identifier: String, since: Int, timeout: Duration) async -> DirectoryLoadReport? {
        let limit = ContinuousClock.now + timeout
        func current() -> DirectoryLoad? {
            read { $0.loads.values.first { $0.identifier == identifier } }
        }
        while let load = current() {
            let rest = limit - ContinuousClock.now
            if load.completion == nil, rest > .zero {
                try? await phone.wait(for: { _ in self.hasCompleted(identifier) }, timeout: rest)
                continue
            }
            guard let end = load.endDate else { break }
            await phone.advance(by: .seconds(max(0, end.timeIntervalSince(phone.now))))
        }
        await phone.settle()
        return loads.dropFirst(since).last { $0.extensionIdentifier == identifier }
    }

    /// Whether the extension has nothing more to do, or is not being loaded.
    private func hasCompleted(_ identifier: String) -> Bool {
        read { directory in
            directory.loads.values.first { $0.identifier == identifier }.map { $0.completion != nil } ?? true
        }
    }

    /// The loads that are over, oldest first.
    public var loads: [DirectoryLoadReport] {
        read(\.reports)
    }

    /// Whether an extension is being loaded.
    public func isLoading(_ extensionIdentifier: String) -> Bool {
        read { $0.loads.values.contains { $0.identifier == extensionIdentifier } }
    }

    /// How many entries and removals an extension has given in the load that goes on; 0 when none does.
    public func received(from extensionIdentifier: String) -> Int {
        read { $0.loads.values.first { $0.identifier == extensionIdentifier }?.changeCount ?? 0 }
    }

    // MARK: - What is stored

    /// How many entries the phone has of an extension, switched on or not.
    public func counts(of extensionIdentifier: String) -> DirectoryCounts {
        read { directory in
            let record = directory.extensions[extensionIdentifier]
            return DirectoryCounts(
                blocking: record?.blocking.count ?? 0, identification: record?.identification.count ?? 0)
        }
    }

    /// The numbers that an extension blocks, ascending.
    public func blocked(by extensionIdentifier: String) -> [Int64] {
        read { $0.extensions[extensionIdentifier]?.blocking.numbers ?? [] }
    }

    /// The labels that an extension gave, by ascending number.
    public func identified(by extensionIdentifier: String) -> [DirectoryLabel] {
        let list = read { $0.extensions[extensionIdentifier]?.identification ?? DirectoryList() }
        return zip(list.numbers, list.labels).map { DirectoryLabel(number: $0, label: list.table[$1]) }
    }

    /// The labels of one number, in the order they were added.
    public func labels(of number: Int64, by extensionIdentifier: String) -> [String] {
        read { $0.extensions[extensionIdentifier]?.identification.labels(of: number) ?? [] }
    }

    // MARK: - Callers

    /// What the phone would do with a call from a number (D9).
    ///
    /// - Parameters:
    ///   - number: A phone number, with or without "+".
    ///   - caller: Who calls (I9).
    /// - Returns: Whether the phone would ring, and what it would show.
    public func decision(for number: String, caller: DirectoryCaller = .cellular) -> DirectoryDecision {
        phone.state.withLock { state in
            state.core.directoryDecision(for: HandleValue(type: HandleValue.phoneNumber, value: number), caller: caller)
        }
    }

    private func read<Value>(_ body: (DirectoryState) -> Value) -> Value {
        phone.state.withLock { body($0.core.directory) }
    }
}

extension VirtualPhone {
    /// The phone's caller identification.
    public var callDirectory: CallDirectory { CallDirectory(phone: self) }
}
