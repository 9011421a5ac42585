// SPDX-License-Identifier: MIT

public import OffhookCore

/// One line of the diagnostic log (R12): what happened, never to whom.
///
/// It holds no token, name, handle, payload or media description; a call's id is in it.
public struct LogEntry: Hashable, Sendable {
    /// How much it matters.
    public enum Level: String, Hashable, Sendable, CaseIterable {
        /// Everything that happens, in the order in which it happens.
        case debug
        /// What an app's developer wants to see of a call.
        case info
        /// Something that should not be.
        case warning
    }

    /// When it happened.
    public var at: Instant
    /// How much it matters.
    public var level: Level
    /// What happened.
    public var message: String
    /// The call it is about, if it is about one.
    public var call: CallID?

    /// Makes an entry.
    public init(at: Instant, level: Level, message: String, call: CallID? = nil) {
        self.at = at
        self.level = level
        self.message = message
        self.call = call
    }
}

extension LogEntry: CustomStringConvertible {
    /// Level, message and call.
    public var description: String {
        "\(level.rawValue): \(message)" + (call.map { " [\($0)]" } ?? "")
    }
}
