// SPDX-License-Identifier: MIT

import Offhook

#if canImport(Glibc)
    import Glibc
#endif

/// Writes what it is given into a WAV file, on the session's time line: gaps are silence.
///
/// The file is whole after every frame, also when the process is killed. The time of the first sample is in it
/// (``PCM/start`` after ``PCM/init(wav:)``).
public final class WAVRecorder: AudioSink {
    private struct State {
        var descriptor: Int32
        var timeline = Timeline()
        var offset = WAVFile.headSize
    }

    private let state: Locked<State>

    /// Creates the file, or empties it.
    ///
    /// - Throws: ``Offhook/MediaFailure`` of code `device` when the file cannot be created.
    public init(path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw MediaFailure(.device, "cannot create the sound file \(path): \(String(cString: strerror(errno)))")
        }
        state = Locked(State(descriptor: descriptor))
        Self.put(WAVFile.head(sampleRate: AudioFormat.sampleRate, byteCount: 0, start: nil), descriptor, 0)
    }

    deinit {
        finish()
    }

    /// Appends a frame; after ``finish()`` nothing happens.
    public func write(_ samples: [Int16], at time: SoundTime) {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            let first = state.timeline.start == nil
            let silence = state.timeline.append(samples.count, at: time)
            let bytes = [UInt8](repeating: 0, count: silence * 2) + WAVFile.bytes(of: samples)
            // Samples first, then the sizes: whoever reads in between finds a shorter, correct file.
            if first { Self.put(WAVFile.startBytes(time), state.descriptor, WAVFile.startOffset) }
            Self.put(bytes, state.descriptor, state.offset)
            state.offset += bytes.count
            Self.put(
                WAVFile.little(UInt32(clamping: state.offset - WAVFile.headSize)), state.descriptor,
                WAVFile.dataSizeOffset)
            Self.put(
                WAVFile.little(UInt32(clamping: state.offset - 8)), state.descriptor, WAVFile.riffSizeOffset)
        }
    }

    /// Closes the file.
    public func finish() {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            close(state.descriptor)
            state.descriptor = -1
        }
    }

    /// When the first sample was; nil before it.
    public var start: SoundTime? {
        state.withLock { $0.timeline.start }
    }

    private static func put(_ bytes: [UInt8], _ descriptor: Int32, _ offset: Int) {
        var done = 0
        while done < bytes.count {
            let written = bytes[done...].withUnsafeBytes {
                pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + done))
            }
            if written > 0 {
                done += written
            } else if written == 0 || errno != EINTR {
                return  // A full disk ends the recording, not the call.
            }
        }
    }
}
