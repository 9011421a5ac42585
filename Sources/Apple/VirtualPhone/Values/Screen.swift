// SPDX-License-Identifier: MIT

public import Foundation

/// What the user sees.
///
/// Names and addresses come from the network. On the screen they are cleaned: without control characters and marks that
/// turn the direction of text, on one line, at most 128 characters, right-to-left names between isolating marks.
public struct Screen: Hashable, Sendable, Codable {
    /// The card of a call that rings.
    public struct IncomingCard: Hashable, Sendable, Codable {
        /// The call.
        public var call: UUID
        /// The name of the app that reported it (R21).
        public var appName: String
        /// The caller's name, else the address, else nothing (I7).
        public var callerName: String
        /// The caller's address, as the app gave it.
        public var handle: HandleValue?
        /// The caller's address as it is shown, cleaned; empty when there is none.
        public var address: String
        /// The photo of the caller's contact (R24).
        public var photo: Data?
        /// The label of Call Directory, such as "Maybe: Spam"; nil when it knows nothing, or Contacts does (D9, R113).
        public var directoryLabel: String?
        /// Whether it is a video call.
        public var hasVideo: Bool
        /// Whether the card fills the screen: it does on a locked phone.
        public var isFullScreen: Bool
        /// What the user may tap (R19).
        public var choices: [AnswerChoice]
    }

    /// A button of the in-call screen.
    public enum Control: String, Hashable, Sendable, Codable, CaseIterable {
        /// Mute (G6).
        case mute
        /// The keypad (G7).
        case keypad
        /// The sound button (R51).
        case speaker
        /// Hold (O4).
        case hold
        /// Add a call.
        case addCall
        /// Swap with the call on hold (G4).
        case swap
        /// Merge with the call on hold (G5).
        case merge
        /// Private, beside each call of a conference (G5).
        case separate
        /// Translation (G8).
        case translate
        /// The red button.
        case end
    }

    /// One call of a conference.
    public struct Member: Hashable, Sendable, Codable {
        /// The call.
        public var call: UUID
        /// The other side's name or address.
        public var name: String
        /// Whether this call alone is held: an app merged it without taking it off hold (P41).
        public var isOnHold: Bool
        /// Whether Private can be tapped (G5).
        public var canSeparate: Bool
    }

    /// The screen of a call that goes on; a conference is one (G5).
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
        /// The call; of a conference the one that came first.
        public var call: UUID
        /// The calls of a conference, oldest first; a call that is in none is alone.
        public var members: [Member]
        /// The name of the app.
        public var appName: String
        /// The other side's name or address; of a conference all of them.
        public var callerName: String
        /// The photo of the contact (R24).
        public var photo: Data?
        /// The line under the name.
        public var status: Status
        /// When the timer started.
        public var timerStart: Date?
        /// What the timer shows; nil before the call connected.
        public var timer: Duration?
        /// Whether the microphone button is pressed.
        public var isMuted: Bool
        /// Whether the hold button is pressed.
        public var isOnHold: Bool
        /// Whether the hold button can be pressed (O4).
        public var canHold: Bool
        /// Whether the call has video.
        public var hasVideo: Bool
        /// Whether the picture can be seen: the app is on the screen of the unlocked phone (R76, P55).
        public var showsVideo: Bool
        /// Whether the call is translated (G8).
        public var isTranslating: Bool
        /// The buttons that can be pressed; the others are grey.
        public var enabledControls: [Control]

        /// Whether several calls are in it.
        public var isConference: Bool { members.count > 1 }
    }

    /// Whether the phone is locked.
    public var isLocked: Bool
    /// The calls that ring; the first is on top.
    public var incoming: [IncomingCard]
    /// The calls that go on, a conference as one, oldest first.
    public var inCall: [InCall]
    /// The app on the screen; nil on the home or lock screen.
    public var foregroundApp: String?
    /// Whether the status bar shows the call indicator (R46).
    public var showsCallIndicator: Bool
    /// Whether the user silenced the ringing.
    public var isSilenced: Bool
    /// The question for the microphone; nil when none is asked (V9).
    public var microphonePrompt: MicrophonePrompt?
    /// What the sound button of the in-call screen offers; empty without a call that uses the sound (R51).
    public var audioRoutes: [AudioRouteChoice]

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
