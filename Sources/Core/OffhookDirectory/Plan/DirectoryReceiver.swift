// SPDX-License-Identifier: MIT

/// Takes the entries of a load: CallKit's extension context, or a model of it.
public protocol DirectoryReceiver {
    /// Blocks a number. Called in ascending order.
    mutating func addBlocked(_ number: Int64)
    /// Gives a number a label. Called in ascending order, several times for a number with several labels.
    mutating func addIdentification(_ number: Int64, label: String)
    /// Unblocks a number; only in incremental loads.
    mutating func removeBlocked(_ number: Int64)
    /// Takes all labels of a number away; only in incremental loads.
    mutating func removeIdentification(_ number: Int64)
}
