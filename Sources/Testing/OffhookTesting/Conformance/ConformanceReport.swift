// SPDX-License-Identifier: MIT

public import Offhook

/// What a trial found: each clause of the contract, and how the engine kept it.
public struct ConformanceReport: Hashable, Sendable {
    /// How a clause came out.
    public enum Verdict: Hashable, Sendable {
        /// The engine kept it.
        case passed
        /// The engine broke it; the text says what was seen and what to do.
        case failed(String)
        /// It could not be looked at; the text says what the trial needs.
        case notChecked(String)
    }

    /// A clause and its verdict.
    public struct Finding: Hashable, Sendable {
        /// The clause.
        public var clause: MediaContract.Clause
        /// How it came out.
        public var verdict: Verdict

        /// Makes a finding.
        public init(_ clause: MediaContract.Clause, _ verdict: Verdict) {
            self.clause = clause
            self.verdict = verdict
        }
    }

    /// The version of the contract that was checked.
    public var version = MediaContract.version
    /// Every clause, in order.
    public var findings: [Finding]

    /// Makes a report.
    public init(findings: [Finding]) {
        self.findings = findings
    }

    /// The clauses that were broken; empty is what a test expects.
    public var failures: [Finding] {
        findings.filter { if case .failed = $0.verdict { true } else { false } }
    }

    /// The clauses that could not be looked at.
    public var unchecked: [Finding] {
        findings.filter { if case .notChecked = $0.verdict { true } else { false } }
    }
}

extension ConformanceReport: CustomStringConvertible {
    /// One line for each clause.
    public var description: String {
        findings.map(\.description).joined(separator: "\n")
    }
}

extension ConformanceReport.Finding: CustomStringConvertible {
    /// Number, name and verdict.
    public var description: String {
        switch verdict {
        case .passed: "\(clause.rawValue) \(clause): kept"
        case .failed(let text): "\(clause.rawValue) \(clause): BROKEN: \(text)"
        case .notChecked(let text): "\(clause.rawValue) \(clause): not checked: \(text)"
        }
    }
}
