// SPDX-License-Identifier: MIT

/// What the phone does around the Call Directory where Apple's documents leave a question (D1-D11, I9).
public struct DirectorySettings: Hashable, Sendable, Codable {
    // MARK: - Limits
    /// How many entries one load may add, blocking and identification together; one more is code 5 (D7).
    public var entryLimit = 1_999_999
    /// How many entries an extension may have stored in all; nil is no limit, so that incremental loads add up (D7).
    public var storedEntryLimit: Int?
    /// How many entries the phone takes in a second; nil is all at once (D7).
    public var entriesPerSecond: Int? = 200_000
    /// How long a load may take before it expires; nil is for ever (D5).
    public var timeBudget: Duration? = .seconds(300)
    /// Bytes of memory that an extension in a process of its own may use beyond what it has when it connects; nil is
    /// no limit (P48).
    public var memoryLimit: Int? = 12 << 20

    // MARK: - Settings
    /// Whether a newly installed extension is switched on; Apple leaves that to the user (D8).
    public var enablesExtensions = false
    /// Whether switching an extension on loads it (D1).
    public var loadsWhenEnabled = true
    /// How long an extension's entries outlive the removal of its app.
    public var dataOutlivesApp: Duration = .seconds(86_400)
    /// Whether extensions are asked about callers of calling apps (I9).
    public var matchesVoIPCallers = false

    // MARK: - Loads
    /// Whether a number may have several labels; else the second one is code 4 (D3).
    public var allowsSeveralLabels = true
    /// Whether adding incrementally what is stored fails with a database error; else it changes nothing (D10).
    public var refusesStoredEntries = true
    /// Whether a load that is not incremental loses the stored list when it fails; else the list stays (D1, D3).
    public var fullLoadDeletesFirst = false
    /// The code of a removal in a load that is not incremental (D2).
    public var removalInFullLoadCode = 8
    /// The code of a number that is none: below 1, or above `CXCallDirectoryPhoneNumberMax` (D4).
    public var invalidNumberCode = 0
    /// The code of a load that its extension cancelled (D6).
    public var cancellationCode = 2
    /// How many loads the database stands before it is corrupt; nil is any number (P49).
    public var loadsBeforeCorruption: Int?

    /// Makes the defaults.
    public init() {}
}
