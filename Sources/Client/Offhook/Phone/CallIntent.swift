// SPDX-License-Identifier: MIT

public import OffhookCore

/// The user wants to call somebody: asked for in Recents, on a contact's card, or of Siri (R123, P46).
///
/// It is a wish, not a call: the app decides whether to make the call, with
/// ``CallCenter/startCall(to:displayName:video:operation:within:)``.
///
/// ## Which handles to use
///
/// What comes back is the handle that a call was reported or donated with, perhaps weeks later, from a backup, or on
/// another device of the user (R126). So a handle must stay resolvable: a user name, a number, an account's id. It must
/// not name one call or one session, and it must hold nothing secret: Recents, Siri and Contacts keep and show it.
public struct CallIntent: Hashable, Sendable {
    /// Whom to call.
    public var handle: Handle
    /// The name that the phone knows; nil when it knows none.
    public var name: String?
    /// Whether the user asked for video.
    public var video: Bool
    /// When the app got it.
    public var receivedAt: Instant

    /// Makes a wish.
    public init(handle: Handle, name: String? = nil, video: Bool = false, receivedAt: Instant) {
        self.handle = handle
        self.name = name
        self.video = video
        self.receivedAt = receivedAt
    }
}
