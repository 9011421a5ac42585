// SPDX-License-Identifier: MIT

/// What a device tells the server about one call; the shell turns it into a wire message.
public enum CallSignal: Hashable, Sendable, Codable {
    /// Start a call to this handle.
    case invite(to: Handle, video: Bool)
    /// The phone shows the call.
    case ringing
    /// This device claims the call; the first claim wins.
    case answer
    /// The user refuses the call on all devices.
    case decline
    /// This device is in another call; others ring on.
    case busy
    /// The caller gives up.
    case cancel
    /// An answered call is over.
    case hangup(EndReason)
    /// Pass a media signal to the other side.
    case media(MediaSignal)
    /// Remote media is heard: the record's connected time (C10).
    case connected
    /// Tell the other side about hold or mute.
    case update(PeerUpdate)
}

/// A change that one side makes and the other should know; nil means unchanged.
public struct PeerUpdate: Hashable, Sendable, Codable {
    /// Whether the sender holds the call.
    public var held: Bool?
    /// Whether the sender's microphone is muted.
    public var muted: Bool?
    /// Whether the sender shows video.
    public var video: Bool?

    /// Makes an update.
    public init(held: Bool? = nil, muted: Bool? = nil, video: Bool? = nil) {
        self.held = held
        self.muted = muted
        self.video = video
    }
}
