// SPDX-License-Identifier: MIT

import OffhookCore

/// Who is signed in on this device: the content of the store's file `account`.
///
/// Four lines of text: `offhook-account 1`, the generation's number, `in` or `out`, and the account.
struct AccountFile: Hashable {
    /// The stay that is going on, or the last one.
    var generation: AccountGeneration
    /// Whether it is going on.
    var isSignedIn: Bool

    /// The stay of a device on which nobody has signed in by name.
    static let first = AccountFile(generation: AccountGeneration(account: "", number: 1), isSignedIn: true)

    init(generation: AccountGeneration, isSignedIn: Bool) {
        self.generation = generation
        self.isSignedIn = isSignedIn
    }

    /// Reads the content of the file.
    init(_ bytes: [UInt8]) throws(StorageDamage) {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        guard let first = lines.first, first.hasPrefix(AccountFile.title), lines.count == 4 else {
            throw bytes.isEmpty ? .truncated : .corrupted
        }
        guard let schema = Int(first.dropFirst(AccountFile.title.count)), schema >= 1 else { throw .corrupted }
        guard schema == 1 else { throw .newerSchema(schema) }
        guard let number = Int(lines[1]), number >= 1, ["in", "out"].contains(lines[2]),
            lines[3].last == "\n", lines[3].utf8.count <= 129
        else { throw .corrupted }
        self.init(
            generation: AccountGeneration(account: String(lines[3].dropLast()), number: number),
            isSignedIn: lines[2] == "in")
    }

    /// The content of the file.
    var bytes: [UInt8] {
        let life = isSignedIn ? "in" : "out"
        return Array("\(AccountFile.title)1\n\(generation.number)\n\(life)\n\(generation.account)\n".utf8)
    }

    private static let title = "offhook-account "
}

extension StorageDamage: Error {}
