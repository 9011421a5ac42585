// SPDX-License-Identifier: MIT

#if canImport(WebRTC) && !os(macOS)

    import AVFAudio
    import Foundation
    import WebRTC

    /// Carries voice by WebRTC.framework (github.com/stasel/WebRTC, or another build of libwebrtc for iOS).
    ///
    /// The audio session stays CallKit's: `RTCAudioSession` works in manual mode, and its audio is enabled inside the
    /// phone's audio window alone. The peer's certificate is compared with its description before any audio flows.
    ///
    /// - Isolation: any thread.
    public final class WebRTCMediaEngine: MediaEngine {
        private let engine: PeerMediaEngine

        /// Makes an engine; call it at launch, before the first call, so that WebRTC never activates the audio session.
        ///
        /// - Parameter iceServers: URLs of STUN and TURN servers, with user name and password where needed.
        public init(iceServers: [IceServer] = []) {
            let factory = WebRTCFactory()
            engine = PeerMediaEngine(audio: WebRTCAudioSwitch()) { _, report in
                try WebRTCConnection(factory: factory.connections, iceServers: iceServers, report: report)
            }
        }

        /// A STUN or TURN server.
        public struct IceServer: Hashable, Sendable {
            /// Such as `turn:turn.example.com:3478`.
            public var url: String
            /// The user's name, for TURN.
            public var username: String?
            /// The user's password, for TURN.
            public var credential: String?

            /// Makes a server.
            public init(url: String, username: String? = nil, credential: String? = nil) {
                self.url = url
                self.username = username
                self.credential = credential
            }
        }

        /// Voice and DTMF.
        public var capabilities: MediaCapabilities { engine.capabilities }

        /// Does nothing: the factory was made at launch.
        public func prepare() async throws { try await engine.prepare() }

        /// Makes a session; see ``MediaEngine/makeSession(_:events:)``.
        public func makeSession(
            _ configuration: MediaSessionConfiguration, events: @escaping @Sendable (MediaEvent) -> Void
        ) throws -> any MediaSession {
            try engine.makeSession(configuration, events: events)
        }
    }

    /// The factory of all peer connections; its threads are WebRTC's own.
    private final class WebRTCFactory {
        let connections = RTCPeerConnectionFactory()
    }

    // Set once; a factory may be used from any thread.
    extension WebRTCFactory: @unchecked Sendable {}

    /// RTCAudioSession in manual mode (RTCAudioSession.h: useManualAudio, isAudioEnabled, audioSessionDidActivate).
    final class WebRTCAudioSwitch: AudioSwitch {
        init() {
            let session = RTCAudioSession.sharedInstance()
            session.useManualAudio = true
            session.isAudioEnabled = false
        }

        func setEnabled(_ enabled: Bool) {
            let session = RTCAudioSession.sharedInstance()
            if enabled {
                session.audioSessionDidActivate(AVAudioSession.sharedInstance())
                session.isAudioEnabled = true
            } else {
                session.isAudioEnabled = false
                session.audioSessionDidDeactivate(AVAudioSession.sharedInstance())
            }
        }
    }

#endif
