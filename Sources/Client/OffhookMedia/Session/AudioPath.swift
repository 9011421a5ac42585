// SPDX-License-Identifier: MIT

/// The gates between port and transport, and the session's time line; called from GStreamer's audio threads.
///
/// Audio passes only while the switch is open, the peer's identity verified and neither side holds.
final class AudioPath: Sendable {
    /// A step that the session is told of.
    enum Notice: Sendable {
        /// The first sound of the other side was decoded after its identity was verified.
        case firstSound
        /// Sound came after a pause that was reported.
        case soundAgain
    }

    private struct State {
        var isOpen = false
        var isMuted = false
        var isHeld = false
        var isHeldByPeer = false
        var isVerified = false
        var isClosed = false
        var hasHeard = false
        var isInterrupted = false
        var lastHeard: SoundTime?
        var listening = Anchor()
        var arrival = ArrivalClock()
        var speaking = Anchor()

        var isSending: Bool { isOpen && isVerified && !isHeld && !isHeldByPeer && !isClosed }
    }

    /// Ties media times to the machine's clocks; a media time more than 1 s off its moment is tied anew.
    private struct Anchor {
        var time: SoundTime?
        var mediaTime = Duration.zero

        mutating func time(of mediaTime: Duration, now: SoundTime) -> SoundTime {
            if let time {
                let result = time + (mediaTime - self.mediaTime)
                if abs((result - now).nanoseconds) < 1_000_000_000 { return result }
            }
            time = now
            self.mediaTime = mediaTime
            return now
        }
    }

    private let port: AudioPort
    private let state = Locked(State())

    init(port: AudioPort) {
        self.port = port
    }

    func setOpen(_ open: Bool) { state.withLock { $0.isOpen = open } }
    func setMuted(_ muted: Bool) { state.withLock { $0.isMuted = muted } }

    func setHeld(_ held: Bool) {
        state.withLock { state in
            state.isHeld = held
            state.lastHeard = .now()
        }
    }

    func setHeldByPeer(_ held: Bool) {
        state.withLock { state in
            state.isHeldByPeer = held
            state.lastHeard = .now()
        }
    }

    func setVerified() { state.withLock { $0.isVerified = true } }

    /// Shuts every gate for good; ``finish()`` follows when the audio threads have ended.
    func shut() { state.withLock { $0.isClosed = true } }

    /// Tells the recorders that nothing follows.
    func finish() {
        port.speaker?.finish()
        port.sent?.finish()
    }

    /// Whether packets may leave.
    var isSending: Bool { state.withLock { $0.isSending } }

    /// The next 20 ms to send, at the live source's time in nanoseconds; nil when the gates are shut.
    func say(bufferTime: UInt64) -> [Int16]? {
        let now = SoundTime.now()
        let gate = state.withLock { state -> (muted: Bool, time: SoundTime)? in
            guard state.isSending else { return nil }
            return (state.isMuted, state.speaking.time(of: .nanoseconds(Int64(clamping: bufferTime)), now: now))
        }
        guard let gate else { return nil }
        var samples = port.microphone.nextFrame()
        let length = AudioFormat.frameSamples
        if gate.muted { samples = [Int16](repeating: 0, count: length) }
        if samples.count > length { samples.removeLast(samples.count - length) }
        if samples.count < length { samples += [Int16](repeating: 0, count: length - samples.count) }
        port.sent?.write(samples, at: gate.time)
        return samples
    }

    /// Takes the head of a packet whose sound is decoded next.
    func arrive(timestamp: UInt32, source: UInt32) {
        state.withLock { $0.arrival.arrive(timestamp: timestamp, source: source) }
    }

    /// Takes decoded sound of the other side, for the loudspeaker if the gates are open.
    func hear(_ samples: [Int16]) -> Notice? {
        let now = SoundTime.now()
        let (time, notice) = state.withLock { state -> (SoundTime?, Notice?) in
            let position = state.arrival.decode(samples.count)
            guard state.isVerified, !state.isClosed else { return (nil, nil) }
            state.lastHeard = now
            var notice: Notice?
            if !state.hasHeard {
                state.hasHeard = true
                notice = .firstSound
            } else if state.isInterrupted {
                state.isInterrupted = false
                notice = .soundAgain
            }
            guard state.isOpen, !state.isHeld else { return (nil, notice) }
            return (state.listening.time(of: .samples(position, rate: AudioFormat.sampleRate), now: now), notice)
        }
        if let time { port.speaker?.write(samples, at: time) }
        return notice
    }

    /// Whether sound has just been missing for longer than the limit; true once a pause.
    func noticesPause(limit: Duration) -> Bool {
        let now = SoundTime.now()
        return state.withLock { state in
            guard state.hasHeard, !state.isInterrupted, !state.isHeld, !state.isHeldByPeer, !state.isClosed,
                let last = state.lastHeard, now - last > limit
            else { return false }
            state.isInterrupted = true
            return true
        }
    }
}
