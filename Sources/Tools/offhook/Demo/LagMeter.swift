// SPDX-License-Identifier: MIT

import Foundation
import OffhookNet

/// How late a thread that wants to run is let run; sound that is 100 ms late is lost.
final class LagMeter: Sendable {
    private let state = Guarded((longest: Int64(0), isOver: false))

    /// Begins to measure, on a thread of its own that asks to run every 5 ms.
    init() {
        Thread.detachNewThread { [state] in
            var last = SystemClock.steadyMilliseconds()
            while !state.withLock({ $0.isOver }) {
                Thread.sleep(forTimeInterval: 0.005)
                let now = SystemClock.steadyMilliseconds()
                let lag = now - last - 5
                state.withLock { $0.longest = max($0.longest, lag) }
                last = now
            }
        }
    }

    /// Ends the measurement: the longest lag there was, in milliseconds.
    func stop() -> Int64 {
        state.withLock { state in
            state.isOver = true
            return state.longest
        }
    }
}
