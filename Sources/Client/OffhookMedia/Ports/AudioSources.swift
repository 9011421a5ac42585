// SPDX-License-Identifier: MIT

#if canImport(Glibc)
    import Glibc
#endif

/// Says nothing.
public final class SilenceSource: AudioSource {
    /// Makes a silent source.
    public init() {}

    /// 20 ms of silence.
    public func nextFrame() -> [Int16] {
        [Int16](repeating: 0, count: AudioFormat.frameSamples)
    }
}

/// Says a sine tone without end.
public final class ToneSource: AudioSource {
    private let frequency: Double
    private let amplitude: Double
    private let position = Locked(0)

    /// Makes a tone.
    ///
    /// - Parameters:
    ///   - frequency: Hertz; 440 unless given.
    ///   - level: Peak in dBFS, at most 0; -12 unless given.
    public init(frequency: Double = 440, level: Double = -12) {
        self.frequency = frequency
        amplitude = 32_767 * pow(10, min(0, level) / 20)
    }

    /// The tone's next 20 ms.
    public func nextFrame() -> [Int16] {
        let first = position.withLock { position in
            defer { position += AudioFormat.frameSamples }
            return position
        }
        return (first..<first + AudioFormat.frameSamples).map { index in
            let turns = (Double(index) * frequency / Double(AudioFormat.sampleRate)).truncatingRemainder(dividingBy: 1)
            return Int16(amplitude * sin(2 * Double.pi * turns))
        }
    }
}

/// Says a sound file, brought to 48 kHz mono, once or again and again.
public final class WAVSource: AudioSource {
    private let sound: PCM
    private let resampler: Resampler?
    private let length: Int
    private let repeats: Bool
    private let position = Locked(0)

    /// Reads a WAV file; see ``PCM/init(wav:)`` for what it may be.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - repeats: Whether it begins anew at its end; else silence follows.
    /// - Throws: ``Offhook/MediaFailure`` of code `device` when the file cannot be used.
    public convenience init(path: String, repeats: Bool = false) throws {
        self.init(try PCM(wav: path), repeats: repeats)
    }

    /// Says sound from memory.
    public init(_ sound: PCM, repeats: Bool = false) {
        self.sound = sound
        self.repeats = repeats
        resampler =
            sound.sampleRate == AudioFormat.sampleRate
            ? nil : Resampler(from: sound.sampleRate, to: AudioFormat.sampleRate)
        length = Int(Int64(sound.samples.count) * Int64(AudioFormat.sampleRate) / Int64(sound.sampleRate))
    }

    /// The sound's next 20 ms.
    public func nextFrame() -> [Int16] {
        let first = position.withLock { position in
            defer { position += AudioFormat.frameSamples }
            if repeats, position >= length { position = 0 }
            return position
        }
        if let resampler {
            return resampler.output(of: sound.samples, from: first, count: AudioFormat.frameSamples)
        }
        return Array(sound.samples.dropFirst(first).prefix(AudioFormat.frameSamples))
    }
}
