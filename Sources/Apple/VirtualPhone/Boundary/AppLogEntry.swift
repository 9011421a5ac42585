// SPDX-License-Identifier: MIT

public import Foundation

/// A line that an app logged with Logger or os_log; the phone keeps it apart from its timeline.
public struct AppLogEntry: Hashable, Sendable, Codable {
    /// How serious a line is: OSLogType's raw values.
    public enum Level: UInt8, Hashable, Sendable, Codable {
        /// Logger.log and notice.
        case `default` = 0
        /// Logger.info.
        case info = 1
        /// Logger.debug and trace.
        case debug = 2
        /// Logger.error and warning.
        case error = 16
        /// Logger.fault and critical.
        case fault = 17
    }

    /// When, in the phone's time; set by the phone.
    public var time: Date
    /// How serious.
    public var level: Level
    /// The logger's subsystem; empty for the default log.
    public var subsystem: String
    /// The logger's category; empty for the default log.
    public var category: String
    /// What was logged; private values are `<private>` already.
    public var message: String

    /// Describes a line.
    public init(
        time: Date = .distantPast, level: Level, subsystem: String = "", category: String = "", message: String
    ) {
        self.time = time
        self.level = level
        self.subsystem = subsystem
        self.category = category
        self.message = message
    }
}
