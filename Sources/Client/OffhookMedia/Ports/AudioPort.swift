// SPDX-License-Identifier: MIT

/// What a call's voice is connected to: the place of microphone and loudspeaker.
public struct AudioPort: Sendable {
    /// What is said.
    public var microphone: any AudioSource
    /// Takes what is heard of the other side; nil throws it away.
    public var speaker: (any AudioSink)?
    /// Takes what was really sent, after the mute gate; nil when nobody wants it.
    public var sent: (any AudioSink)?

    /// Makes a port.
    public init(
        microphone: any AudioSource = SilenceSource(), speaker: (any AudioSink)? = nil, sent: (any AudioSink)? = nil
    ) {
        self.microphone = microphone
        self.speaker = speaker
        self.sent = sent
    }
}

/// Gives sound in frames of 20 ms: 960 samples of 48 kHz mono.
///
/// Called from the session's audio thread, once every 20 ms while the audio switch is open, the session is connected
/// and not held; also while muted, because a microphone does not wait.
public protocol AudioSource: AnyObject, Sendable {
    /// The next frame; one that is too short is filled up with silence, one that is too long is cut.
    func nextFrame() -> [Int16]
}

/// Takes sound in frames of 48 kHz mono.
///
/// Called from an audio thread of the session, one frame after the other; returns at once.
public protocol AudioSink: AnyObject, Sendable {
    /// Takes one frame.
    ///
    /// - Parameters:
    ///   - samples: The samples, mostly 960.
    ///   - time: When the first of them is on the session's time line; between frames there may be gaps.
    func write(_ samples: [Int16], at time: SoundTime)

    /// The session is closed; no frame follows.
    func finish()
}
