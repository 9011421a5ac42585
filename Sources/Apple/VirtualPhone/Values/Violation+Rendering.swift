// SPDX-License-Identifier: MIT

import Foundation

extension Violation {
    /// The violation as a compiler prints an error: the message, the timeline around it with the moment marked, the
    /// advice.
    ///
    ///     com.example: error: an action was completed twice [R29]
    ///            12.020   phone: performs CXSetMutedCallAction [G6]
    ///            12.020   app: fulfilled CXSetMutedCallAction [G6]
    ///         >  12.020   phone: violation: an action was completed twice [R29]
    ///            13.000   user: tapped End [E1]
    ///     com.example: note: Call fulfill() or fail() exactly once; the first call counts.
    ///
    /// - Parameters:
    ///   - timeline: The phone's timeline; times are seconds since its first line.
    ///   - context: How many lines to show before and after, 0 or more.
    ///   - color: Whether to colour it for a terminal, by ANSI codes.
    /// - Returns: Lines without a line break at the end. A timeline that does not have the moment (any more) is left
    ///   out, which a note says.
    public func rendered(in timeline: Timeline, context: Int = 3, color: Bool = false) -> String {
        let paint = Paint(isOn: color)
        let severityColor = severity == .error ? Paint.red : Paint.yellow
        var lines = [
            "\(app): " + paint.apply(severityColor, "\(severity.rawValue):") + " " + paint.apply(Paint.bold, what)
                + " [\(rule)]"
        ]
        lines += excerpt(of: timeline, context: max(0, context), paint: paint)
        lines.append("\(app): " + paint.apply(Paint.blue, "note:") + " \(advice)")
        return lines.joined(separator: "\n")
    }

    private func excerpt(of timeline: Timeline, context: Int, paint: Paint) -> [String] {
        let entries = timeline.entries
        guard let index = entries.firstIndex(where: isMoment), let start = entries.first?.time else {
            return ["\(app): note: the timeline does not have this moment"]
        }
        let shown = max(0, index - context)...min(entries.count - 1, index + min(context, entries.count))
        return shown.map { position in
            let entry = entries[position]
            let line = String(format: "%9.3f   ", entry.time.timeIntervalSince(start)) + entry.description
            return position == index ? paint.apply(Paint.bold, "  > \(line)") : "    \(line)"
        }
    }

    /// Whether a line of a timeline is the one that records this violation.
    private func isMoment(_ entry: Timeline.Entry) -> Bool {
        entry.time == time && entry.rule == rule && entry.app == app && entry.call == call && entry.text == line
    }

    /// The violation's line in the timeline.
    var line: String {
        switch severity {
        case .error: return "violation: \(what)"
        case .warning: return "warning: \(what)"
        }
    }

    /// Colours for a terminal.
    private struct Paint {
        static let red = "1;31"
        static let yellow = "1;33"
        static let blue = "1;34"
        static let bold = "1"
        let isOn: Bool

        func apply(_ code: String, _ text: String) -> String {
            isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
        }
    }
}
