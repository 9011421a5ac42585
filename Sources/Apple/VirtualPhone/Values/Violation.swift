// SPDX-License-Identifier: MIT

public import Foundation

/// A broken rule, or a likely mistake: what happened, when, and what to do.
public struct Violation: Hashable, Sendable, Codable, CustomStringConvertible {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// On an iPhone the app is ended for it, or something does not work.
        case error
        /// It works, and is likely not what was meant.
        case warning
    }

    /// The rule, such as `R57`.
    public var rule: String
    /// What the app did.
    public var what: String
    /// What to do instead.
    public var advice: String
    /// When it happened, by the phone's clock.
    public var time: Date
    /// The bundle identifier of the app.
    public var app: String
    /// The call it is about.
    public var call: UUID?
    /// How bad it is.
    public var severity: Severity

    /// Makes a violation.
    public init(
        rule: String, what: String, advice: String, time: Date, app: String, call: UUID? = nil,
        severity: Severity = .error
    ) {
        self.rule = rule
        self.what = what
        self.advice = advice
        self.time = time
        self.app = app
        self.call = call
        self.severity = severity
    }

    /// The violation printed like a compiler's error.
    public var description: String {
        "\(app): \(severity.rawValue): \(what) [\(rule)]\n\(app): note: \(advice)"
    }
}

/// Why the phone ended a process.
public struct CauseOfDeath: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The rule that asks for it: `K3` or `K4`; nil when the user closed the app or it was removed.
    public var rule: String?
    /// What a crash report shows: `NSInternalInconsistencyException`, `0xbaadca11`, or a reason.
    public var code: String
    /// The system's message, then what to do.
    public var message: String
    /// When it happened, by the phone's clock.
    public var time: Date
    /// The bundle identifier of the app.
    public var app: String

    /// Makes a cause of death.
    public init(rule: String?, code: String, message: String, time: Date, app: String) {
        self.rule = rule
        self.code = code
        self.message = message
        self.time = time
        self.app = app
    }

    /// The cause as a crash report puts it.
    public var description: String {
        "\(app): terminated: \(code)" + (rule.map { " [\($0)]" } ?? "") + "\n\(app): note: \(message)"
    }
}
