// SPDX-License-Identifier: MIT

public import Foundation

/// What a dialer app asks of the phone itself: its lines, cellular calls, and Recents (L1).
public enum TelephonyRequest: Hashable, Sendable, Codable {
    /// The lines that can make a cellular call; answered with ``TelephonyReply/services(_:)``.
    case services
    /// Calls somebody over the mobile network; `service` nil means the phone's usual line.
    case startCellular(handle: HandleValue, service: UUID?)
    /// Recents, newest first; answered with ``TelephonyReply/recents(_:)``.
    case recents
    /// The user has seen these calls of Recents.
    case markRead([UUID])
}

/// The phone's answer to a ``TelephonyRequest`` that asks for something.
public enum TelephonyReply: Hashable, Sendable, Codable {
    /// The lines of the phone.
    case services([CellularServiceValue])
    /// The calls of Recents.
    case recents([RecentValue])
}

/// A line of the phone.
public struct CellularServiceValue: Hashable, Sendable, Codable {
    /// Names the line.
    public var id: UUID
    /// The user's name for it.
    public var label: String

    /// Describes a line.
    public init(id: UUID, label: String) {
        self.id = id
        self.label = label
    }
}

/// A call of Recents, and whether the user has seen it.
public struct RecentValue: Hashable, Sendable, Codable {
    /// The call.
    public var call: RecentCall
    /// Whether the user has seen it; only a missed call can be unseen.
    public var isRead: Bool

    /// Describes a call of Recents.
    public init(call: RecentCall, isRead: Bool) {
        self.call = call
        self.isRead = isRead
    }
}
