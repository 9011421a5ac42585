// SPDX-License-Identifier: MIT

public import Foundation

/// What the user sees.
public struct Screen: Hashable, Sendable, Codable {
    /// The card of a call that rings.
    public struct IncomingCard: Hashable, Sendable, Codable {
        /// The call.
        public var call: UUID
        /// The name of the app that reported it (R21).
        public var appName: String
        /// The caller's name, else the address, else nothing (I7).
        public var callerName: String
        /// The caller's address.
        public var handle: HandleValue?
        /// Whether it is a video call.
        public var hasVideo: Bool
        /// Whether the card fills the screen: it does on a locked phone.
        public var isFullScreen: Bool
        /// What the user may tap (R19).
        public var choices: [AnswerChoice]
    }

    /// The screen of a call that goes on.
    public struct InCall: Hashable, Sendable, Codable {
        /// The line under the name.
        public enum Status: String, Hashable, Sendable, Codable {
            /// An outgoing call that rings at the other side, or has not yet started.
            case calling
            /// Answered by the user, not yet by the app; or connecting, reported by the app (A1).
            case connecting
            /// Connected: the timer runs.
            case timer
            /// Held.
            case onHold
        }
        /// The call.
        public var call: UUID
        /// The name of the app.
        public var appName: String
        /// The other side's name or address.
        public var callerName: String
        /// The line under the name.
        public var status: Status
        /// When the timer started.
        public var timerStart: Date?
        /// Whether the microphone button is pressed.
        public var isMuted: Bool
        /// Whether the hold button is pressed.
        public var isOnHold: Bool
        /// Whether the hold button can be pressed (O4).
        public var canHold: Bool
        /// Whether the call has video.
        public var hasVideo: Bool
    }

    /// Whether the phone is locked.
    public var isLocked: Bool
    /// The calls that ring; the first is on top.
    public var incoming: [IncomingCard]
    /// The calls that go on.
    public var inCall: [InCall]
    /// The app on the screen; nil on the home or lock screen.
    public var foregroundApp: String?
    /// Whether the status bar shows the call indicator (R46).
    public var showsCallIndicator: Bool
    /// Whether the user silenced the ringing.
    public var isSilenced: Bool

    /// Whether neither a call nor an app is to be seen.
    public var isHome: Bool {
        incoming.isEmpty && inCall.isEmpty && foregroundApp == nil
    }
}

/// What an incoming call offers to tap (G2, R19).
public enum AnswerChoice: String, Hashable, Sendable, Codable {
    /// Answer; no other call goes on.
    case answer
    /// Hold the active call and answer this one.
    case holdAndAccept
    /// End the active call and answer this one.
    case endAndAccept
    /// Decline.
    case decline
}
