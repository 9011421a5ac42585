// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Mutes this side of a conversation or ends the muting (G6).
public final class MuteConversationAction: ConversationAction {
    /// Whether this side is to be muted.
    public let isMuted: Bool

    /// Makes an action that mutes or ends the muting.
    public init(conversationUUID: UUID, isMuted: Bool) {
        self.isMuted = isMuted
        super.init(conversationUUID, timeoutDate: Self.deadline(after: 5))
    }

    override var boundaryKind: ActionValue.Kind { .setMuted(isMuted) }
}

// What it has beyond its superclass never changes; the superclass's state is behind a lock.
extension MuteConversationAction: @unchecked Sendable {}
