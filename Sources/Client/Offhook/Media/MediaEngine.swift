// SPDX-License-Identifier: MIT

public import OffhookCore

/// Carries a call's voice; Offhook drives one engine and never reads its signals.
///
/// Its contract is ``MediaContract``: the clauses M1 to M18, each in full in docs/media-engines.md, each checked by
/// `MediaConformance` of OffhookTesting. An engine never ends or reports a call (M10), and never touches the audio
/// session's category or activation (M11). Offhook calls it on a queue beside its own, so that an engine that breaks
/// the contract fails its call and nothing else.
public protocol MediaEngine: AnyObject, Sendable {
    /// What the engine can do; the same for the engine's life. Read on the app's thread.
    var capabilities: MediaCapabilities { get }

    /// Warms the engine up, so that the first call starts fast.
    ///
    /// Called at launch, from any thread; may be called again, also while it runs (M17).
    ///
    /// - Throws: ``MediaFailure`` when the engine cannot work here, such as for a missing plug-in.
    func prepare() async throws

    /// Makes the media session of one call leg and one generation.
    ///
    /// Returns at once (M1): negotiation goes on behind it. No audio moves before ``MediaSession/setAudioOpen(_:)``
    /// (M6). Sessions of several calls live side by side and do not disturb each other (M18).
    ///
    /// - Parameters:
    ///   - configuration: The leg's role and generation.
    ///   - events: Called in order, one at a time (M4), from the engine's own thread and never from inside a method
    ///     (M5); returns at once.
    /// - Returns: The session, its audio switch closed.
    /// - Throws: ``MediaFailure`` when no session can be made.
    func makeSession(
        _ configuration: MediaSessionConfiguration, events: @escaping @Sendable (MediaEvent) -> Void
    ) throws -> any MediaSession
}

/// One call leg's media; all methods return at once and may come from any thread (M1).
public protocol MediaSession: AnyObject, Sendable {
    /// Takes a signal of the other side, in order of arrival.
    ///
    /// One of another generation is ignored (M15); one that cannot be used fails the session (M16).
    func receive(_ signal: MediaSignal)

    /// The one audio switch: true between didActivate and didDeactivate only (M6, S1, R70).
    func setAudioOpen(_ open: Bool)

    /// Sends silence while true; what the other side says is still heard (M9, G6).
    func setMuted(_ muted: Bool)

    /// Stops audio both ways while true (M9, R47).
    func setHeld(_ held: Bool)

    /// Sends DTMF digits (RFC 4733), in order; `,` is a pause of 2 s, `;` ends the digits (M12, R50).
    ///
    /// Called only when the engine's capabilities have `dtmf`.
    func playTones(_ tones: String)

    /// Shows this camera's picture to the other side; nil shows none (M13, R114).
    ///
    /// Called only when the engine's capabilities have `video`.
    func setCamera(_ camera: CameraFacing?)

    /// The phone translates the call's speech: the microphone must keep running while muted (M14, R119).
    func setTranslation(_ translation: Translation?)

    /// Ends the session; may come twice and may come first (M2). No event follows (M3).
    func close()
}

extension MediaSession {
    /// Does nothing: the engine has no DTMF.
    public func playTones(_ tones: String) {}
    /// Does nothing: the engine has no video.
    public func setCamera(_ camera: CameraFacing?) {}
    /// Does nothing: a mute gate behind the microphone keeps it running.
    public func setTranslation(_ translation: Translation?) {}
}

/// What a media engine can do.
public struct MediaCapabilities: Hashable, Sendable {
    /// Whether the engine carries video.
    public var video: Bool
    /// Whether the engine sends DTMF.
    public var dtmf: Bool

    /// Makes capabilities.
    public init(video: Bool = false, dtmf: Bool = false) {
        self.video = video
        self.dtmf = dtmf
    }
}

/// What a media session is made for.
public struct MediaSessionConfiguration: Hashable, Sendable {
    /// Which side starts the negotiation.
    public enum Role: String, Hashable, Sendable, Codable {
        /// Sends the offer: the caller.
        case offerer
        /// Waits for the offer: the callee.
        case answerer
    }

    /// The call.
    public var call: CallID
    /// This side's role.
    public var role: Role
    /// The generation that its signals carry (M15).
    public var generation: Int

    /// Makes a configuration.
    public init(call: CallID, role: Role, generation: Int = 0) {
        self.call = call
        self.role = role
        self.generation = generation
    }
}

/// What a media session tells Offhook.
public enum MediaEvent: Hashable, Sendable {
    /// Send this to the other side.
    case signal(MediaSignal)
    /// The transport is up and the peer's identity verified; audio may flow once the switch is open. Comes once (M4).
    case connected
    /// The first media of the other side arrived (R94); comes once, after `connected` (M7).
    case remoteMedia
    /// Media stopped arriving; the call goes on (M10, R93). Takes turns with `restored` (M8).
    case interrupted
    /// Media arrives again.
    case restored
    /// The other side's picture comes (true) or stopped (R114).
    case remoteVideo(Bool)
    /// The session is over; nothing follows, and `close()` is still called (M16).
    case failed(MediaFailure)
}

/// Why media failed.
public struct MediaFailure: Error, Hashable, Sendable {
    /// A failure's kind.
    public enum Code: String, Hashable, Sendable, Codable {
        /// The peer's certificate is not the one its description named.
        case peerIdentity
        /// The two sides found no way to each other.
        case connectivity
        /// A description or candidate cannot be used.
        case badSignal
        /// The engine or a part of it is missing or broken.
        case engine
        /// A sound file or device cannot be used.
        case device
    }

    /// What kind of failure.
    public var code: Code
    /// What happened and what to do, for people.
    public var message: String

    /// Makes a failure.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
