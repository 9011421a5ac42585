// SPDX-License-Identifier: MIT

/// What a load onto a virtual phone came to.
struct LoadReport: Encodable {
    /// One extension's part in it.
    struct Share: Encodable {
        /// Its bundle identifier.
        var identifier: String
        /// Whether the phone has its share of the list.
        var isLoaded: Bool
        /// How its last request went.
        var result: String
        /// Numbers that it has the phone block.
        var blocked: Int
        /// Labels that it has the phone show.
        var labels: Int
        /// How many requests it took.
        var requests: Int
        /// Whether all of them sent changes alone.
        var isIncremental: Bool
        /// Entries given.
        var added: Int
        /// Entries taken away.
        var removed: Int
        /// What went wrong on the way, in words.
        var failures: [String]
        /// The most private memory beyond what it began with, in bytes; nil when it did not run.
        var peakMemory: Int?
    }

    /// Whether every extension has its share.
    var isLoaded: Bool
    /// Entries that the phone has.
    var entries: Int
    /// Entries given in this load.
    var added: Int
    /// Entries taken away in this load.
    var removed: Int
    /// Requests of all extensions.
    var requests: Int
    /// How long it took, in real time.
    var seconds: Double
    /// Entries given and taken away in a second.
    var changesPerSecond: Double
    /// The most that an extension needed, in bytes.
    var peakMemory: Int?
    /// In the order of shards.
    var extensions: [Share]

    init(extensions: [Share], seconds: Double) {
        self.extensions = extensions
        self.seconds = seconds
        isLoaded = extensions.allSatisfy(\.isLoaded)
        entries = extensions.reduce(0) { $0 + $1.blocked + $1.labels }
        added = extensions.reduce(0) { $0 + $1.added }
        removed = extensions.reduce(0) { $0 + $1.removed }
        requests = extensions.reduce(0) { $0 + $1.requests }
        changesPerSecond = seconds > 0 ? Double(added + removed) / seconds : 0
        peakMemory = extensions.compactMap(\.peakMemory).max()
    }
}
