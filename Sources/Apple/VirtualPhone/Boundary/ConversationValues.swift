// SPDX-License-Identifier: MIT

public import Foundation

/// The framework through which an app makes its calls; an app uses one of them (L1).
public enum CallFramework: String, Hashable, Sendable, Codable {
    /// CXProvider and CXCallController.
    case callKit
    /// ConversationManager.
    case liveCommunicationKit
}

/// A LiveCommunicationKit Handle: an address, and the name to show for who is not in Contacts.
public struct MemberValue: Hashable, Sendable, Codable {
    /// The address.
    public var handle: HandleValue
    /// The app's name for who has it; nil when there is none.
    public var displayName: String?

    /// Makes a member.
    public init(handle: HandleValue, displayName: String? = nil) {
        self.handle = handle
        self.displayName = displayName
    }
}

/// A LiveCommunicationKit Conversation as the phone sees it (L2).
public struct ConversationValue: Hashable, Sendable, Codable {
    /// How far the conversation is.
    public enum State: String, Hashable, Sendable, Codable {
        /// Incoming, the phone rings.
        case idle
        /// The user joined or started it, and the app sets it up.
        case joining
        /// Both sides can talk, by the app's word.
        case joined
        /// Held.
        case paused
        /// An end action is on its way.
        case leaving
        /// Over.
        case left
    }

    /// The conversation's identity.
    public var uuid: UUID
    /// How far it is.
    public var state: State
    /// Who this phone's user is in it; nil when the app did not say.
    public var localMember: MemberValue?

    /// Makes a conversation.
    public init(uuid: UUID, state: State, localMember: MemberValue? = nil) {
        self.uuid = uuid
        self.state = state
        self.localMember = localMember
    }
}
