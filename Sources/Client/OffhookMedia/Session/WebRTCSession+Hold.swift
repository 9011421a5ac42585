// SPDX-License-Identifier: MIT

import Offhook
import OffhookCore

// Hold and resume: descriptions whose direction alone changes. webrtcbin cannot change directions and answers a second
// offer with the wrong DTLS role, so that it takes no part; the gates of the audio path do the work.
extension WebRTCSession {
    /// Takes the wish to hold or resume; tells the other side when it can.
    func wishHold(_ held: Bool) {
        guard !isOver else { return }
        hold.wish(held)
        settleHold()
    }

    /// Sends an offer if the other side does not know this side's state.
    func settleHold() {
        guard isNegotiated, !isOver, let direction = hold.dueOffer() else { return }
        sendLater(.offer, direction)
    }

    /// Answers an offer that changes directions only.
    func takeLaterOffer(_ offer: AudioDescription) throws(MediaFailure) {
        try checkTransport(offer)
        guard hold.yields(to: configuration.role == .offerer ? .insists : .givesWay) else { return }
        let direction = hold.answer(to: offer.direction)
        path.setHeldByPeer(hold.isHeldByPeer)
        sendLater(.answer, direction)
        settleHold()
    }

    /// Takes the answer to an offer that changed directions only.
    func takeLaterAnswer(_ answer: AudioDescription) throws(MediaFailure) {
        try checkTransport(answer)
        guard hold.isOffering else { return }
        takeHoldState(ofAnswer: answer)
        settleHold()
    }

    /// Takes the answer's direction.
    func takeHoldState(ofAnswer answer: AudioDescription) {
        hold.takeAnswer(answer.direction)
        path.setHeldByPeer(hold.isHeldByPeer)
    }

    private func sendLater(_ kind: MediaSignal.Kind, _ direction: AudioDescription.Direction) {
        guard var description = local else { return }
        description.version += 1
        local = description
        description.direction = direction
        description.setup = kind == .offer ? .actpass : establishedRole
        emit(.signal(signal(kind, description.description)))
    }

    /// The DTLS role of the first negotiation, which later answers repeat (RFC 8842, section 5.2).
    private var establishedRole: AudioDescription.Setup {
        switch configuration.role {
        case .answerer: local?.setup == .passive ? .passive : .active
        case .offerer: remote?.setup == .passive ? .active : .passive
        }
    }

    private func checkTransport(_ description: AudioDescription) throws(MediaFailure) {
        guard let remote, description.isSameTransport(as: remote) else {
            throw MediaFailure(.badSignal, "another transport needs another media generation")
        }
    }
}
