// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

/// Reads the phone's Recents for a dialer app.
///
/// An iPhone asks for the entitlement of a default dialer app, which the virtual phone does not check.
public final class ConversationHistoryManager: Sendable {
    /// The only one; it acts for the process that uses it.
    public static let sharedInstance: ConversationHistoryManager = ConversationHistoryManager()

    private init() {}

    /// The calls of Recents that match, newest first.
    ///
    /// - Precondition: A phone runs the app.
    /// - Throws: What the predicate throws.
    public func recentConversations(
        matching predicate: Predicate<ConversationHistoryManager.RecentConversation>
    ) async throws -> [ConversationHistoryManager.RecentConversation] {
        let process = AppProcess.required(for: "ConversationHistoryManager")
        guard case .telephony(.recents(let recents)) = process.send(.telephony(.recents)) else { return [] }
        return try recents.map(RecentConversation.init).filter { try predicate.evaluate($0) }
    }

    /// The user has seen a call of Recents; one that is not there any more is ignored.
    ///
    /// - Precondition: A phone runs the app.
    public func markConversationAsRead(_ conversation: ConversationHistoryManager.RecentConversation) async throws {
        try await markConversationsAsRead([conversation])
    }

    /// The user has seen calls of Recents.
    ///
    /// - Precondition: A phone runs the app.
    public func markConversationsAsRead(
        _ conversations: [ConversationHistoryManager.RecentConversation]
    ) async throws {
        let process = AppProcess.required(for: "ConversationHistoryManager")
        process.send(.telephony(.markRead(conversations.map(\.id))))
    }
}
