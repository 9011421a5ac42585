// SPDX-License-Identifier: MIT

/// An offer of a call to one user, as it arrives by push or over the signaling connection.
public struct Invitation: Hashable, Sendable, Codable {
    /// The call offered; the same identifier in the push and on the socket.
    public var call: CallID
    /// The caller's name to show, 1 to 256 bytes of UTF-8, written by the server.
    public var callerName: String
    /// The caller's address, written by the server.
    public var callerHandle: Handle
    /// Whether the caller offers video.
    public var video: Bool
    /// When the server created the call.
    public var issuedAt: Instant
    /// From when on the call must no longer ring; an invitation of exactly that age is still valid (race 11).
    public var expiresAt: Instant

    /// Makes an invitation.
    public init(
        call: CallID, callerName: String, callerHandle: Handle, video: Bool = false, issuedAt: Instant,
        expiresAt: Instant
    ) {
        self.call = call
        self.callerName = callerName
        self.callerHandle = callerHandle
        self.video = video
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}

extension Invitation: CustomStringConvertible {
    /// The call and its end; never who calls.
    public var description: String { "invitation to \(call) until \(expiresAt.milliseconds)" }
}
