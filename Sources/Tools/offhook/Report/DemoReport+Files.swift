// SPDX-License-Identifier: MIT

import Foundation
import OffhookTesting

extension DemoReport {
    /// The timeline as JSON: what happened, and what was verified.
    func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(Record(title: title, passed: passed, events: timeline.events, checks: checks))
    }

    /// Writes timeline.json and report.html.
    ///
    /// - Parameter directory: Where to write; made when it does not exist.
    /// - Throws: ``EnvironmentError`` when a file cannot be written.
    func write(to directory: String) throws {
        let folder = URL(fileURLWithPath: directory, isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try json().write(to: folder.appendingPathComponent("timeline.json"))
            try Data(ReportPage(report: self).render().utf8).write(to: folder.appendingPathComponent("report.html"))
        } catch {
            throw EnvironmentError(
                message: "cannot write to \(directory) (\(error.localizedDescription)); name another folder with --out")
        }
    }

    /// What is verified, as lines for a terminal.
    func checkLines(colour: Bool) -> [String] {
        let nameWidth = min(checks.map(\.name.count).max() ?? 0, 48) + 2
        let valueWidth = min(checks.map(\.value.count).max() ?? 0, 44) + 2
        return checks.map { check in
            let mark = (check.passed ? TextStyle.good : .bad).paint(check.passed ? "✓" : "✗", colour: colour)
            let value = TextWrap.pad(check.value, to: valueWidth)
            return "  \(mark) \(TextWrap.pad(check.name, to: nameWidth))"
                + (check.passed ? value : TextStyle.bad.paint(value, colour: colour))
                + TextStyle.faint.paint(check.expected, colour: colour)
        }
    }

    /// What timeline.json holds.
    private struct Record: Encodable {
        var title: String
        var passed: Bool
        var events: [DemoTimeline.Event]
        var checks: [Check]
    }
}
