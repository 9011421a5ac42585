// SPDX-License-Identifier: MIT

/// Writes lines to the app's log; `VirtualPhone.log(of:)` shows them.
///
/// Private values are redacted, as on an iPhone without a debugger (R12).
public struct Logger: Sendable {
    private let log: OSLog

    /// A logger of a part of the app.
    public init(subsystem: String, category: String) {
        log = OSLog(subsystem: subsystem, category: category)
    }

    /// A logger without a name.
    public init() {
        log = .default
    }

    /// A logger that writes to a log.
    public init(_ logObj: OSLog) {
        log = logObj
    }

    /// Writes a line.
    public func log(_ message: OSLogMessage) {
        log.write(.default, message.text)
    }

    /// Writes a line of some kind.
    public func log(level: OSLogType, _ message: OSLogMessage) {
        log.write(level, message.text)
    }

    /// Writes what helps while developing.
    public func trace(_ message: OSLogMessage) {
        log.write(.debug, message.text)
    }

    /// Writes what helps while developing.
    public func debug(_ message: OSLogMessage) {
        log.write(.debug, message.text)
    }

    /// Writes what is good to know.
    public func info(_ message: OSLogMessage) {
        log.write(.info, message.text)
    }

    /// Writes what helps to find a failure.
    public func notice(_ message: OSLogMessage) {
        log.write(.default, message.text)
    }

    /// Writes that something is not as it should be.
    public func warning(_ message: OSLogMessage) {
        log.write(.error, message.text)
    }

    /// Writes that something went wrong.
    public func error(_ message: OSLogMessage) {
        log.write(.error, message.text)
    }

    /// Writes that there is a mistake in the program.
    public func critical(_ message: OSLogMessage) {
        log.write(.fault, message.text)
    }

    /// Writes that there is a mistake in the program.
    public func fault(_ message: OSLogMessage) {
        log.write(.fault, message.text)
    }
}
