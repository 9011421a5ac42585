// SPDX-License-Identifier: MIT

import Foundation

@testable import Offhook

/// A peer connection that negotiates through the air.
final class SimulatedPeer: PeerConnection {
    private let air: SimulatedAir
    private let leg: SimulatedAir.Leg
    private let claims: String

    /// Makes one that claims a certificate in its descriptions; its real one is its role's.
    init(
        _ configuration: MediaSessionConfiguration, device: SimulatedDevice, air: SimulatedAir, claims: String? = nil,
        report: @escaping @Sendable (PeerReport) -> Void
    ) {
        self.air = air
        self.claims = claims ?? SimulatedPeer.certificate(configuration.role)
        leg = SimulatedAir.Leg(configuration, device: device)
        leg.peerReport = report
        air.add(leg)
    }

    static func certificate(_ role: MediaSessionConfiguration.Role) -> String {
        role == .offerer ? "AA:01" : "BB:02"
    }

    func describe(_ kind: PeerDescription, _ reply: @escaping @Sendable (Result<String, MediaFailure>) -> Void) {
        air.async { [leg, claims] core in
            let text = "v=0\r\ns=\(kind.rawValue)\r\na=fingerprint:sha-256 \(claims)\r\n"
            leg.local = text
            leg.peerReport(.candidate("candidate of \(leg.configuration.role.rawValue)"))
            reply(.success(text))
            core.settle(leg)
        }
    }

    func setRemote(
        _ kind: PeerDescription, _ text: String, _ reply: @escaping @Sendable (Result<Void, MediaFailure>) -> Void
    ) {
        air.async { [leg] core in
            guard text.hasPrefix("v=0\r\ns=\(kind.rawValue)") else {
                return reply(.failure(MediaFailure(.badSignal, "not a description")))
            }
            leg.remote = text
            reply(.success(()))
            core.settle(leg)
        }
    }

    func addCandidate(_ body: String) {}

    func readFingerprints(_ reply: @escaping @Sendable (Set<PeerFingerprint>) -> Void) {
        air.async { [leg] core in
            guard let peer = core.peer(of: leg) else { return reply([]) }
            reply([
                PeerFingerprint(algorithm: "SHA-256", value: SimulatedPeer.certificate(peer.configuration.role))
            ])
        }
    }

    func readReceivedPackets(_ reply: @escaping @Sendable (Int) -> Void) {
        air.async { [leg] _ in reply(leg.received) }
    }

    func setSending(_ sends: Bool) { air.async { [leg] _ in leg.sends = sends } }
    func setMicrophone(_ on: Bool) { air.async { [leg] _ in leg.hasMicrophone = on } }
    func setPlaying(_ plays: Bool) { air.async { [leg] _ in leg.plays = plays } }
    func playTones(_ tones: String) { air.async { [leg] core in core.peer(of: leg)?.tones += tones } }
    func close() { air.async { [leg] _ in leg.isClosed = true } }
}

/// A room that one other may join.
final class SimulatedRoom: MediaRoom {
    private let air: SimulatedAir
    private let leg: SimulatedAir.Leg

    init(
        _ configuration: MediaSessionConfiguration, device: SimulatedDevice, air: SimulatedAir,
        report: @escaping @Sendable (RoomReport) -> Void
    ) {
        self.air = air
        leg = SimulatedAir.Leg(configuration, device: device)
        leg.roomReport = report
        air.add(leg)
    }

    func join(_ ticket: RoomTicket) {
        air.async { [leg] core in
            guard ticket.token == "\(leg.configuration.role.rawValue) of \(leg.configuration.call)" else {
                return leg.roomReport(.failed("not admitted"))
            }
            leg.isInRoom = true
            core.settle(leg)
        }
    }

    func setPublishing(_ publishes: Bool) { air.async { [leg] _ in leg.sends = publishes } }
    func setMuted(_ muted: Bool) { air.async { [leg] _ in leg.hasMicrophone = !muted } }
    func setPlaying(_ plays: Bool) { air.async { [leg] _ in leg.plays = plays } }

    func readReceivedPackets(_ reply: @escaping @Sendable (Int) -> Void) {
        air.async { [leg] _ in reply(leg.received) }
    }

    func leave() { air.async { [leg] _ in leg.isClosed = true } }
}
