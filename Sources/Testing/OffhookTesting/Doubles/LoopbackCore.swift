// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import Offhook
import OffhookCore

/// The sessions of one air and what they send each other; bound to the air's queue.
final class LoopbackCore {
    /// How many frames' time nothing may come before media counts as interrupted.
    static let silence = 25

    private var legs: [LoopbackLeg] = []
    var touches = 0
    var preparations: Set<UUID> = []

    /// Whether any session is open.
    var isRunning: Bool { legs.contains { !$0.isClosed } }

    func leg(_ session: UUID) -> LoopbackLeg? {
        legs.first { $0.session == session }
    }

    func leg(_ configuration: MediaSessionConfiguration, of engine: UUID) -> LoopbackLeg? {
        legs.last { $0.configuration == configuration && $0.engine == engine }
    }

    func add(_ leg: LoopbackLeg) {
        legs.append(leg)
        if leg.configuration.role == .offerer { leg.signal(.offer, LoopbackLeg.offer) }
    }

    func close(_ leg: LoopbackLeg) {
        if leg.isClosed, leg.flaw == .secondCloseTalks { leg.sayAnyway(.interrupted) }
        guard !leg.isClosed else { return }
        leg.isClosed = true
        guard leg.flaw == .closesAll else { return }
        for other in legs where !other.isClosed && other.engine == leg.engine { other.fail(.engine, "closed with it") }
    }

    func play(_ tones: String, from leg: LoopbackLeg) {
        guard leg.isSending else { return }
        let digits = tones.filter { $0 != "," && $0 != ";" }
        peer(of: leg)?.tones += leg.flaw == .reversesTones ? String(digits.reversed()) : digits
    }

    func show(_ shows: Bool, from leg: LoopbackLeg) {
        peer(of: leg)?.tell(.remoteVideo(leg.flaw == .swapsVideo ? !shows : shows))
    }

    /// One frame's time for everybody.
    func step() {
        for leg in legs where !leg.isClosed {
            guard let peer = peer(of: leg), leg.isConnected, peer.isConnected else { continue }
            if leg.isSending, !peer.isHeld || leg.flaw == .sendsWhileHeld {
                leg.capture()
                peer.hear()
            }
            peer.notice(isHeldByPeer: leg.isHeld)
        }
    }

    private func peer(of leg: LoopbackLeg) -> LoopbackLeg? {
        legs.last { other in
            other.configuration.call == leg.configuration.call && !other.isClosed
                && other.configuration.generation == leg.configuration.generation
                && other.configuration.role != leg.configuration.role
        }
    }
}

// Bound to the air's serial queue.
extension LoopbackCore: @unchecked Sendable {}

/// One session's state; bound to the air's queue.
final class LoopbackLeg {
    static let offer = "loopback offer"
    static let answer = "loopback answer"

    let configuration: MediaSessionConfiguration
    let engine: UUID
    let session: UUID
    let flaw: LoopbackFlaw?
    let say: @Sendable (MediaEvent) -> Void
    /// Past the gate, which makes an engine keep clauses 3 and 4, for the flaws that break them.
    let sayAnyway: @Sendable (MediaEvent) -> Void
    var isOpen = false
    var isMuted = false
    var isHeld = false
    var isTranslating = false
    var isClosed = false
    private(set) var isConnected = false
    private(set) var sent = 0
    private(set) var sentSound = 0
    private(set) var played = 0
    private(set) var captured = 0
    var tones = ""
    private var hasFailed = false
    private var hasHeard = false
    private var isInterrupted = false
    private var quiet = 0

    init(
        _ configuration: MediaSessionConfiguration, engine: UUID, session: UUID, flaw: LoopbackFlaw?,
        say: @escaping @Sendable (MediaEvent) -> Void, sayAnyway: @escaping @Sendable (MediaEvent) -> Void
    ) {
        self.configuration = configuration
        self.engine = engine
        self.session = session
        self.flaw = flaw
        self.say = say
        self.sayAnyway = sayAnyway
    }

    var isSending: Bool {
        guard isConnected, !hasFailed || flaw == .failsInSilence else { return false }
        return isOpen && (!isHeld || flaw == .sendsWhileHeld)
    }

    func receive(_ signal: MediaSignal, in core: LoopbackCore) {
        guard !isClosed, !hasFailed else { return }
        guard signal.generation == configuration.generation || flaw == .takesAnyGeneration else { return }
        switch (signal.kind, configuration.role, signal.body) {
        case (.offer, .answerer, LoopbackLeg.offer):
            self.signal(.answer, LoopbackLeg.answer)
            connect()
        case (.answer, .offerer, LoopbackLeg.answer): connect()
        case (.candidate, _, _): break
        default: fail(.badSignal, "not a description of the loopback engine")
        }
    }

    func signal(_ kind: MediaSignal.Kind, _ body: String) {
        tell(.signal(MediaSignal(kind: kind, generation: configuration.generation, body: body)))
    }

    func tell(_ event: MediaEvent) {
        if !isClosed, !hasFailed { say(event) }
    }

    func fail(_ code: MediaFailure.Code, _ message: String) {
        guard !isClosed, !hasFailed else { return }
        hasFailed = true
        say(.failed(MediaFailure(code, message)))
        if flaw == .goesOnAfterFailure { say(.restored) }
    }

    /// Sends one frame.
    func capture() {
        if !(flaw == .stopsMicrophone && isMuted && isTranslating) { captured += 1 }
        sent += 1
        if !isMuted { sentSound += 1 }
    }

    /// Takes one frame of the other side.
    func hear() {
        quiet = 0
        if !hasHeard {
            hasHeard = true
            tell(.remoteMedia)
            if flaw == .repeatsRemoteMedia { tell(.remoteMedia) }
        } else if isInterrupted {
            isInterrupted = false
            tell(.restored)
        }
        if flaw == .deafWhileMuted, isMuted { return }
        if isOpen || flaw == .playsWhileClosed, !isHeld || flaw == .sendsWhileHeld { played += 1 }
    }

    /// One frame's time has passed; a hold is no interruption.
    func notice(isHeldByPeer: Bool) {
        quiet = isHeld || isHeldByPeer ? 0 : quiet + 1
        guard hasHeard, !isInterrupted, quiet > LoopbackCore.silence else { return }
        isInterrupted = true
        if flaw == .failsInSilence { return fail(.connectivity, "nothing comes any more") }
        tell(.interrupted)
        if flaw == .repeatsInterrupted { tell(.interrupted) }
    }

    private func connect() {
        guard !isConnected else { return }
        isConnected = true
        tell(.connected)
        switch flaw {
        case .connectsTwice: tell(.connected)
        case .joinsAsMedia:
            hasHeard = true
            tell(.remoteMedia)
        case .talksFromTwoThreads:
            let word = MediaSignal(kind: .candidate, generation: configuration.generation, body: "from anywhere")
            DispatchQueue.concurrentPerform(iterations: 400) { [sayAnyway] _ in sayAnyway(.signal(word)) }
        default: break
        }
    }
}
