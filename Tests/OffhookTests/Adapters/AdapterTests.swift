// SPDX-License-Identifier: MIT

import Foundation
import OffhookCore
import OffhookNet
import OffhookTesting
import Testing

@testable import Offhook

/// The adapters for WebRTC.framework and LiveKit, with doubles in place of the frameworks.
@Suite(.timeLimit(.minutes(2))) struct AdapterTests {
    private static let rhythm = AdapterSession.Rhythm(interval: 2, patience: 25)

    private func probe(_ air: SimulatedAir, _ device: SimulatedDevice) -> MediaProbe {
        let counts = air.probe(device)
        var probe = MediaProbe()
        probe.sent = counts.count { $0.sent }
        probe.sentSound = counts.count { $0.sentSound }
        probe.played = counts.count { $0.played }
        probe.captured = counts.count { $0.sent }
        probe.tones = { counts.find($0) { $0.tones } ?? "" }
        return probe
    }

    private func peerEngine(_ air: SimulatedAir, _ device: SimulatedDevice, claims: String? = nil) -> PeerMediaEngine {
        PeerMediaEngine(audio: device, rhythm: AdapterTests.rhythm) { configuration, report in
            SimulatedPeer(configuration, device: device, air: air, claims: claims, report: report)
        }
    }

    private func roomEngine(_ air: SimulatedAir, _ device: SimulatedDevice) -> RoomMediaEngine {
        RoomMediaEngine(audio: device, rhythm: AdapterTests.rhythm) { call in
            func ticket(_ role: String) -> RoomTicket {
                RoomTicket(url: "wss://rooms.example.com", token: "\(role) of \(call)")
            }
            return RoomMediaEngine.Tickets(own: ticket("offerer"), other: ticket("answerer"))
        } makeRoom: { configuration, report in
            SimulatedRoom(configuration, device: device, air: air, report: report)
        }
    }

    @Test("R91-R94, R119: the WebRTC adapter keeps the media contract") func webRTC() async throws {
        let air = SimulatedAir()
        let report = try await MediaConformance {
            let device = SimulatedDevice()
            return MediaCandidate(peerEngine(air, device), probe: probe(air, device))
        }.run()
        #expect(report.failures.isEmpty, "\(report)")
        #expect(report.unchecked.map(\.clause) == [.audioSessionUntouched])
    }

    @Test("R91-R94, R119: the LiveKit adapter keeps the media contract") func liveKit() async throws {
        let air = SimulatedAir()
        let report = try await MediaConformance {
            let device = SimulatedDevice()
            return MediaCandidate(roomEngine(air, device), probe: probe(air, device))
        }.run()
        #expect(report.failures.isEmpty, "\(report)")
        #expect(report.unchecked.map(\.clause) == [.audioSessionUntouched])
    }

    private func until(_ what: String, _ condition: () -> Bool) async throws {
        let limit = ContinuousClock.now + .seconds(30)
        while !condition() {
            try #require(ContinuousClock.now < limit, "never came: \(what)")
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    @Test("a certificate that the description does not name: no audio, and the failure says so")
    func tamperedFingerprint() async throws {
        let air = SimulatedAir()
        let (device, otherDevice) = (SimulatedDevice(), SimulatedDevice())
        let call = CallID(high: 1, low: 1)
        let configuration = MediaSessionConfiguration(call: call, role: .offerer)
        let events = Guarded<[MediaEvent]>([])
        let sessions = Guarded<[any MediaSession]>([])
        let honest = try peerEngine(air, device).makeSession(configuration) { event in
            events.withLock { $0.append(event) }
            if case .signal(let signal) = event { sessions.withLock { $0.last }?.receive(signal) }
        }
        honest.setAudioOpen(true)
        // The answer names a certificate of somebody in between.
        let other = try peerEngine(air, otherDevice, claims: "CC:03").makeSession(
            MediaSessionConfiguration(call: call, role: .answerer)
        ) { if case .signal(let signal) = $0 { honest.receive(signal) } }
        sessions.withLock { $0.append(other) }
        other.setAudioOpen(true)
        try await until("the offer") { !events.withLock { $0 }.isEmpty }
        for case .signal(let signal) in events.withLock({ $0 }) { other.receive(signal) }
        func failure() -> MediaFailure? {
            for case .failed(let failure) in events.withLock({ $0 }) { return failure }
            return nil
        }
        try await until("the failure") { failure() != nil }
        #expect(failure()?.code == .peerIdentity)
        #expect(!events.withLock { $0 }.contains(.connected))
        let counts = air.probe(device)
        #expect(counts.find(configuration) { $0.sent } == 0)
        #expect(counts.find(configuration) { $0.played } == 0)
        other.close()
    }

    @Test("S1, R70: the framework's audio is on from the first open switch to the last, and turned only then")
    func sharedSwitch() {
        let device = SimulatedDevice()
        let audio = SharedAudioSwitch(device)
        let (one, other) = (NSObject(), NSObject())
        audio.set(false, for: one)
        audio.set(true, for: one)
        audio.set(true, for: one)
        audio.set(true, for: other)
        audio.set(false, for: one)
        #expect(device.isEnabled)
        audio.set(false, for: other)
        audio.set(false, for: other)
        #expect(device.log == [true, false])
    }

    @Test("R93, R94: packets that come, stop and come again; a hold is no interruption") func arrivals() {
        var watch = ArrivalWatch(patience: 2)
        let looks: [(Int, Bool, MediaEvent?)] = [
            (0, true, nil), (0, true, nil), (0, true, nil), (3, true, .remoteMedia), (4, true, nil), (4, true, nil),
            (4, true, .interrupted), (4, true, nil), (9, true, .restored), (9, false, nil), (9, false, nil),
            (9, false, nil), (10, true, nil),
        ]
        for (count, expected, event) in looks { #expect(watch.look(count, expected: expected) == event) }
    }

    @Test("fingerprints of a description: every line, strong hashes only") func fingerprints() {
        let text =
            "v=0\r\na=fingerprint:sha-256 aa:0B\r\nm=audio\r\na=fingerprint:SHA-512 01\r\na=fingerprint:sha-1 02\r\n"
            + "a=fingerprint:sha-256\r\n"
        #expect(
            PeerFingerprint.all(in: text) == [
                PeerFingerprint(algorithm: "sha-256", value: "AA0B"),
                PeerFingerprint(algorithm: "sha-512", value: "01"),
            ])
        #expect(PeerFingerprint.all(in: "nonsense").isEmpty)
    }

    @Test("a ticket never prints its token") func ticketDescription() {
        #expect("\(RoomTicket(url: "wss://rooms", token: "secret"))" == "a ticket for wss://rooms")
    }
}
