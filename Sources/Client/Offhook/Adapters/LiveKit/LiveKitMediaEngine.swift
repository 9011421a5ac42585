// SPDX-License-Identifier: MIT

#if canImport(LiveKit) && !os(macOS)

    import LiveKit
    public import OffhookCore

    /// Carries voice in rooms of LiveKit (github.com/livekit/client-sdk-swift, 2.x).
    ///
    /// The audio session stays CallKit's: LiveKit's automatic configuration is off, and its audio engine is available
    /// inside the phone's audio window alone.
    ///
    /// - Isolation: any thread.
    public final class LiveKitMediaEngine: MediaEngine {
        private let engine: RoomMediaEngine

        /// Makes an engine; call it at launch, before the first call, so that LiveKit never sets the audio session.
        ///
        /// - Parameter tickets: Asks the app's server for admission to a call's room: this side's ticket, then the
        ///   other side's, which travels through signaling. Called for outgoing calls, from any thread.
        public init(tickets: @escaping @Sendable (CallID) async throws -> (own: RoomTicket, other: RoomTicket)) {
            engine = RoomMediaEngine(
                audio: LiveKitAudioSwitch(),
                tickets: { call in
                    let both = try await tickets(call)
                    return RoomMediaEngine.Tickets(own: both.own, other: both.other)
                },
                makeRoom: { _, report in LiveKitRoom(report: report) })
        }

        /// Voice alone.
        public var capabilities: MediaCapabilities { engine.capabilities }

        /// Does nothing.
        public func prepare() async throws { try await engine.prepare() }

        /// Makes a session; see ``MediaEngine/makeSession(_:events:)``.
        public func makeSession(
            _ configuration: MediaSessionConfiguration, events: @escaping @Sendable (MediaEvent) -> Void
        ) throws -> any MediaSession {
            try engine.makeSession(configuration, events: events)
        }
    }

    /// AudioManager by LiveKit's own advice for CallKit (client-sdk-swift, Docs/audio.md and its CallKit example).
    final class LiveKitAudioSwitch: AudioSwitch {
        init() {
            AudioManager.shared.audioSession.isAutomaticConfigurationEnabled = false
            setEnabled(false)
        }

        func setEnabled(_ enabled: Bool) {
            // A failure shows as media that never comes: the call's own deadline ends it.
            try? AudioManager.shared.setEngineAvailability(enabled ? .default : .none)
        }
    }

#endif
