// SPDX-License-Identifier: MIT

/// One of several extensions that share a directory, and the numbers that are its.
///
/// A number's shard depends on the number and on how many shards there are, on nothing else: from one version of a list
/// to the next no number moves. When an app ships one more extension, one number in that many moves, to the new one.
public struct DirectoryShard: Hashable, Sendable, Codable {
    /// Which shard, from 0.
    public let index: Int
    /// How many there are, at most 64.
    public let count: Int

    /// The only shard: all numbers are its.
    public static let whole = DirectoryShard(uncheckedIndex: 0, count: 1)

    /// Names a shard; nil unless 0 ≤ index < count ≤ 64.
    public init?(index: Int, count: Int) {
        guard (1...64).contains(count), (0..<count).contains(index) else { return nil }
        self.init(uncheckedIndex: index, count: count)
    }

    private init(uncheckedIndex index: Int, count: Int) {
        self.index = index
        self.count = count
    }

    /// Whether a number is this shard's.
    @inlinable public func contains(_ number: Int64) -> Bool {
        count == 1 || DirectoryShard.index(of: number, count: count) == index
    }

    /// The shard of a number among `count`: jump consistent hashing (Lamping and Veach, 2014) of the mixed number.
    @inlinable public static func index(of number: Int64, count: Int) -> Int {
        // SplitMix64's finaliser: neighbours have nothing in common afterwards.
        var key = UInt64(bitPattern: number) &+ 0x9E37_79B9_7F4A_7C15
        key = (key ^ (key >> 30)) &* 0xBF58_476D_1CE4_E5B9
        key = (key ^ (key >> 27)) &* 0x94D0_49BB_1331_11EB
        key ^= key >> 31
        var (bucket, next): (Int64, Int64) = (-1, 0)
        while next < Int64(count) {
            bucket = next
            key = key &* 2_862_933_555_777_941_757 &+ 1
            next = Int64(Double(bucket &+ 1) * (Double(Int64(1) << 31) / Double((key >> 33) &+ 1)))
        }
        return Int(bucket)
    }
}
