// SPDX-License-Identifier: MIT

#if canImport(LiveKit) && !os(macOS)

    import LiveKit

    /// LiveKit's Room as the adapter uses it; its asynchronous methods are called one after the other.
    final class LiveKitRoom: MediaRoom, RoomDelegate {
        private let room: Room
        private let report: @Sendable (RoomReport) -> Void
        private let orders: AsyncStream<@Sendable () async -> Void>.Continuation

        init(report: @escaping @Sendable (RoomReport) -> Void) {
            self.report = report
            room = Room(roomOptions: RoomOptions(reportRemoteTrackStatistics: true))
            let (stream, orders) = AsyncStream.makeStream(of: (@Sendable () async -> Void).self)
            self.orders = orders
            room.add(delegate: self)
            Task { for await order in stream { await order() } }
        }

        func join(_ ticket: RoomTicket) {
            orders.yield { [room, report] in
                do {
                    try await room.connect(url: ticket.url, token: ticket.token)
                    if !room.remoteParticipants.isEmpty { report(.bothPresent) }
                } catch {
                    report(.failed("\(error)"))
                }
            }
        }

        func setPublishing(_ publishes: Bool) {
            orders.yield { [room, report] in
                do {
                    if publishes {
                        try await room.localParticipant.setMicrophone(enabled: true)
                    } else {
                        await room.localParticipant.unpublishAll()
                    }
                } catch {
                    report(.failed("the microphone cannot be published: \(error)"))
                }
            }
        }

        func setMuted(_ muted: Bool) {
            // The default mute mode, voiceProcessing, mutes behind the microphone (Docs/audio.md).
            orders.yield { AudioManager.shared.isMicrophoneMuted = muted }
        }

        func setPlaying(_ plays: Bool) {
            orders.yield { [room] in
                for publication in room.remoteParticipants.values.flatMap(\.audioTracks) {
                    (publication.track as? RemoteAudioTrack)?.volume = plays ? 1 : 0
                }
            }
        }

        // The count is of bytes: all that matters is that it grows. Reports come once a second.
        func readReceivedPackets(_ reply: @escaping @Sendable (Int) -> Void) {
            let tracks = room.remoteParticipants.values.flatMap(\.audioTracks).compactMap(\.track)
            let bytes = tracks.flatMap { $0.statistics?.inboundRtpStream ?? [] }.compactMap(\.bytesReceived)
            reply(Int(clamping: bytes.reduce(0, &+)))
        }

        func leave() {
            orders.yield { [room] in await room.disconnect() }
            orders.finish()
        }

        func room(_ room: Room, participantDidConnect participant: RemoteParticipant) {
            report(.bothPresent)
        }

        func room(_ room: Room, didDisconnectWithError error: LiveKitError?) {
            report(.failed(error.map { "\($0)" } ?? "the room was closed"))
        }
    }

#endif
