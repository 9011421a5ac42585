// SPDX-License-Identifier: MIT

import Dispatch
import OffhookCore

extension Engine {
    func send(_ signal: CallSignal, of call: CallID) {
        guard !signals.send(signal.message(call)) else { return }
        let message = "The media engine's words do not fit a frame of 64 KiB; let it offer fewer codecs."
        inbox.append(.media(call, .failed(CallFailure(.mediaFailed, message))))
    }

    func startMedia(_ call: CallID, offers: Bool) {
        let configuration = MediaSessionConfiguration(call: call, role: offers ? .offerer : .answerer)
        do {
            sessions[call] = try media.makeSession(configuration) { [weak self, queue] event in
                queue.async { [weak self] in self?.hear(event, call) }
            }
        } catch {
            let failure = error as? MediaFailure ?? MediaFailure(.engine, "The media engine cannot work: \(error)")
            inbox.append(.media(call, .failed(CallFailure(failure))))
        }
    }

    private func hear(_ event: MediaEvent, _ call: CallID) {
        switch event {
        case .signal(let signal): receive(.media(call, .signal(signal)))
        case .connected: break  // the transport alone is no voice (R94)
        case .remoteMedia: receive(.media(call, .arrived))
        case .interrupted: receive(.media(call, .interrupted(true)))
        case .restored: receive(.media(call, .interrupted(false)))
        case .failed(let failure): receive(.media(call, .failed(CallFailure(failure))))
        }
    }
}

extension CallFailure {
    /// The failure of a media session.
    init(_ failure: MediaFailure) {
        switch failure.code {
        case .peerIdentity: self.init(.peerIdentity, failure.message)
        case .connectivity, .badSignal, .engine, .device: self.init(.mediaFailed, failure.message)
        }
    }
}
