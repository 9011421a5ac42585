// SPDX-License-Identifier: MIT

public import Foundation

/// What became of one load of a Call Directory extension.
public struct DirectoryLoadReport: Hashable, Sendable, Codable {
    /// How a load ended.
    public enum Outcome: Hashable, Sendable, Codable {
        /// Everything was stored.
        case stored
        /// The time was over: nothing of the request was stored, and no error was raised (D5).
        case expired
        /// Nothing of the request was stored (D3, D6).
        case failed(PhoneError)
    }

    /// The extension.
    public var extensionIdentifier: String
    /// When it was started, by the phone's clock.
    public var date: Date
    /// How long it took, by the phone's clock (D7).
    public var duration: Duration
    /// Whether the request was read as incremental (D1).
    public var isIncremental: Bool
    /// How many numbers to block the request added.
    public var blockingAdded: Int
    /// How many labels the request added.
    public var identificationAdded: Int
    /// How many removals the request asked for; removing all counts as one.
    public var removed: Int
    /// How it ended.
    public var outcome: Outcome
    /// The most bytes of private memory that the extension had in use, beyond those when it connected.
    ///
    /// Nil in this process. Looked at with every message, so that what a dying extension took last is missing.
    public var peakMemory: Int?

    /// The error of a failed load.
    public var error: PhoneError? {
        switch outcome {
        case .failed(let error): error
        case .stored, .expired: nil
        }
    }
}

/// How many entries the phone has of an extension.
public struct DirectoryCounts: Hashable, Sendable, Codable {
    /// Numbers to block.
    public var blocking: Int
    /// Labels; a number with two counts twice.
    public var identification: Int

    /// Makes counts.
    public init(blocking: Int, identification: Int) {
        self.blocking = blocking
        self.identification = identification
    }
}

/// A number and a label that the phone shows for it.
public struct DirectoryLabel: Hashable, Sendable, Codable {
    /// Country code and digits (D4).
    public var number: Int64
    /// What the phone shows.
    public var label: String

    /// Makes an entry.
    public init(number: Int64, label: String) {
        self.number = number
        self.label = label
    }
}

/// What the Settings app shows (D8).
public enum SettingsPage: String, Hashable, Sendable, Codable {
    /// The list of Call Directory extensions.
    case callBlocking
    /// The front page: from iOS 26 on the way to the list is the user's.
    case root
}
