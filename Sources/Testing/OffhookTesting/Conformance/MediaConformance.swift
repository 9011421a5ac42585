// SPDX-License-Identifier: MIT

import Offhook

/// Tries a media engine against every clause of ``Offhook/MediaContract``.
///
/// Two engines are made, one for each end of a call; what their sessions signal goes through the trial's own relay.
/// Each clause has calls of its own, so that one broken clause does not hide another. Nothing sleeps to be right: a
/// trial waits for events and for the engine's own progress, and gives up when its patience ends.
///
/// ```swift
/// @Test func myEngineKeepsTheContract() async throws {
///     let report = try await MediaConformance { MediaCandidate(MyEngine()) }.run()
///     #expect(report.failures.isEmpty, "\(report)")
/// }
/// ```
public struct MediaConformance: Sendable {
    /// How long an awaited event may take, in seconds; 30 unless set.
    public var patience = 30.0
    /// How long a method may take, in seconds; 0.25 unless set.
    ///
    /// Judged by the best of three trials (M1).
    public var methodLimit = 0.25
    private let makeCandidate: @Sendable () async throws -> MediaCandidate

    /// Makes a trial; the closure is called twice, once for each end of the calls.
    public init(_ makeCandidate: @escaping @Sendable () async throws -> MediaCandidate) {
        self.makeCandidate = makeCandidate
    }

    /// Tries every clause, in order.
    ///
    /// - Returns: A finding for each clause.
    /// - Throws: What making or preparing the engines throws; a broken clause is a finding, never thrown.
    public func run() async throws -> ConformanceReport {
        let candidates = [try await makeCandidate(), try await makeCandidate()]
        for candidate in candidates { try await candidate.engine.prepare() }
        let trial = ClauseTrial(candidates: candidates, patience: patience, methodLimit: methodLimit)
        var findings: [ConformanceReport.Finding] = []
        for clause in MediaContract.Clause.allCases {
            findings.append(ConformanceReport.Finding(clause, await trial.verdict(on: clause)))
        }
        return ConformanceReport(findings: findings)
    }
}
