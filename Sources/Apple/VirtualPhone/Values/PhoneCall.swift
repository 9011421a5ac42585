// SPDX-License-Identifier: MIT

public import Foundation

/// A live call as the phone knows it.
public struct PhoneCall: Hashable, Sendable, Codable {
    /// How far the call is.
    public enum Phase: String, Hashable, Sendable, Codable {
        /// Incoming, the phone rings. Leaves to: answering, ended.
        case ringing
        /// The user answered, the app has not fulfilled yet (A1). Leaves to: connected, ended.
        case answering
        /// Outgoing, the start action is not fulfilled yet (O2). Leaves to: started, ended.
        case dialing
        /// Outgoing, start fulfilled, not connected yet. Leaves to: connected, ended.
        case started
        /// Both sides can talk, by the app's word.
        case connected
    }
    /// The call's identity.
    public var uuid: UUID
    /// The bundle identifier of its app.
    public var app: String
    /// Whether this phone made the call.
    public var isOutgoing: Bool
    /// The other side's address.
    public var handle: HandleValue?
    /// The other side's name, as the app gave it.
    public var localizedCallerName: String?
    /// Whether the call has video.
    public var hasVideo: Bool
    /// How far it is.
    public var phase: Phase
    /// Whether an end action is on its way.
    public var isEnding: Bool
    /// Whether it is held.
    public var isOnHold: Bool
    /// Whether it is muted.
    public var isMuted: Bool
    /// When it was reported or requested.
    public var createdAt: Date
    /// When it connected.
    public var connectedAt: Date?
    /// Its group: calls of one are a conference (G5).
    public var group: UUID
    /// Set when the call belongs to no installed app (C1).
    public var other: OtherCallKind?
    /// Whether it is translated (G8).
    public var isTranslating: Bool
}

/// A line of the phone app's Recents.
public struct RecentCall: Hashable, Sendable, Codable {
    /// How the call ended.
    public enum Outcome: String, Hashable, Sendable, Codable {
        /// It was connected.
        case answered
        /// Incoming, nobody answered, or the caller gave up: shown in red.
        case missed
        /// Incoming, declined here.
        case declined
        /// Incoming, answered on another device.
        case answeredElsewhere
        /// Incoming, declined on another device.
        case declinedElsewhere
        /// Outgoing, never connected (O2).
        case cancelled
        /// It failed.
        case failed
    }
    /// The call.
    public var call: UUID
    /// The bundle identifier of its app.
    public var app: String
    /// Whether this phone made the call.
    public var isOutgoing: Bool
    /// The other side's address.
    public var handle: HandleValue?
    /// The name shown.
    public var name: String
    /// Whether the call had video.
    public var hasVideo: Bool
    /// When it began.
    public var date: Date
    /// From connected to the end; zero when it never was connected (R41).
    public var duration: Duration
    /// How it ended.
    public var outcome: Outcome
}
