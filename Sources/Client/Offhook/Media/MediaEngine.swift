// SPDX-License-Identifier: MIT

public import OffhookCore

/// Carries a call's voice; Offhook drives it and never reads its signals (design decision 13).
public protocol MediaEngine: AnyObject, Sendable {
    /// What the engine can do.
    var capabilities: MediaCapabilities { get }

    /// Warms the engine up, so that the first call starts fast. Called once at launch, from any thread.
    ///
    /// - Throws: ``MediaFailure`` when the engine cannot work here, such as for a missing plug-in.
    func prepare() async throws

    /// Makes the media session of one call leg and one generation.
    ///
    /// Negotiation starts at once; no audio moves before ``MediaSession/setAudioOpen(_:)``.
    ///
    /// - Parameters:
    ///   - configuration: The leg's role and generation.
    ///   - events: Called in order, one at a time, from the engine's own thread; returns at once.
    /// - Returns: The session, its audio switch closed.
    /// - Throws: ``MediaFailure`` when no session can be made.
    func makeSession(
        _ configuration: MediaSessionConfiguration, events: @escaping @Sendable (MediaEvent) -> Void
    ) throws -> any MediaSession
}

/// One call leg's media; all methods return at once and may come from any thread.
public protocol MediaSession: AnyObject, Sendable {
    /// Takes a signal of the other side, in order of arrival.
    func receive(_ signal: MediaSignal)

    /// The one audio switch: true between didActivate and didDeactivate only (S1, R70).
    func setAudioOpen(_ open: Bool)

    /// Sends silence while true; what the other side says is still heard (G6).
    func setMuted(_ muted: Bool)

    /// Stops audio both ways while true (R47).
    func setHeld(_ held: Bool)

    /// Ends the session; idempotent. No event follows.
    func close()
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
    /// The generation that signals carry.
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
    /// The transport is up and the peer's identity verified; audio may flow once the switch is open.
    case connected
    /// The first media of the other side arrived (R94); comes once, after `connected`.
    case remoteMedia
    /// Media stopped arriving; the call goes on (R93).
    case interrupted
    /// Media arrives again.
    case restored
    /// The session is over; `close()` is still to be called.
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
