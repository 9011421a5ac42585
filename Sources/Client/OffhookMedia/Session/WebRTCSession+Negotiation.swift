// SPDX-License-Identifier: MIT

import Dispatch
import Offhook
import OffhookCore

extension WebRTCSession {
    /// Takes a signal on the queue; one of another generation is not for this session.
    func take(_ signal: MediaSignal) {
        guard !isOver, signal.generation == configuration.generation else { return }
        do throws(MediaFailure) {
            switch signal.kind {
            case .candidate: try takeCandidate(signal.body)
            case .offer, .answer:
                // Descriptions one after the other: webrtcbin answers from a thread of its own.
                guard !isBusy else {
                    if waitingSignals.count < 16 { waitingSignals.append(signal) }
                    return
                }
                let description = try AudioDescription(parsing: signal.body)
                if signal.kind == .offer { try takeOffer(description) } else { try takeAnswer(description) }
            case .ticket: throw MediaFailure(.badSignal, "a peer engine has no use for a ticket")
            }
        } catch {
            fail(error)
        }
    }

    /// Makes the first offer.
    func makeOffer(_ pipeline: MediaPipeline) {
        isBusy = true
        pipeline.create(.offer, reply: onQueue { session, text in try session.sendOffer(text) })
    }

    private func sendOffer(_ text: String) throws(MediaFailure) {
        var offer = try AudioDescription(parsing: text)
        offer.setup = .actpass
        local = offer
        pipeline?.set(.local, .offer, text, reply: onQueue { session, _ in session.becomeIdle() })
        offer.direction = hold.firstOffer()
        emit(.signal(signal(.offer, offer.description)))
    }

    private func takeOffer(_ offer: AudioDescription) throws(MediaFailure) {
        if isNegotiated { return try takeLaterOffer(offer) }
        switch configuration.role {
        case .offerer:
            throw MediaFailure(.badSignal, "an offer came where the answer was expected")
        case .answerer:
            guard remote == nil, let pipeline else { return }
            remote = offer
            isBusy = true
            pipeline.set(
                .remote, .offer, forEngine(offer), reply: onQueue { session, _ in try session.makeAnswer(to: offer) })
        }
    }

    private func makeAnswer(to offer: AudioDescription) throws(MediaFailure) {
        guard let pipeline else { return }
        // The sending branch comes after the remote description, with the payload type the offer gave Opus.
        try pipeline.send(payloadType: offer.payloadType, bitRate: options.bitRate)
        pipeline.create(
            .answer, reply: onQueue { session, text in try session.sendAnswer(text, to: offer) })
    }

    private func sendAnswer(_ text: String, to offer: AudioDescription) throws(MediaFailure) {
        var answer = try AudioDescription(parsing: text)
        if answer.setup == .actpass { answer.setup = .active }
        local = answer
        pipeline?.set(
            .local, .answer, text,
            reply: onQueue { session, _ in session.becomeNegotiated() })
        path.setHeldByPeer(!offer.direction.receives)
        answer.direction = hold.answer(to: offer.direction)
        emit(.signal(signal(.answer, answer.description)))
    }

    private func takeAnswer(_ answer: AudioDescription) throws(MediaFailure) {
        if isNegotiated { return try takeLaterAnswer(answer) }
        guard configuration.role == .offerer, let local, let pipeline, remote == nil else {
            throw MediaFailure(.badSignal, "an answer came to no offer")
        }
        guard answer.setup != .actpass else { throw MediaFailure(.badSignal, "an answer chooses active or passive") }
        guard answer.payloadType == local.payloadType else {
            throw MediaFailure(.badSignal, "the answer gives Opus another payload type than the offer")
        }
        remote = answer
        isBusy = true
        takeHoldState(ofAnswer: answer)
        pipeline.set(
            .remote, .answer, forEngine(answer),
            reply: onQueue { session, _ in session.becomeNegotiated() })
    }

    private func becomeNegotiated() {
        isNegotiated = true
        connectDeadline = .now() + options.connectLimit
        for candidate in remote?.candidates ?? [] { addCandidate(IceCandidate(text: candidate, line: 0)) }
        for candidate in waitingCandidates { addCandidate(candidate) }
        waitingCandidates = []
        becomeIdle()
        settleHold()
    }

    /// Goes on with what came in the meantime.
    private func becomeIdle() {
        isBusy = false
        while !isBusy, !isOver, !waitingSignals.isEmpty { take(waitingSignals.removeFirst()) }
    }

    private func takeCandidate(_ body: String) throws(MediaFailure) {
        let candidate = try IceCandidate(body: body)
        if isNegotiated {
            addCandidate(candidate)
        } else if waitingCandidates.count < 256 {
            waitingCandidates.append(candidate)
        }
    }

    private func addCandidate(_ candidate: IceCandidate) {
        guard !candidate.text.isEmpty, isAllowed(candidate) else { return }
        pipeline?.addCandidate(candidate.text, line: candidate.line)
    }

    /// Sends a candidate that webrtcbin found.
    func sendCandidate(_ text: String, line: Int) {
        let candidate = IceCandidate(text: text, line: line)
        guard isAllowed(candidate) else { return }
        emit(.signal(signal(.candidate, candidate.body)))
    }

    private func isAllowed(_ candidate: IceCandidate) -> Bool {
        switch options.network {
        case .loopback: candidate.isLoopback
        case .all: candidate.address != nil
        }
    }

    /// A description as webrtcbin may see it: it cannot change directions, so that it never sees any but one.
    private func forEngine(_ description: AudioDescription) -> String {
        var description = description
        description.direction = .sendrecv
        return description.description
    }

    func signal(_ kind: MediaSignal.Kind, _ body: String) -> MediaSignal {
        MediaSignal(kind: kind, generation: configuration.generation, body: body)
    }

    /// Brings a reply of webrtcbin to the queue; a failure ends the session.
    private func onQueue(
        _ body: @escaping @Sendable (WebRTCSession, String) throws -> Void
    ) -> MediaPipeline.Reply {
        { [weak self] result in
            guard let self else { return }
            self.queue.async {
                guard !self.isOver else { return }
                do {
                    try body(self, try result.get())
                } catch {
                    self.fail(error as? MediaFailure ?? MediaFailure(.engine, "\(error)"))
                }
            }
        }
    }
}
