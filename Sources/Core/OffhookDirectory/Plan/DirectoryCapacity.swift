// SPDX-License-Identifier: MIT

/// How many entries fit the phone, and how many extensions a list needs (D7).
public enum DirectoryCapacity {
    /// The most entries of one extension, blocked numbers and labels together: 2,000,000 were refused, one less was
    /// loaded.
    public static let entriesPerExtension = 1_999_999

    /// The extensions that a list needs.
    ///
    /// Shares are even to a few in a thousand; a hundredth is left free for that and for growth between two versions.
    ///
    /// - Parameters:
    ///   - summary: The list.
    ///   - cap: The most entries of one extension.
    /// - Returns: nil when more than 64 would be needed, as for the numbers of a whole country: no phone takes that.
    public static func extensions(for summary: DirectorySummary, cap: Int = entriesPerExtension) -> Int? {
        let (entries, isTooLarge) = summary.blocked.addingReportingOverflow(summary.identifications)
        guard !isTooLarge, cap > 0 else { return nil }
        if entries <= UInt64(cap) { return 1 }
        let usable = UInt64(max(1, cap - cap / 100))
        let count = entries / usable + (entries % usable == 0 ? 0 : 1)
        return count <= 64 ? Int(count) : nil
    }

    /// The entries of one shard, counted.
    ///
    /// - Throws: ``DirectoryFileError`` when the file is damaged.
    /// - Complexity: O(numbers); ask ``extensions(for:cap:)`` first, which refuses lists too large to be counted.
    public static func entries(of shard: DirectoryShard, in file: DirectoryFile) throws(DirectoryFileError) -> Int {
        var count = 0
        var cursor = file.entries()
        while let entry = try cursor.next() {
            let each = (entry.attributes.blocked ? 1 : 0) + entry.attributes.labels.count
            for number in entry.first...entry.last where shard.contains(number) { count += each }
        }
        return count
    }
}
