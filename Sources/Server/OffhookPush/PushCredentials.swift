// SPDX-License-Identifier: MIT

public import OffhookNet

/// The provider key that signs for a team, with the tokens made of it.
///
/// Copies share their provider tokens, so that one key makes one token per gateway however many senders use it:
/// Apple refuses a provider that changes its token more often than every 20 minutes.
public struct PushCredentials: Sendable {
    /// The 10-character id of the key, as Apple's developer site shows it.
    public let keyID: String
    /// The 10-character id of the team.
    public let teamID: String
    let key: ES256PrivateKey
    let tokens: ProviderTokens

    /// Makes credentials of a key in memory.
    ///
    /// - Parameters:
    ///   - keyID: The 10-character id of the key.
    ///   - teamID: The 10-character id of the team.
    ///   - key: The key.
    /// - Throws: A ``NetError`` of code `invalidArgument` when an id has other characters than letters and digits.
    public init(keyID: String, teamID: String, key: ES256PrivateKey) throws(NetError) {
        for (id, what) in [(keyID, "key id"), (teamID, "team id")] {
            let isWord = id.utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            }
            guard !id.isEmpty, isWord else {
                throw NetError(
                    .invalidArgument,
                    "the push \(what) \"\(id)\" is none; it has 10 letters and digits, as Apple's developer site shows it"
                )
            }
        }
        self.keyID = keyID
        self.teamID = teamID
        self.key = key
        tokens = ProviderTokens(keyID: keyID, teamID: teamID, key: key)
    }

    /// Makes credentials of a `.p8` file.
    ///
    /// - Parameters:
    ///   - keyID: The 10-character id of the key.
    ///   - teamID: The 10-character id of the team.
    ///   - path: The path of the file that Apple's developer site gave.
    /// - Throws: A ``NetError``: `invalidArgument` for an id that is none; `crypto` names the file, says what it is and what is expected.
    public init(keyID: String, teamID: String, path: String) throws(NetError) {
        try self.init(keyID: keyID, teamID: teamID, key: try ES256PrivateKey(path: path))
    }
}
