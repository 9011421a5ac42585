// SPDX-License-Identifier: MIT

/// What is known of the list that the phone keeps for one extension, and of the load that is on its way.
///
/// The extension stores it before it completes a request and again when it learns the outcome; the app stores it when the
/// reload returns. A process may end between any two of these: an attempt whose outcome nobody learned leads to a full
/// load, never to a list that is wrong.
public struct LoadState: Hashable, Sendable, Codable {
    /// One version of a directory as an extension's share: the file's fingerprint, and how many shards there were.
    public struct Version: Hashable, Sendable, Codable {
        /// ``DirectorySummary/fingerprint`` of the file.
        public var fingerprint: UInt64
        /// ``DirectoryShard/count``.
        public var shards: Int

        /// Names a version.
        public init(fingerprint: UInt64, shards: Int) {
            self.fingerprint = fingerprint
            self.shards = shards
        }
    }

    /// What the phone has.
    public enum Content: Hashable, Sendable, Codable {
        /// Nobody knows: before the first load, and after an outcome that was lost. Leads to a full load.
        case unknown
        /// A whole version.
        case whole(Version)
        /// The new version up to a number, and the old one after it; nil stands for nothing.
        case partial(old: Version?, new: Version, through: Int64)
    }

    /// A load that was handed to the phone, and whose outcome is not known yet.
    public struct Attempt: Hashable, Sendable, Codable {
        /// What the phone has if it took the load.
        public var content: Content
        /// Whether it replaces the whole list: the old list is gone even if it failed.
        public var isFull: Bool
        /// How many calls of add and remove it made.
        public var changes: Int

        /// Describes an attempt.
        public init(content: Content, isFull: Bool, changes: Int) {
            self.content = content
            self.isFull = isFull
            self.changes = changes
        }
    }

    /// A load that one process took for stored, in case the other learns that it was not.
    struct Taken: Hashable, Sendable, Codable {
        var attempt: Attempt
        var before: Content
    }

    /// What the phone has, as far as it is known.
    public internal(set) var content = Content.unknown
    /// The load on its way; nil when none is.
    public internal(set) var attempt: Attempt?
    /// The last load that was taken, with what the phone had before; until the next load begins.
    var taken: Taken?
    /// Whether an extension began a request that it has not given all its changes in yet.
    var isOpen = false
    /// How many requests extensions have begun: tells the app whether its reload came to that.
    public internal(set) var requests = 0
    /// The most changes to make in one load, learned from loads that were too large; nil: no limit is known.
    public internal(set) var chunk: Int?
    /// Loads that failed since the last one that did not.
    public internal(set) var failures = 0

    /// Makes the state of an extension that never loaded anything.
    public init() {}

    private enum CodingKeys: CodingKey {
        case content, attempt, taken, isOpen, requests, chunk, failures
    }

    /// Reads a state, an older one without some of the members too.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        content = try values.decode(Content.self, forKey: .content)
        attempt = try values.decodeIfPresent(Attempt.self, forKey: .attempt)
        taken = try values.decodeIfPresent(Taken.self, forKey: .taken)
        isOpen = try values.decodeIfPresent(Bool.self, forKey: .isOpen) ?? false
        requests = try values.decodeIfPresent(Int.self, forKey: .requests) ?? 0
        chunk = try values.decodeIfPresent(Int.self, forKey: .chunk)
        failures = try values.decode(Int.self, forKey: .failures)
    }
}
