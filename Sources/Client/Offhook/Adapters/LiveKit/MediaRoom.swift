// SPDX-License-Identifier: MIT

/// A room as the adapter uses it; LiveKit's Room behind a thin wrapper, or a double.
///
/// Methods return at once and are carried out in order; replies and reports come from any thread.
protocol MediaRoom: AnyObject, Sendable {
    /// Joins with a ticket.
    func join(_ ticket: RoomTicket)
    /// Publishes the microphone, or takes it back.
    func setPublishing(_ publishes: Bool)
    /// Sends silence in place of the microphone, which keeps running (M14).
    func setMuted(_ muted: Bool)
    /// Lets the other side be played, or not.
    func setPlaying(_ plays: Bool)
    /// Replies with the number of audio packets received of the other side so far.
    func readReceivedPackets(_ reply: @escaping @Sendable (Int) -> Void)
    /// Leaves for good; nothing is reported any more.
    func leave()
}

/// What a room reports.
enum RoomReport: Hashable, Sendable {
    /// This side is in the room, and so is the other one.
    case bothPresent
    /// The room cannot be joined, or was lost for good.
    case failed(String)
}

/// Admission to a room.
public struct RoomTicket: Hashable, Sendable, Codable {
    /// The room service, such as `wss://example.livekit.cloud`.
    public var url: String
    /// What admits its bearer to the room; a secret.
    public var token: String

    /// Makes a ticket.
    public init(url: String, token: String) {
        self.url = url
        self.token = token
    }
}

extension RoomTicket: CustomStringConvertible {
    /// The service; never the token.
    public var description: String { "a ticket for \(url)" }
}
