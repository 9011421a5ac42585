// SPDX-License-Identifier: MIT

import VirtualPhone

/// How serious a line of the log is.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
    /// Apple's number.
    public var rawValue: UInt8

    /// Makes a type.
    public init(_ rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Makes a type.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// What helps to find a failure.
    public static let `default` = OSLogType(0)
    /// What is good to know.
    public static let info = OSLogType(1)
    /// What helps while developing.
    public static let debug = OSLogType(2)
    /// Something went wrong.
    public static let error = OSLogType(16)
    /// There is a mistake in the program.
    public static let fault = OSLogType(17)

    var level: AppLogEntry.Level {
        AppLogEntry.Level(rawValue: rawValue) ?? .default
    }
}
