// SPDX-License-Identifier: MIT

import Foundation

/// The phone's caller identification: extensions, what they gave, and the loads that go on.
struct DirectoryState: Hashable, Sendable {
    /// By identifier; an extension outlives its app for a time.
    var extensions: [String: DirectoryExtension] = [:]
    /// The user's order: the first that knows a number decides.
    var order: [String] = []
    /// The loads that go on, by process.
    var loads: [UUID: DirectoryLoad] = [:]
    /// The loads that are over, oldest first.
    var reports: [DirectoryLoadReport] = []
    /// Processes whose load is over and that have one more thing to hear.
    var endingProcesses: Set<UUID> = []
    /// Every load fails and nobody is found (P49).
    var isCorrupt = false
    var loadCount = 0
    var nextFailures: [DirectoryOperation: PhoneError] = [:]
    var isSilent = false
    var settingsPage: SettingsPage?
}

/// What the phone keeps about an extension.
struct DirectoryExtension: Hashable, Sendable {
    /// The app it belongs to; nil once the app is gone.
    var app: String?
    var isEnabled = false
    /// A load has been stored since it was switched on: the next may be incremental (D1).
    var isCurrent = false
    var blocking = DirectoryList()
    var identification = DirectoryList()
    /// When the entries of a removed app are dropped.
    var purgeDate: Date?

    var count: Int { blocking.count + identification.count }
}

/// One run of an extension.
struct DirectoryLoad: Hashable, Sendable {
    struct Request: Hashable, Sendable {
        var process: UUID
        var id: UUID
    }

    var process: UUID
    var context: UUID
    var identifier: String
    var startedAt: Date
    /// Who asked for it; nobody when the system did.
    var request: Request?
    /// What isIncremental says.
    var offersIncremental: Bool
    var wasIncrementalRead = false
    var hasDelegate = false
    var hasPrincipal = false
    var blocking = DirectoryChanges()
    var identification = DirectoryChanges()
    /// The completion of completeRequest, once called.
    var completion: UUID?
    /// When the load ends: everything is taken, or the time is over.
    var endDate: Date?
    /// Whether that is because the time is over (D5).
    var expires = false
    var peakMemory: Int?

    var isIncremental: Bool { wasIncrementalRead && offersIncremental }
    var addedCount: Int { blocking.added.count + identification.added.count }
    var changeCount: Int { addedCount + blocking.removalCount + identification.removalCount }
}

extension PhoneErrors {
    /// CXErrorCodeCallDirectoryManagerError (D6).
    static func directory(_ code: Int) -> PhoneError {
        PhoneError(domain: "com.apple.CallKit.error.calldirectorymanager", code: code)
    }
    /// The database's own errors: 11 corrupt, 19 a constraint (P49, D10).
    static func directoryDatabase(_ code: Int) -> PhoneError {
        PhoneError(domain: "com.apple.callkit.database.sqlite", code: code)
    }
}
