// SPDX-License-Identifier: MIT

/// Somebody who can be called, as the server lists them.
public struct Peer: Hashable, Sendable, Codable, Identifiable {
    /// The user's id at the server.
    public var id: String
    /// The name to show.
    public var name: String
    /// Whether a device of the peer is connected now.
    public var isOnline: Bool
    /// Whether a call can reach the peer: connected, or with a push token.
    public var isReachable: Bool

    private enum CodingKeys: String, CodingKey {
        case id = "user"
        case name
        case isOnline = "online"
        case isReachable = "reachable"
    }

    /// Makes a peer.
    public init(id: String, name: String, isOnline: Bool = true, isReachable: Bool = true) {
        self.id = id
        self.name = name
        self.isOnline = isOnline
        self.isReachable = isReachable
    }
}
