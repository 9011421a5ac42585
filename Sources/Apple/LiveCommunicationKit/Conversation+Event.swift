// SPDX-License-Identifier: MIT

public import Foundation

extension Conversation {
    /// What an app reports of a conversation.
    public enum Event: Hashable, Codable, Sendable {
        /// The app connects it: in the handler of a join or start action (L2).
        case conversationStartedConnecting(Date)
        /// Media flow both ways (L2).
        case conversationConnected(Date)
        /// Something about it is new.
        case conversationUpdated(Conversation.Update)
        /// It is over, and neither the user nor the app's own action ended it (E2).
        case conversationEnded(Date, Conversation.EndedReason)
    }

    /// Why a conversation is over (E3).
    public enum EndedReason: Int, Hashable, Codable, Sendable {
        /// It failed.
        case failed = 1
        /// The other side ended it.
        case remoteEnded = 2
        /// Nobody answered in time.
        case unanswered = 3
        /// The user joined it on another device.
        case joinedElsewhere = 4
        /// The user declined it on another device.
        case declinedElsewhere = 5
    }
}
