// SPDX-License-Identifier: MIT

import OffhookCore

/// A call leg over a peer connection: offer, answer, candidates, and the look at the other side's certificate.
///
/// ```
/// offerer   start ─ offer ─► waits ─ answer ─► negotiated ─ connected ─ fingerprint is right ─► connected
/// answerer  start ─────────► waits ─ offer, answer ─► negotiated ─ connected ─ fingerprint is right ─► connected
/// ```
/// No packet leaves and nothing is played before the certificate was compared with the description.
final class PeerSession: AdapterSession, MediaSession {
    // Belongs to the queue.
    private var connection: (any PeerConnection)?
    private var remote: String?
    private var isBusy = false
    private var waiting: [MediaSignal] = []
    private var candidates: [String] = []
    private var isTransportUp = false

    /// Begins; `make` gets where to report.
    func start(_ make: @escaping @Sendable (@escaping @Sendable (PeerReport) -> Void) throws -> any PeerConnection) {
        onQueue { [self] in
            do {
                let connection = try make { [weak self] report in self?.onQueue { [weak self] in self?.take(report) } }
                self.connection = connection
                apply(gates)
                if configuration.role == .offerer { describe(.offer) }
            } catch {
                fail(error as? MediaFailure ?? MediaFailure(.engine, "The peer connection cannot be made: \(error)"))
            }
        }
    }

    func receive(_ signal: MediaSignal) {
        guard signal.generation == configuration.generation else { return }  // M15
        onQueue { self.take(signal) }
    }

    func playTones(_ tones: String) {
        let digits = String(tones.prefix { $0 != ";" })
        onQueue { if self.gates.sends, !digits.isEmpty { self.connection?.playTones(digits) } }
    }

    override func apply(_ gates: Gates) {
        connection?.setSending(gates.sends)
        connection?.setMicrophone(!gates.isMuted)
        connection?.setPlaying(gates.plays)
    }

    override func readReceivedPackets(_ reply: @escaping @Sendable (Int) -> Void) {
        connection?.readReceivedPackets(reply)
    }

    override func release() {
        connection?.close()
        connection = nil
        waiting = []
        candidates = []
    }

    private func take(_ signal: MediaSignal) {
        switch signal.kind {
        case .candidate:
            if remote == nil, candidates.count < 256 {
                candidates.append(signal.body)
            } else {
                connection?.addCandidate(signal.body)
            }
        case .offer, .answer:
            guard !isBusy else {
                if waiting.count < 16 { waiting.append(signal) }
                return
            }
            takeDescription(signal.kind == .offer ? .offer : .answer, signal.body)
        case .ticket:
            fail(
                MediaFailure(.badSignal, "A peer connection has no use for a ticket; both sides need the same engine."))
        }
    }

    private func takeDescription(_ kind: PeerDescription, _ text: String) {
        guard !PeerFingerprint.all(in: text).isEmpty else {
            return fail(MediaFailure(.badSignal, "The description names no certificate by SHA-256 or better."))
        }
        if kind == .answer, configuration.role == .answerer {
            return fail(MediaFailure(.badSignal, "An answer came to no offer."))
        }
        isBusy = true
        remote = text
        connection?.setRemote(kind, text) { [weak self] result in
            self?.onQueue { [weak self] in self?.remoteWasSet(kind, result) }
        }
    }

    private func remoteWasSet(_ kind: PeerDescription, _ result: Result<Void, MediaFailure>) {
        if case .failure(let failure) = result { return fail(failure) }
        for candidate in candidates { connection?.addCandidate(candidate) }
        candidates = []
        if kind == .offer { describe(.answer) } else { becomeIdle() }
        if isTransportUp { verify() }
    }

    private func describe(_ kind: PeerDescription) {
        isBusy = true
        connection?.describe(kind) { [weak self] result in
            self?.onQueue { [weak self] in self?.described(kind, result) }
        }
    }

    private func described(_ kind: PeerDescription, _ result: Result<String, MediaFailure>) {
        switch result {
        case .success(let text): send(kind == .offer ? .offer : .answer, text)
        case .failure(let failure): return fail(failure)
        }
        becomeIdle()
    }

    private func becomeIdle() {
        isBusy = false
        if !waiting.isEmpty { take(waiting.removeFirst()) }
    }

    private func take(_ report: PeerReport) {
        switch report {
        case .candidate(let body): send(.candidate, body)
        case .connected:
            isTransportUp = true
            verify()
        case .failed(let reason):
            fail(MediaFailure(.connectivity, "The two sides found no way to each other: \(reason)"))
        }
    }

    /// Compares the certificates of the transport with those that the description names (RFC 8827, section 6.5).
    private func verify() {
        guard let remote, !gates.isConnected else { return }
        connection?.readFingerprints { [weak self] real in
            self?.onQueue { [weak self] in
                guard let self, !self.gates.isConnected else { return }
                guard !real.isEmpty, real.isSubset(of: PeerFingerprint.all(in: remote)) else {
                    let message = "The peer's certificate is not the one that its description names."
                    return self.fail(MediaFailure(.peerIdentity, message))
                }
                self.becomeConnected()
            }
        }
    }
}

// Its own variables are bound to the session's serial queue too.
extension PeerSession: @unchecked Sendable {}
