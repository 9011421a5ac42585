// SPDX-License-Identifier: MIT

public import OffhookNet

/// The two worlds of APNs; tokens and newer keys belong to one of them.
public enum APNsEnvironment: String, Hashable, Sendable, CaseIterable {
    /// api.sandbox.push.apple.com: apps signed for development.
    case development
    /// api.push.apple.com: TestFlight and the App Store.
    case production
}

/// A provider key as Apple knows it: the public half of a `.p8` file and what the key may do.
public struct ProviderKey: Sendable {
    /// The 10-character id that a provider token names as `kid`.
    public var keyID: String
    /// The 10-character id of the team that owns the key, named by a provider token as `iss`.
    public var teamID: String
    /// The public half of the key.
    public var publicKey: ES256PublicKey
    /// The environments the key works in; keys made before 2025 work in both.
    public var environments: Set<APNsEnvironment>
    /// The topics the key is limited to; nil: every topic of its team.
    public var topics: Set<String>?

    /// Makes a key, usually one for every topic of its team in both environments.
    public init(
        keyID: String, teamID: String, publicKey: ES256PublicKey,
        environments: Set<APNsEnvironment> = Set(APNsEnvironment.allCases), topics: Set<String>? = nil
    ) {
        self.keyID = keyID
        self.teamID = teamID
        self.publicKey = publicKey
        self.environments = environments
        self.topics = topics
    }
}
