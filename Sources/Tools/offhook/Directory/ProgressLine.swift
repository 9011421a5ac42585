// SPDX-License-Identifier: MIT

import Foundation
import Glibc

/// One line on standard error that shows how far long work is; nothing when that is no terminal.
final class ProgressLine {
    private let terminal: Terminal
    private let isShown: Bool
    private var last = Date.distantPast
    private var hasLine = false

    init(_ terminal: Terminal, isShown: Bool = isatty(STDERR_FILENO) == 1) {
        self.terminal = terminal
        self.isShown = isShown
    }

    /// Shows a bar, at most ten times a second.
    ///
    /// - Parameters:
    ///   - title: What is being done.
    ///   - fraction: How much of it, 0 to 1; nil when nobody knows.
    ///   - detail: What to show after the bar.
    func show(_ title: String, _ fraction: Double?, _ detail: String) {
        guard isShown, Date().timeIntervalSince(last) >= 0.1 else { return }
        last = Date()
        hasLine = true
        let bar = fraction.map { ProgressLine.bar($0, width: 24) + String(format: " %3d %%", Int($0 * 100)) }
        terminal.writeError("\r\u{1B}[K" + [title, bar, detail].compactMap { $0 }.joined(separator: "  "))
    }

    /// Takes the line away.
    func clear() {
        if hasLine { terminal.writeError("\r\u{1B}[K") }
        hasLine = false
    }

    /// A bar of eighths.
    static func bar(_ fraction: Double, width: Int) -> String {
        let eighths = Int((min(max(fraction, 0), 1) * Double(width * 8)).rounded())
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        let text = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
        return text + String(repeating: " ", count: width - text.count)
    }
}

extension Int {
    /// The number with its thousands apart: 12,345,678.
    var grouped: String {
        var digits = Array(String(magnitude))
        var place = digits.count - 3
        while place > 0 {
            digits.insert(",", at: place)
            place -= 3
        }
        return (self < 0 ? "-" : "") + String(digits)
    }
}

extension UInt64 {
    /// The number with its thousands apart.
    var grouped: String { self > UInt64(Int.max) ? "\(self)" : Int(self).grouped }
}
