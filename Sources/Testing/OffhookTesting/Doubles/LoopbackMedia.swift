// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
public import Offhook

/// A media engine without sound: sessions of one ``Air`` negotiate, and count the frames they send each other.
///
/// It keeps every clause of ``Offhook/MediaContract``, with tones and video; a frame stands for 20 ms and takes about 1.
public final class LoopbackMedia: MediaEngine {
    /// What lies between engines: sessions of one call find each other here, on one serial queue.
    public final class Air: Sendable {
        let queue = DispatchQueue(label: "offhook.loopback")
        private let core = LoopbackCore()

        /// Makes empty air.
        public init() {}

        func async(_ work: @escaping @Sendable (LoopbackCore) -> Void) {
            queue.async { work(self.core) }
        }

        func sync<Result: Sendable>(_ work: (LoopbackCore) -> Result) -> Result {
            queue.sync { work(core) }
        }

        /// Lets frames move as long as there are sessions.
        func run() {
            queue.asyncAfter(deadline: .now() + .milliseconds(1)) {
                self.core.step()
                if self.core.isRunning { self.run() }
            }
        }
    }

    let air: Air
    let flaw: LoopbackFlaw?
    let identity = UUID()

    /// What the engine can do.
    public let capabilities: MediaCapabilities

    /// Makes an engine.
    ///
    /// - Parameters:
    ///   - air: Where its sessions find those of the other side.
    ///   - capabilities: What it can do; tones and video unless given.
    public convenience init(
        air: Air, capabilities: MediaCapabilities = MediaCapabilities(video: true, dtmf: true)
    ) {
        self.init(air: air, capabilities: capabilities, flaw: nil)
    }

    init(air: Air, capabilities: MediaCapabilities = MediaCapabilities(video: true, dtmf: true), flaw: LoopbackFlaw?) {
        self.air = air
        self.capabilities = capabilities
        self.flaw = flaw
    }

    /// Counts what the engine does.
    public var probe: MediaProbe {
        let (air, identity) = (self.air, self.identity)
        func count(
            _ value: @escaping @Sendable (LoopbackLeg) -> Int
        ) -> @Sendable (MediaSessionConfiguration) -> Int {
            { configuration in air.sync { $0.leg(configuration, of: identity).map(value) ?? 0 } }
        }
        var probe = MediaProbe()
        probe.sent = count(\.sent)
        probe.sentSound = count(\.sentSound)
        probe.played = count(\.played)
        probe.captured = count(\.captured)
        probe.tones = { configuration in air.sync { $0.leg(configuration, of: identity)?.tones ?? "" } }
        probe.audioSessionTouches = { air.sync { $0.touches } }
        return probe
    }

    /// Does nothing, again and again.
    public func prepare() async throws {
        guard flaw == .preparesOnce else { return }
        let isFirst = air.sync { $0.preparations.insert(identity).inserted }
        if !isFirst { throw MediaFailure(.engine, "prepared twice") }
    }

    /// Makes a session; the offerer's offer follows from the air's queue.
    public func makeSession(
        _ configuration: MediaSessionConfiguration, events: @escaping @Sendable (MediaEvent) -> Void
    ) throws -> any MediaSession {
        let gate = MediaEventGate(events)
        let session = LoopbackSession(engine: self, gate: gate, events: events)
        let (identity, flaw, air) = (self.identity, self.flaw, self.air)
        air.async { core in
            let isFirst = !core.isRunning
            core.add(
                LoopbackLeg(
                    configuration, engine: identity, session: session.identity, flaw: flaw, say: { gate.send($0) },
                    sayAnyway: events))
            if isFirst { air.run() }
        }
        return session
    }
}

/// The caller's side of a loopback session: every method is handed to the air's queue.
final class LoopbackSession: MediaSession {
    let identity = UUID()
    private let engine: LoopbackMedia
    private let gate: MediaEventGate
    private let events: @Sendable (MediaEvent) -> Void

    init(engine: LoopbackMedia, gate: MediaEventGate, events: @escaping @Sendable (MediaEvent) -> Void) {
        self.engine = engine
        self.gate = gate
        self.events = events
    }

    func receive(_ signal: MediaSignal) { change { $1.receive(signal, in: $0) } }
    func setHeld(_ held: Bool) { change { $1.isHeld = held } }
    func playTones(_ tones: String) { change { $0.play(tones, from: $1) } }
    func setCamera(_ camera: CameraFacing?) { change { $0.show(camera != nil, from: $1) } }

    func setAudioOpen(_ open: Bool) {
        change { core, leg in
            leg.isOpen = open
            if leg.flaw == .touchesAudioSession { core.touches += 1 }
            if leg.flaw == .talksAfterClose, leg.isClosed { leg.sayAnyway(.interrupted) }
        }
    }

    func setMuted(_ muted: Bool) {
        if engine.flaw == .blocks { Thread.sleep(forTimeInterval: 0.4) }
        change { $1.isMuted = muted }
    }

    func setTranslation(_ translation: Translation?) {
        if engine.flaw == .callsInside {
            events(.signal(MediaSignal(kind: .candidate, generation: 5, body: "from inside")))
        }
        change { $1.isTranslating = translation != nil }
    }

    func close() {
        gate.close()
        change { $0.close($1) }
    }

    private func change(_ work: @escaping @Sendable (LoopbackCore, LoopbackLeg) -> Void) {
        engine.air.async { [identity] core in
            if let leg = core.leg(identity) { work(core, leg) }
        }
    }
}
