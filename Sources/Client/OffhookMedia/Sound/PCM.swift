// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    import Glibc
#endif

/// One channel of sound as 16-bit samples.
public struct PCM: Hashable, Sendable {
    /// Samples a second: 48,000 everywhere in a call.
    public var sampleRate: Int
    /// The samples, -32,768 to 32,767.
    public var samples: [Int16]
    /// When the first sample was said or heard; nil when nothing tells.
    public var start: SoundTime?

    /// Makes sound of samples.
    ///
    /// - Precondition: `sampleRate` is 1 or more.
    public init(sampleRate: Int = AudioFormat.sampleRate, samples: [Int16], start: SoundTime? = nil) {
        precondition(sampleRate >= 1, "a sample rate is 1 or more")
        self.sampleRate = sampleRate
        self.samples = samples
        self.start = start
    }

    /// How long the sound lasts.
    public var duration: Duration {
        .samples(samples.count, rate: sampleRate)
    }

    /// The root mean square level in dBFS: 0 for a full-scale square wave, -120 for silence.
    public var level: Double {
        guard !samples.isEmpty else { return -120 }
        var energy = 0.0
        for sample in samples { energy += Double(sample) * Double(sample) }
        let root = (energy / Double(samples.count)).squareRoot() / 32_768
        return root > 1e-6 ? 20 * log10(root) : -120
    }

    /// A part of the sound; what lies outside is left out, and the start time moves along.
    ///
    /// - Parameters:
    ///   - offset: Where the part begins, from the first sample on.
    ///   - length: How long it is; to the end unless given.
    /// - Returns: The part; empty when nothing of it lies inside.
    public func part(from offset: Duration, length: Duration? = nil) -> PCM {
        let first = min(max(0, offset.samples(rate: sampleRate)), samples.count)
        let count = length.map { max(0, $0.samples(rate: sampleRate)) } ?? samples.count
        let last = min(samples.count, first + min(count, samples.count))
        return PCM(
            sampleRate: sampleRate, samples: Array(samples[first..<last]),
            start: start.map { $0 + .samples(first, rate: sampleRate) })
    }

    /// The same sound at another rate, by a windowed sinc.
    ///
    /// - Precondition: `rate` is 1 or more.
    public func resampled(to rate: Int) -> PCM {
        guard rate != sampleRate else { return self }
        let resampler = Resampler(from: sampleRate, to: rate)
        let count = Int(Int64(samples.count) * Int64(rate) / Int64(sampleRate))
        return PCM(sampleRate: rate, samples: resampler.output(of: samples, from: 0, count: count), start: start)
    }
}

/// The one format that audio ports move.
public enum AudioFormat {
    /// Samples a second.
    public static let sampleRate = 48_000
    /// Samples in one frame of 20 ms.
    public static let frameSamples = 960
}
