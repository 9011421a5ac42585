// SPDX-License-Identifier: MIT

import Dispatch
import Foundation

/// Turns SIGTERM and SIGINT into elements of a stream; a second one ends the process as if nothing were caught.
final class TerminationSignals {
    /// The signals as they come.
    let stream: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    /// Catches the signals from now on, as long as the object lives.
    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        self.stream = stream
        let queue = DispatchQueue(label: "offhook.signals")
        sources = [SIGTERM, SIGINT].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
            source.setEventHandler {
                for caught in [SIGTERM, SIGINT] { signal(caught, SIG_DFL) }
                continuation.yield(number)
            }
            source.resume()
            return source
        }
    }

    deinit {
        for source in sources { source.cancel() }
    }
}
