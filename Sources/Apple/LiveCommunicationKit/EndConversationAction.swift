// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Ends a conversation (E1).
public final class EndConversationAction: ConversationAction {
    /// Makes an action that ends a conversation.
    public init(conversationUUID: UUID) {
        super.init(conversationUUID, timeoutDate: Self.deadline(after: 5))
    }

    /// Fulfills the action with the time at which the conversation ended.
    public func fulfill(dateEnded: Date) {
        complete(date: dateEnded)
    }

    override var boundaryKind: ActionValue.Kind { .end }
}

// What it has beyond its superclass never changes; the superclass's state is behind a lock.
extension EndConversationAction: @unchecked Sendable {}
