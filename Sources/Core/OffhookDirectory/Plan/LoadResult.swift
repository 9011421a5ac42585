// SPDX-License-Identifier: MIT

/// How a load went, from the error of the reload or of the extension's request (D6).
public enum LoadResult: Hashable, Sendable, Codable {
    /// The phone has it.
    case stored
    /// The request took too long; nothing of it was stored, and no error was raised (D5).
    case expired
    /// Code 1 of the manager's domain: no such extension (P50).
    case noSuchExtension
    /// Code 2: the extension was ended, or took too much memory or time (P48).
    case interrupted
    /// Code 3: a number that does not come after the one before it.
    case outOfOrder
    /// Code 4: a number that was there already.
    case duplicate
    /// Code 5: more entries than the phone takes (D7).
    case tooManyEntries
    /// Code 6: the user has not switched the extension on.
    case disabled
    /// Code 7: another load of this extension goes on.
    case busy
    /// Code 8: removals in a request that had to be full.
    case removalInFullLoad
    /// Code 102, or another one that says that the extension could not be run.
    case unavailable
    /// The system's database refused an entry that it has already (D10).
    case alreadyStored
    /// The system's database is damaged (P49).
    case databaseDamaged
    /// No answer came in time (bug 14).
    case timedOut
    /// Any other error: code 0, and codes that do not exist yet.
    case unknown(domain: String, code: Int)

    /// The domain of CXErrorCodeCallDirectoryManagerError.
    public static let managerDomain = "com.apple.CallKit.error.calldirectorymanager"
    /// The domain of the system's database.
    public static let databaseDomain = "com.apple.callkit.database.sqlite"

    /// Reads an error; the codes are those that Apple documents and that were seen besides.
    public init(domain: String, code: Int) {
        switch (domain, code) {
        case (LoadResult.managerDomain, 1): self = .noSuchExtension
        case (LoadResult.managerDomain, 2): self = .interrupted
        case (LoadResult.managerDomain, 3): self = .outOfOrder
        case (LoadResult.managerDomain, 4): self = .duplicate
        case (LoadResult.managerDomain, 5): self = .tooManyEntries
        case (LoadResult.managerDomain, 6): self = .disabled
        case (LoadResult.managerDomain, 7): self = .busy
        case (LoadResult.managerDomain, 8): self = .removalInFullLoad
        case (LoadResult.managerDomain, 102): self = .unavailable
        // SQLite's extended codes have the plain one in their low byte.
        case (LoadResult.databaseDomain, let code) where code & 0xFF == 19: self = .alreadyStored
        case (LoadResult.databaseDomain, let code) where code & 0xFF == 11: self = .databaseDamaged
        default: self = .unknown(domain: domain, code: code)
        }
    }

    /// What happened and what to do about it, in one sentence.
    public var description: String {
        switch self {
        case .stored: return "loaded"
        case .expired: return "the load took too long and was not kept: it is repeated in smaller parts"
        case .noSuchExtension: return "no such extension: check its bundle identifier and that the app embeds it"
        case .interrupted: return "the load was interrupted: it is repeated in smaller parts"
        case .outOfOrder: return "the numbers were out of order: the whole list is loaded again"
        case .duplicate: return "a number was there already: the whole list is loaded again"
        case .tooManyEntries: return "more entries than the phone takes: it is repeated in smaller parts"
        case .disabled: return "the user has to switch the extension on in Settings"
        case .busy: return "another load goes on: this one waits"
        case .removalInFullLoad: return "the phone asked for the whole list: it is loaded again"
        case .unavailable: return "the extension could not be run: it is tried again later"
        case .alreadyStored: return "the phone had an entry already: the whole list is loaded again"
        case .databaseDamaged:
            return "the phone's list of callers is damaged: only Settings, Reset All Settings helps"
        case .timedOut: return "no answer came: it is tried again later"
        case .unknown(let domain, let code): return "unknown error \(code) of \(domain): it is tried again later"
        }
    }
}

extension LoadResult: CustomStringConvertible {}
