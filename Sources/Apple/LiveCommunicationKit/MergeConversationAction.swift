// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Merges a conversation with another one (G5).
public final class MergeConversationAction: ConversationAction {
    /// The conversation to merge with.
    public let conversationUUIDToMergeWith: UUID

    /// Makes an action that merges two conversations.
    public init(conversationUUID: UUID, conversationUUIDToMergeWith: UUID) {
        self.conversationUUIDToMergeWith = conversationUUIDToMergeWith
        super.init(conversationUUID, timeoutDate: Self.deadline(after: 5))
    }

    override var boundaryKind: ActionValue.Kind { .setGroup(with: conversationUUIDToMergeWith) }
}

// What it has beyond its superclass never changes; the superclass's state is behind a lock.
extension MergeConversationAction: @unchecked Sendable {}
