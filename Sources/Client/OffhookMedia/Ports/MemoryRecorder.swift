// SPDX-License-Identifier: MIT

/// Keeps what it is given in memory, on the session's time line: gaps are silence.
public final class MemoryRecorder: AudioSink {
    private struct State {
        var timeline = Timeline()
        var samples: [Int16] = []
    }

    private let state = Locked(State())

    /// Makes an empty recorder.
    public init() {}

    /// Appends a frame.
    public func write(_ samples: [Int16], at time: SoundTime) {
        state.withLock { state in
            let silence = state.timeline.append(samples.count, at: time)
            state.samples += [Int16](repeating: 0, count: silence)
            state.samples += samples
        }
    }

    /// Nothing to do: the recording stays.
    public func finish() {}

    /// What is recorded so far, with the time of its first sample.
    public var recording: PCM {
        state.withLock { PCM(samples: $0.samples, start: $0.timeline.start) }
    }
}
