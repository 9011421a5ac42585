// SPDX-License-Identifier: MIT

import OffhookCore

/// The engine behind the LiveKit adapter, for any kind of room.
final class RoomMediaEngine: MediaEngine {
    /// Admission for both sides of a call.
    struct Tickets: Hashable, Sendable {
        var own: RoomTicket
        var other: RoomTicket
    }

    typealias MakeRoom =
        @Sendable (MediaSessionConfiguration, @escaping @Sendable (RoomReport) -> Void) throws -> any MediaRoom

    private let audio: SharedAudioSwitch
    private let rhythm: AdapterSession.Rhythm
    private let tickets: @Sendable (CallID) async throws -> Tickets
    private let makeRoom: MakeRoom

    init(
        audio: any AudioSwitch, rhythm: AdapterSession.Rhythm = AdapterSession.Rhythm(),
        tickets: @escaping @Sendable (CallID) async throws -> Tickets, makeRoom: @escaping MakeRoom
    ) {
        self.audio = SharedAudioSwitch(audio)
        self.rhythm = rhythm
        self.tickets = tickets
        self.makeRoom = makeRoom
    }

    var capabilities: MediaCapabilities { MediaCapabilities() }

    func prepare() async throws {}

    func makeSession(
        _ configuration: MediaSessionConfiguration, events: @escaping @Sendable (MediaEvent) -> Void
    ) throws -> any MediaSession {
        let session = RoomSession(configuration, audio: audio, rhythm: rhythm, events: events)
        let make = makeRoom
        session.start({ try make(configuration, $0) }, tickets: tickets)
        return session
    }
}
