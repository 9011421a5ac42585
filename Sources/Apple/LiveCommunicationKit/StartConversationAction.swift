// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Starts an outgoing conversation (O2).
public final class StartConversationAction: ConversationAction {
    /// Who is called.
    public let handles: [Handle]
    /// Whether it is a video conversation.
    public let isVideo: Bool

    /// Makes an action that calls somebody; without a handle the phone refuses it.
    public init(conversationUUID: UUID, handles: [Handle], isVideo: Bool) {
        self.handles = handles
        self.isVideo = isVideo
        super.init(conversationUUID, timeoutDate: Self.deadline(after: 600))
    }

    /// Fulfills the action with the time at which the conversation was started.
    public func fulfill(dateStarted: Date) {
        complete(date: dateStarted)
    }

    override var boundaryKind: ActionValue.Kind {
        guard let first = handles.first else { return .other }
        return .start(handle: first.boundaryValue.handle, contactIdentifier: nil, isVideo: isVideo)
    }
    override var boundaryMembers: [MemberValue]? { handles.map(\.boundaryValue) }
}

// What it has beyond its superclass never changes; the superclass's state is behind a lock.
extension StartConversationAction: @unchecked Sendable {}
