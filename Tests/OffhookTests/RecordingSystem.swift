// SPDX-License-Identifier: MIT

import OffhookNet

@testable import Offhook

/// The phone's frameworks for tests of the engine alone: written down, and answered only by the test.
final class RecordingSystem: Sendable {
    /// What the engine ordered.
    enum Order: Hashable, Sendable {
        /// A call was reported.
        case reported(CallID)
        /// A call was reported as ended.
        case ended(CallID, EndReason)
        /// A push was completed.
        case completed(PushID)
        /// A transaction was requested.
        case requested(CallRequest)
    }

    private let state = Guarded<[Order]>([])

    /// What the engine ordered, in order.
    var orders: [Order] { state.withLock { $0 } }

    private func note(_ order: Order) { state.withLock { $0.append(order) } }
}

extension RecordingSystem: PhoneSystem {
    func begin(_ receiver: any PhoneReceiver) {}
    func invalidate() {}
    func reportIncoming(_ call: CallID, _ details: CallDetails) { note(.reported(call)) }
    func reportEnded(_ call: CallID, _ reason: EndReason, at instant: Instant) { note(.ended(call, reason)) }
    func reportStartedConnecting(_ call: CallID, at instant: Instant) {}
    func reportConnected(_ call: CallID, at instant: Instant) {}
    func request(_ request: CallRequest) { note(.requested(request)) }
    func fulfil(_ action: ActionID) {}
    func fail(_ action: ActionID) {}
    func reportUpdated(_ call: CallID, _ details: CallDetails) {}
    func configureAudio() throws {}
    func selectRoute(_ route: AudioRoute.ID) {}
    func donate(_ call: CallID, _ details: CallDetails, _ direction: Call.Direction) {}
    func change(_ options: CallCenter.ProviderOptions) {}
    func requestPermissions(video: Bool, _ done: @escaping @Sendable (CallPermissions) -> Void) {}
    func receiveNotification(_ payload: [UInt8]) -> Bool { false }
    func completePush(_ push: PushID) { note(.completed(push)) }
}
