// SPDX-License-Identifier: MIT

/// Puts frames that come with times into one row of samples: a gap between two frames becomes silence.
///
/// A jitter buffer lets its times drift by fractions of a millisecond a frame to follow the sender's clock; that drift
/// is no gap, so that only the step from one frame to the next counts.
struct Timeline {
    /// A step from here on, in samples, is a gap: 10 ms.
    static let tolerance = AudioFormat.frameSamples / 2

    /// When the first sample was.
    private(set) var start: SoundTime?
    private var end: SoundTime?

    /// Takes a frame and tells how much silence belongs before it.
    mutating func append(_ samples: Int, at time: SoundTime) -> Int {
        if start == nil { start = time }
        let gap = end.map { (time - $0).samples(rate: AudioFormat.sampleRate) } ?? 0
        end = time + .samples(samples, rate: AudioFormat.sampleRate)
        return gap >= Self.tolerance ? gap : 0
    }
}
