// SPDX-License-Identifier: MIT

import VirtualPhone

/// A cellular call that a dialer app asks for.
public struct StartCellularConversationAction: Hashable, Sendable {
    let handle: Handle?
    let service: CellularService?

    /// Calls somebody; without a line, over the phone's usual one.
    public init(_ handle: Handle, cellularService: CellularService?) {
        self.handle = handle
        service = cellularService
    }

    /// Calls who was spoken to; a conversation without a handle cannot be called again.
    public init(_ recentConversation: ConversationHistoryManager.RecentConversation) {
        handle = recentConversation.handles.first
        service = nil
    }
}
