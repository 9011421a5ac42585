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
        desk.start(MediaSessionConfiguration(call: call, role: offers ? .offerer : .answerer), at: clock.now)
    }

    func order(_ call: CallID, _ order: MediaOrder) {
        desk.perform(order, for: call, at: clock.now)
    }

    func hear(_ news: MediaDesk.News) {
        switch news {
        case .event(let call, let event): hear(event, call)
        case .warning(let failure): streams.send(.warning(OffhookError(.mediaFailed, failure.message)))
        }
    }

    private func hear(_ event: MediaEvent, _ call: CallID) {
        switch event {
        case .signal(let signal): receive(.media(call, .signal(signal)))
        case .connected: break  // the transport alone is no voice (R94)
        case .remoteMedia: receive(.media(call, .arrived))
        case .interrupted: receive(.media(call, .interrupted(true)))
        case .restored: receive(.media(call, .interrupted(false)))
        case .remoteVideo(let shows): receive(.media(call, .remoteVideo(shows)))
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
