// SPDX-License-Identifier: MIT

/// An entry on its way from a list to the directory, of a fixed size, so that it can be sorted on disk.
struct SortRecord: Equatable {
    /// Calls are blocked.
    static let blocks: UInt16 = 1
    /// The numbers are taken out.
    static let excludes: UInt16 = 2

    var first: Int64
    var last: Int64
    var label: UInt32
    /// The list's place in the order of lists.
    var source: UInt16
    var flags: UInt16
}
