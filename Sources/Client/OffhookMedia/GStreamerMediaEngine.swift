// SPDX-License-Identifier: MIT

public import Offhook

/// Carries voice on Linux: Opus over DTLS-SRTP with ICE, by GStreamer's webrtcbin.
///
/// The peer's certificate is compared with its description before any audio leaves or is played. A call's sound goes
/// through the ``AudioPort`` that the app gives; no sound device is touched.
///
/// - Isolation: any thread.
public final class GStreamerMediaEngine: MediaEngine {
    private let options: MediaOptions
    private let port: @Sendable (MediaSessionConfiguration) throws -> AudioPort

    /// Makes an engine; nothing is loaded before ``prepare()``.
    ///
    /// - Parameters:
    ///   - options: How sessions are made.
    ///   - port: Gives the audio port of each session, from the thread that calls ``makeSession(_:events:)``.
    public init(
        options: MediaOptions = MediaOptions(),
        port: @escaping @Sendable (MediaSessionConfiguration) throws -> AudioPort
    ) {
        self.options = options
        self.port = port
    }

    /// Voice only, no DTMF.
    public var capabilities: MediaCapabilities { MediaCapabilities() }

    /// Loads GStreamer's plug-ins and makes one offer that is thrown away, so that the first call starts fast.
    ///
    /// - Throws: ``Offhook/MediaFailure`` of code `engine` that names a missing element and its Debian package.
    public func prepare() async throws {
        try GStreamerLibrary.check(options)
        try await WebRTCSession.warmUp(options)
    }

    /// Makes a session; see ``Offhook/MediaEngine/makeSession(_:events:)``.
    ///
    /// - Throws: ``Offhook/MediaFailure`` of code `engine` when a GStreamer element is missing; what `port` throws.
    public func makeSession(
        _ configuration: MediaSessionConfiguration, events: @escaping @Sendable (MediaEvent) -> Void
    ) throws -> any MediaSession {
        try GStreamerLibrary.check(options)
        let session = WebRTCSession(
            configuration, options: options, port: try port(configuration), events: events)
        session.start()
        return session
    }
}

/// How the voice engine's sessions are made.
public struct MediaOptions: Hashable, Sendable {
    /// Which interfaces carry media.
    public enum Network: String, Hashable, Sendable, Codable {
        /// 127.0.0.1 alone; candidates of other addresses are neither sent nor taken.
        case loopback
        /// Every interface of the machine.
        case all
    }

    /// Which interfaces carry media; loopback unless given.
    public var network: Network
    /// How long the jitter buffer waits for a late packet: 0 to 1 s, 60 ms unless given.
    public var latency: Duration
    /// Bits of Opus a second: 6,000 to 510,000; 48,000 unless given.
    public var bitRate: Int
    /// How long the transport may take to come up once both descriptions are there; 30 s unless given.
    public var connectLimit: Duration
    /// How long no packet may arrive before media counts as interrupted (R93); 2 s unless given.
    public var silenceLimit: Duration
    /// GStreamer elements beyond the engine's own that must be there.
    var furtherElements: [String: String] = [:]

    /// Makes options.
    public init(
        network: Network = .loopback, latency: Duration = .milliseconds(60), bitRate: Int = 48_000,
        connectLimit: Duration = .seconds(30), silenceLimit: Duration = .seconds(2)
    ) {
        self.network = network
        self.latency = latency
        self.bitRate = bitRate
        self.connectLimit = connectLimit
        self.silenceLimit = silenceLimit
    }
}
