// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Joins an incoming conversation (A1, L2).
public final class JoinConversationAction: ConversationAction {
    /// Makes an action that joins a conversation.
    public init(conversationUUID: UUID) {
        super.init(conversationUUID, timeoutDate: Self.deadline(after: 60))
    }

    /// Fulfills the action with the time at which the conversation was connected.
    public func fulfill(dateConnected: Date) {
        complete(date: dateConnected)
    }

    override var boundaryKind: ActionValue.Kind { .answer }
}

// What it has beyond its superclass never changes; the superclass's state is behind a lock.
extension JoinConversationAction: @unchecked Sendable {}
