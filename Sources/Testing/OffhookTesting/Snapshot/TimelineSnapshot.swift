// SPDX-License-Identifier: MIT

import Foundation
public import VirtualPhone

/// Compares a timeline with the one that is stored under a name next to the test.
///
/// The file is `Timelines/NAME.txt` in the folder of the test's source. `OFFHOOK_RECORD=1` in the environment stores the
/// timeline instead, and fails all the same, so that no run that compared nothing passes.
///
/// ```swift
/// try expect(phone.timeline, matches: "answered-on-the-lock-screen")
/// ```
///
/// - Parameters:
///   - timeline: What happened.
///   - name: The file's name without `.txt`: letters, digits, `-`, `_` and `.`.
///   - file: The test's source; its folder is where the file is looked for.
/// - Throws: ``TimelineMismatch``, whose description shows the difference, or what to do.
public func expect(_ timeline: Timeline, matches name: String, file: String = #filePath) throws {
    try TimelineSnapshot(name: name, source: file).compare(timeline.stableText)
}

/// Compares the merged timeline of several phones with the one that is stored under a name next to the test.
///
/// - Parameters:
///   - timeline: What happened.
///   - name: The file's name without `.txt`: letters, digits, `-`, `_` and `.`.
///   - file: The test's source; its folder is where the file is looked for.
/// - Throws: ``TimelineMismatch``, whose description shows the difference, or what to do.
public func expect(_ timeline: LabTimeline, matches name: String, file: String = #filePath) throws {
    try TimelineSnapshot(name: name, source: file).compare(timeline.stableText)
}

/// Why a timeline is not the stored one.
public enum TimelineMismatch: Error, Hashable, Sendable, CustomStringConvertible {
    /// Something else happened.
    case different(file: String, difference: String)
    /// There is no such file.
    case missing(file: String, timeline: String)
    /// The timeline was stored now, because the environment asks for it; nothing was compared.
    case recorded(file: String)
    /// The file cannot be read or written.
    case unusable(file: String, problem: String)

    /// What is different, and what to do.
    public var description: String {
        switch self {
        case .different(let file, let difference):
            """
            the timeline is not the one in \(file) (- stored, + now):
            \(difference)
            If the new one is right, run the test once with OFFHOOK_RECORD=1 and review the change of the file.
            """
        case .missing(let file, let timeline):
            """
            there is no \(file): run the test once with OFFHOOK_RECORD=1, read the file, and commit it. It would hold:
            \(timeline)
            """
        case .recorded(let file):
            "stored \(file); nothing was compared: read it, then run the test again without OFFHOOK_RECORD"
        case .unusable(let file, let problem):
            "\(file) cannot be used: \(problem)"
        }
    }
}

/// One stored timeline.
struct TimelineSnapshot {
    let file: URL
    private let records: Bool

    init(
        name: String, source: String,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws {
        let folder = URL(fileURLWithPath: source).deletingLastPathComponent().appendingPathComponent("Timelines")
        file = folder.appendingPathComponent(name + ".txt")
        records = environment["OFFHOOK_RECORD"] == "1"
        let allowed = name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_.".contains($0)) }
        guard allowed, !name.isEmpty, !name.hasPrefix(".") else {
            throw TimelineMismatch.unusable(file: file.path, problem: "a name has letters, digits, -, _ and . only")
        }
    }

    func compare(_ text: String) throws(TimelineMismatch) {
        if records { return try record(text) }
        guard FileManager.default.fileExists(atPath: file.path) else {
            throw .missing(file: file.path, timeline: text)
        }
        let stored: String
        do {
            stored = try String(contentsOf: file, encoding: .utf8)
        } catch {
            throw .unusable(file: file.path, problem: error.localizedDescription)
        }
        guard stored != text else { return }
        throw .different(file: file.path, difference: LineDifference(stored, text).render())
    }

    private func record(_ text: String) throws(TimelineMismatch) {
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
        } catch {
            throw .unusable(file: file.path, problem: error.localizedDescription)
        }
        throw .recorded(file: file.path)
    }
}
