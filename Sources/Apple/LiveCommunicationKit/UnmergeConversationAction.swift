// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Takes a conversation out of those it is merged with (G5).
public final class UnmergeConversationAction: ConversationAction {
    /// Makes an action that unmerges a conversation.
    public init(conversationUUID: UUID) {
        super.init(conversationUUID, timeoutDate: Self.deadline(after: 5))
    }

    override var boundaryKind: ActionValue.Kind { .setGroup(with: nil) }
}

// What it has beyond its superclass never changes; the superclass's state is behind a lock.
extension UnmergeConversationAction: @unchecked Sendable {}
