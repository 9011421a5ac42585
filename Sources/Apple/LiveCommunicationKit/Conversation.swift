// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// A call, as the phone tells its app of it.
///
/// Only the framework makes conversations: for a call that the app reported or started, and for one that an earlier
/// process of the app left behind. Two of the same ``uuid`` are equal. May be used on any thread.
public final class Conversation: Hashable, CustomDebugStringConvertible, Sendable {
    /// How far a conversation is (L2).
    public enum State: Int, Hashable, Codable, Sendable {
        /// Reported; the phone rings.
        case idle
        /// The user joined or started it, and the app sets it up.
        case joining
        /// Its join action is fulfilled, or it was reported connected: media flow.
        case joined
        /// Held.
        case paused
        /// An end action is on its way.
        case leaving
        /// Over.
        case left
    }

    struct Contents {
        var state: State
        var localMember: Handle?
    }

    let contents: Locked<Contents>

    /// Names the conversation.
    public let uuid: UUID
    /// Who this phone's user is in the conversation; nil when the app did not say.
    public var localMember: Handle? { contents.withLock { $0.localMember } }
    /// How far the conversation is, as the phone last told this process.
    public var state: Conversation.State { contents.withLock { $0.state } }
    /// The state and the beginning of the identity; names nobody.
    public var debugDescription: String { "Conversation \(uuid.uuidString.prefix(8)) \(state)" }

    init(_ value: ConversationValue) {
        uuid = value.uuid
        contents = Locked(Contents(state: State(value.state), localMember: value.localMember.map(Handle.init)))
    }

    /// Whether two objects stand for the same conversation.
    public static func == (left: Conversation, right: Conversation) -> Bool {
        left.uuid == right.uuid
    }

    /// Equal conversations have equal hashes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(uuid)
    }

    func change(to value: ConversationValue) {
        contents.withLock {
            $0 = Contents(state: State(value.state), localMember: value.localMember.map(Handle.init))
        }
    }
}

extension Conversation.State {
    init(_ state: ConversationValue.State) {
        switch state {
        case .idle: self = .idle
        case .joining: self = .joining
        case .joined: self = .joined
        case .paused: self = .paused
        case .leaving: self = .leaving
        case .left: self = .left
        }
    }
}
