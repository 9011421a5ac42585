// SPDX-License-Identifier: MIT

/// One call as the app sees it: a value, true at the moment it was taken.
public struct Call: Hashable, Sendable, Codable, Identifiable {
    /// Who started a call.
    public enum Direction: String, Hashable, Sendable, Codable, CaseIterable {
        /// The other side calls this user.
        case incoming
        /// This user calls.
        case outgoing
    }

    /// Where a call is.
    public enum State: Hashable, Sendable, Codable {
        /// Rings here.
        case incoming
        /// Rings at the other side, or is on its way there.
        case outgoing
        /// Answered; no remote media yet (R28).
        case connecting
        /// Both sides can hear each other.
        case active
        /// Held by this user, or silent because another call of this device has the sound.
        case held
        /// Over.
        case ended(EndReason)
    }

    /// The call's identity, the same on all devices and on the server.
    public var id: CallID
    /// Who started it.
    public var direction: Direction
    /// The other side's name and address.
    public var details: CallDetails
    /// Where it is.
    public var state: State
    /// Whether this user's microphone is muted.
    public var muted = false
    /// Whether media stopped arriving; the call goes on (R93).
    public var interrupted = false
    /// Whether the other side's phone shows the outgoing call.
    public var remoteRinging = false
    /// What the other side said of its hold, mute and video; nil is never said.
    public var peer = PeerUpdate()
    /// The calls it is grouped with, in the order of their ids; empty when it is alone (R49).
    public var groupedWith: [CallID] = []
    /// Whether it was taken off hold and waits for the phone to give the sound back; it is held until then (P33).
    public var isResuming = false
    /// Whether this user only listens, because the app may not use the microphone (R6).
    public var isListenOnly = false
    /// This side's picture (R114).
    public var localVideo = LocalVideo.off
    /// Which camera makes it; nil while it is off.
    public var cameraFacing: CameraFacing?
    /// Whether the other side's picture comes.
    public var remoteVideo = false
    /// The languages, while the phone translates the speech (R118); nil when it does not.
    public var translation: Translation?
    /// The call in which an ended one goes on: both sides had called each other (race 7); nil otherwise.
    public var continuesAs: CallID?
    /// When the call came to be on this device.
    public var createdAt: Instant
    /// When it was answered; nil before.
    public var answeredAt: Instant?
    /// When the first remote media came (C10); nil before.
    public var connectedAt: Instant?
    /// When it ended; nil before.
    public var endedAt: Instant?
    /// What broke, when the end was a failure that can be named.
    public var failure: CallFailure?

    /// Makes a snapshot of a call that has just come to be.
    public init(
        id: CallID, direction: Direction, details: CallDetails, state: State, createdAt: Instant
    ) {
        self.id = id
        self.direction = direction
        self.details = details
        self.state = state
        self.createdAt = createdAt
    }

    /// Whether the call is over.
    public var hasEnded: Bool {
        if case .ended = state { true } else { false }
    }
}

/// Whom a call is with, as the call screen shows it.
public struct CallDetails: Hashable, Sendable, Codable {
    /// The other side's address.
    public var handle: Handle
    /// The other side's name; nil lets the phone look the handle up in Contacts (R24).
    public var displayName: String?
    /// Whether the call is offered with video.
    public var video: Bool

    /// Makes details.
    public init(handle: Handle, displayName: String? = nil, video: Bool = false) {
        self.handle = handle
        self.displayName = displayName
        self.video = video
    }
}

extension CallDetails: CustomStringConvertible {
    /// The kind of address and of call; never whom it is with.
    public var description: String { "a \(video ? "video" : "voice") call with \(handle)" }
}
