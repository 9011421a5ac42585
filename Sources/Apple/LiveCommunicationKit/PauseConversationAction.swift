// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Holds a conversation or takes it off hold (G2).
public final class PauseConversationAction: ConversationAction {
    /// Whether the conversation is to be held.
    public let isPaused: Bool

    /// Makes an action that holds a conversation or takes it off hold.
    public init(conversationUUID: UUID, isPaused: Bool) {
        self.isPaused = isPaused
        super.init(conversationUUID, timeoutDate: Self.deadline(after: 5))
    }

    override var boundaryKind: ActionValue.Kind { .setHeld(isPaused) }
}

// What it has beyond its superclass never changes; the superclass's state is behind a lock.
extension PauseConversationAction: @unchecked Sendable {}
