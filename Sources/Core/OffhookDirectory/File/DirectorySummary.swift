// SPDX-License-Identifier: MIT

/// Counts what a directory file holds.
public struct DirectorySummary: Hashable, Sendable {
    /// Phone numbers, those in ranges included.
    public internal(set) var numbers: UInt64 = 0
    /// Numbers that are blocked.
    public internal(set) var blocked: UInt64 = 0
    /// Pairs of a number and a label: the identification entries a phone stores.
    public internal(set) var identifications: UInt64 = 0
    /// Stored items: single numbers and ranges.
    public internal(set) var items: UInt64 = 0
    /// Different labels.
    public internal(set) var labels = 0
    /// Different combinations of blocking and labels.
    public internal(set) var attributeSets = 0
    /// Blocks of entries.
    public internal(set) var blocks = 0
    /// The file's size in bytes.
    public internal(set) var bytes = 0
    /// Identifies the contents: two directories with the same entries have the same fingerprint and the same bytes.
    public internal(set) var fingerprint: UInt64 = 0
}
