// SPDX-License-Identifier: MIT

import Foundation
import Glibc
import OffhookTesting

/// Where a command writes, and whether it may use colour there.
struct Terminal: Sendable {
    /// Whether standard output takes colour.
    var colour: Bool
    /// Columns to fill.
    var width: Int
    /// Writes text to standard output.
    var write: @Sendable (String) -> Void
    /// Writes text to standard error.
    var writeError: @Sendable (String) -> Void

    /// The process's own terminal.
    ///
    /// Colour only on a terminal, and never with NO_COLOR (no-color.org).
    static var standard: Terminal {
        let environment = ProcessInfo.processInfo.environment
        return Terminal(
            colour: colour(environment: environment, isTerminal: isatty(STDOUT_FILENO) == 1),
            width: width(environment: environment, window: windowWidth()),
            write: { write($0, to: STDOUT_FILENO) }, writeError: { write($0, to: STDERR_FILENO) })
    }

    /// Writes text to a file descriptor; what cannot be written, to a closed pipe or a full disk, is dropped.
    ///
    /// The work goes on then: a demo still verifies, a server still serves. (`FileHandle.write` would trap.)
    static func write(_ text: String, to file: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count > 0 {
                rest.removeFirst(count)
            } else if count < 0, errno == EAGAIN {
                var state = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
                poll(&state, 1, -1)
            } else if count == 0 || errno != EINTR {
                return
            }
        }
    }

    /// Whether to use colour in an environment.
    static func colour(environment: [String: String], isTerminal: Bool) -> Bool {
        if let disabled = environment["NO_COLOR"], !disabled.isEmpty { return false }
        return isTerminal && environment["TERM"] != "dumb"
    }

    /// The columns to fill: 80 to 140; 110 when neither the window nor COLUMNS says.
    static func width(environment: [String: String], window: Int?) -> Int {
        min(max(window ?? environment["COLUMNS"].flatMap(Int.init) ?? 110, 80), 140)
    }

    /// Writes a line to standard output.
    func line(_ text: String = "") {
        write(text + "\n")
    }

    /// Writes a line to standard error.
    func errorLine(_ text: String) {
        writeError(text + "\n")
    }

    /// Text in a style, or as it is when there is no colour.
    func paint(_ text: String, _ style: TextStyle) -> String {
        style.paint(text, colour: colour)
    }

    private static func windowWidth() -> Int? {
        var size = winsize()
        guard isatty(STDOUT_FILENO) == 1, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }
}
