// SPDX-License-Identifier: MIT

/// What loading a directory will take: how many entries each extension gets, and in how many requests.
public struct LoadPlan: Hashable, Sendable {
    /// One extension's part.
    public struct Share: Hashable, Sendable, Codable {
        /// The entries that it has in the end.
        public var entries = 0
        /// The calls that add one.
        public var adds = 0
        /// The calls that remove those of a number.
        public var removes = 0
        /// The requests that this takes; 0 when nothing changes.
        public var requests = 0

        // Calls of the request that goes on.
        fileprivate var open = 0

        private enum CodingKeys: CodingKey {
            case entries, adds, removes, requests
        }
    }

    /// In the order of the extensions.
    public private(set) var shares: [Share]

    /// Counts what a load does, in one walk through each list.
    ///
    /// - Parameters:
    ///   - old: What the phone has; nil stands for nothing.
    ///   - new: What it is to have.
    ///   - extensions: How many extensions share both lists, 1 to 64.
    ///   - chunk: The most calls of a request; nil for no limit. One number's calls are never divided.
    /// - Throws: ``DirectoryFileError`` when a file is damaged.
    public init(
        from old: DirectoryFile?, to new: DirectoryFile, extensions: Int, chunk: Int? = nil
    ) throws(DirectoryFileError) {
        let count = max(1, extensions)
        var shares = [Share](repeating: Share(), count: count)
        func shard(of number: Int64) -> Int { count == 1 ? 0 : DirectoryShard.index(of: number, count: count) }
        var cursor = new.entries()
        while let entry = try cursor.next() {
            let each = (entry.attributes.blocked ? 1 : 0) + entry.attributes.labels.count
            for number in entry.first...entry.last { shares[shard(of: number)].entries += each }
        }
        if let old {
            var difference = DirectoryDifference(from: old, to: new)
            while let change = try difference.next() {
                let calls = LoadCalls(change.before, change.after)
                for number in change.first...change.last { shares[shard(of: number)].take(calls, chunk: chunk) }
            }
        } else {
            var cursor = new.entries()
            while let entry = try cursor.next() {
                let calls = LoadCalls(.none, entry.attributes)
                for number in entry.first...entry.last { shares[shard(of: number)].take(calls, chunk: chunk) }
            }
        }
        self.shares = shares
    }
}

extension LoadPlan.Share {
    fileprivate mutating func take(_ calls: LoadCalls, chunk: Int?) {
        guard calls.count > 0 else { return }
        adds += calls.additions
        removes += calls.removals
        if requests == 0 {
            requests = 1
        } else if let chunk, open > 0, open + calls.count > chunk {
            requests += 1
            open = 0
        }
        open += calls.count
    }
}
