// SPDX-License-Identifier: MIT

/// Puts frames that come with times into one row of samples: gaps become silence, small jitter is smoothed away.
struct Timeline {
    /// A gap from here on is filled; below it is the clocks' jitter.
    static let tolerance = AudioFormat.frameSamples * 2

    /// When the first sample was.
    private(set) var start: SoundTime?
    /// Samples so far.
    private(set) var count = 0

    /// Takes a frame and tells how much silence belongs before it.
    mutating func append(_ samples: Int, at time: SoundTime) -> Int {
        guard let start else {
            start = time
            count = samples
            return 0
        }
        let gap = (time - start).samples(rate: AudioFormat.sampleRate) - count
        let silence = gap >= Self.tolerance ? gap : 0
        count += silence + samples
        return silence
    }
}
