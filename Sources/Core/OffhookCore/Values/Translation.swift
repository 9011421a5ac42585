// SPDX-License-Identifier: MIT

/// The languages of a call whose speech the phone translates (R118).
public struct Translation: Hashable, Sendable, Codable {
    /// This user's language, as a BCP 47 tag.
    public var localLanguage: String
    /// The other side's language, as a BCP 47 tag.
    public var remoteLanguage: String

    /// Makes a pair of languages.
    public init(localLanguage: String, remoteLanguage: String) {
        self.localLanguage = localLanguage
        self.remoteLanguage = remoteLanguage
    }
}
