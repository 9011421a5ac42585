// SPDX-License-Identifier: MIT

public import Foundation
import VirtualPhone

extension ConversationHistoryManager {
    /// A call of Recents.
    public struct RecentConversation: Hashable, Codable, Identifiable, Sendable {
        /// Who called whom.
        public enum Direction: Int, Hashable, Codable, Sendable {
            /// This phone was called.
            case incoming
            /// This phone called.
            case outgoing
        }

        /// How a call ended.
        public enum Status: Int, Hashable, Codable, Sendable {
            /// It was answered on another device.
            case answeredElsewhere
            /// This phone called, and nobody answered.
            case cancelled
            /// It was connected.
            case connected
            /// Nobody answered here, or the user declined.
            case missed
            /// It failed, or ended in another way.
            case unknown
        }

        /// When it began.
        public let date: Date
        /// Who called whom.
        public let direction: ConversationHistoryManager.RecentConversation.Direction
        /// Its length in seconds; 0 when it never connected.
        public let duration: TimeInterval
        /// The other side; empty when the phone does not know it.
        public let handles: [Handle]
        /// Whether the user has seen it; only a missed call can be unseen.
        public let isRead: Bool
        /// How it ended.
        public let status: ConversationHistoryManager.RecentConversation.Status
        /// Names the call.
        public let id: UUID

        init(_ value: RecentValue) {
            let call = value.call
            date = call.date
            direction = call.isOutgoing ? .outgoing : .incoming
            duration = call.duration / .seconds(1)
            handles = call.handle.map { [Handle(MemberValue(handle: $0, displayName: call.name))] } ?? []
            isRead = value.isRead
            status = Status(call.outcome)
            id = call.call
        }
    }

    /// The message that Recents changed.
    ///
    /// The virtual phone does not send it: an app reads ``recentConversations(matching:)`` again.
    public struct ConversationHistoryDidUpdate: Sendable {
        /// Makes the message.
        public init() {}
    }
}

extension ConversationHistoryManager.RecentConversation.Status {
    init(_ outcome: RecentCall.Outcome) {
        switch outcome {
        case .answered: self = .connected
        case .missed, .declined: self = .missed
        case .answeredElsewhere: self = .answeredElsewhere
        case .cancelled: self = .cancelled
        case .declinedElsewhere, .failed: self = .unknown
        }
    }
}
