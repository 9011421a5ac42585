// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import OffhookMedia

/// How late a thread that wants to run is let run: a machine that is busier than that carries no voice in real time.
final class LagMeter: Sendable {
    private let state = Locked((longest: Duration.zero, isOver: false))

    init() {
        let state = state
        Thread.detachNewThread {
            var last = SoundTime.now()
            while !state.withLock({ $0.isOver }) {
                Thread.sleep(forTimeInterval: 0.005)
                let now = SoundTime.now()
                let lag = now - last - .milliseconds(5)
                state.withLock { $0.longest = max($0.longest, lag) }
                last = now
            }
        }
    }

    /// Ends the measurement: the longest lag there was.
    func stop() -> Duration {
        state.withLock { state in
            state.isOver = true
            return state.longest
        }
    }
}

/// What a measurement found to be otherwise than it should be; empty when all was well.
typealias Findings = [String]

/// Measures a voice; again only when something was wrong and the machine visibly could not keep up.
///
/// The lag is that of a thread of this process which asks to run every 5 ms: sound that is 100 ms late is lost.
func measured(
    sourceLocation: SourceLocation = #_sourceLocation, _ measurement: () async throws -> Findings
) async throws {
    let limit = Duration.milliseconds(40)
    for attempt in 1... {
        let meter = LagMeter()
        let findings: Findings
        do {
            findings = try await measurement()
        } catch {
            _ = meter.stop()
            throw error
        }
        let lag = meter.stop()
        guard !findings.isEmpty else { return }
        guard lag > limit, attempt < 20 else {
            Issue.record("measurement \(attempt), lag \(lag): \(findings)", sourceLocation: sourceLocation)
            return
        }
        print("measured again: this machine was \(lag) late, and found was \(findings)")
    }
}

extension [String] {
    /// Notes something that is not so.
    mutating func require(_ isSo: Bool, _ finding: @autoclosure () -> String) {
        if !isSo { append(finding()) }
    }
}
