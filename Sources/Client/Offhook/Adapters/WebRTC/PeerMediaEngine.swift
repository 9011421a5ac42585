// SPDX-License-Identifier: MIT

/// The engine behind the WebRTC adapter, for any kind of peer connection.
final class PeerMediaEngine: MediaEngine {
    typealias MakeConnection =
        @Sendable (MediaSessionConfiguration, @escaping @Sendable (PeerReport) -> Void) throws -> any PeerConnection

    private let audio: SharedAudioSwitch
    private let rhythm: AdapterSession.Rhythm
    private let makeConnection: MakeConnection

    init(
        audio: any AudioSwitch, rhythm: AdapterSession.Rhythm = AdapterSession.Rhythm(),
        makeConnection: @escaping MakeConnection
    ) {
        self.audio = SharedAudioSwitch(audio)
        self.rhythm = rhythm
        self.makeConnection = makeConnection
    }

    var capabilities: MediaCapabilities { MediaCapabilities(dtmf: true) }

    func prepare() async throws {}

    func makeSession(
        _ configuration: MediaSessionConfiguration, events: @escaping @Sendable (MediaEvent) -> Void
    ) throws -> any MediaSession {
        let session = PeerSession(configuration, audio: audio, rhythm: rhythm, events: events)
        let make = makeConnection
        session.start { try make(configuration, $0) }
        return session
    }
}
