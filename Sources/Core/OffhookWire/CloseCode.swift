// SPDX-License-Identifier: MIT

/// Why the server closed a connection; the codes from 4000 on are this protocol's own (RFC 6455 §7.4.2).
public enum CloseCode: Int, Hashable, Sendable, CaseIterable {
    /// The server stops; the client comes back.
    case goingAway = 1001
    /// A frame was larger than ``WireCodec/maximumClientFrame``; the client comes back and sends less.
    case tooLarge = 1009
    /// The client reads too slowly; it comes back and resumes.
    case tooSlow = 1013
    /// A newer connection of the same device took over (race 24); the client stays away.
    case replaced = 4000
    /// The token's time is over; the client gets a new one.
    case tokenExpired = 4001
    /// The device was signed out (race 29); the client stays away.
    case signedOut = 4003
    /// No hello came in time; the client comes back.
    case noHello = 4008
    /// Too many frames in a row that were no message; the client does not repeat them.
    case malformed = 4400
    /// Too many messages; the client comes back later.
    case tooMany = 4429
}
