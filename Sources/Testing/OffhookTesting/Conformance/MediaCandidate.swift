// SPDX-License-Identifier: MIT

public import Offhook

/// A media engine on trial: the engine, and how to look at what it does beside its events.
public struct MediaCandidate: Sendable {
    /// The engine.
    public var engine: any MediaEngine
    /// Counts what the engine does.
    public var probe: MediaProbe

    /// Makes a candidate.
    public init(_ engine: any MediaEngine, probe: MediaProbe = MediaProbe()) {
        self.engine = engine
        self.probe = probe
    }
}

/// Counts what an engine does beside its events; called from any thread, at any time.
///
/// Each count only grows. A count that cannot be had is nil: the clauses that need it are then not checked, and the
/// report says so.
public struct MediaProbe: Sendable {
    /// How many frames of audio a session has sent, silence of a muted microphone included (M6, M9).
    public var sent: (@Sendable (MediaSessionConfiguration) -> Int)?
    /// How many frames with sound in them a session has sent: none while muted (M9).
    ///
    /// The microphone of a candidate must not be silent.
    public var sentSound: (@Sendable (MediaSessionConfiguration) -> Int)?
    /// How many frames of the other side a session has played (M6, M9).
    public var played: (@Sendable (MediaSessionConfiguration) -> Int)?
    /// How many frames a session's microphone has given (M14).
    public var captured: (@Sendable (MediaSessionConfiguration) -> Int)?
    /// The tones that a session has heard of the other side, in order (M12).
    public var tones: (@Sendable (MediaSessionConfiguration) -> String)?
    /// How often the audio session's category or activation was set by the engine (M11).
    public var audioSessionTouches: (@Sendable () -> Int)?

    /// Makes a probe that counts nothing.
    public init() {}
}
