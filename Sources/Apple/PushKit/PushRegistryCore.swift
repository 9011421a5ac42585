// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import VirtualPhone

/// A registry's end of the boundary: turns the phone's events into calls of the delegate.
final class PushRegistryCore: Sendable {
    struct State {
        weak var registry: PKPushRegistry?
        weak var delegate: (any PKPushRegistryDelegate)?
        var types: Set<PKPushType>?
    }

    let process: AppProcess
    let id = UUID()
    let state = Locked(State())

    init(process: AppProcess) {
        self.process = process
    }

    func begin(_ registry: PKPushRegistry, queue: DispatchQueue) {
        state.withLock { $0.registry = registry }
        process.attach(id, queue: queue) { [self] event in handle(event) }
        process.send(.createPushRegistry(registry: id))
    }

    func register(_ types: Set<PKPushType>?) {
        state.withLock { $0.types = types }
        process.send(.setDesiredPushTypes(registry: id, types: (types ?? []).map(\.rawValue).sorted()))
    }

    func end() {
        process.detach(id)
        process.send(.releasePushRegistry(registry: id))
    }

    private func handle(_ event: PhoneEvent) {
        let (registry, delegate) = state.withLock { ($0.registry, $0.delegate) }
        switch event {
        case .pushCredentials(_, let type, let token):
            let type = PKPushType(rawValue: type)
            guard let registry, let delegate else {
                process.send(.pushCredentialsNotHandled(registry: id))
                return
            }
            delegate.pushRegistry(registry, didUpdate: PKPushCredentials(type: type, token: token), for: type)
        case .pushTokenInvalidated(_, let type):
            guard let registry, let delegate else { return }
            delegate.pushRegistry(registry, didInvalidatePushTokenFor: PKPushType(rawValue: type))
        case .push(_, let push):
            guard let registry, let delegate else {
                process.send(.pushNotHandled(push: push.id))
                return
            }
            PushDelivery(push: push, process: process, registry: registry, delegate: delegate).run()
        case .providerDidBegin, .providerDidReset, .reportCompleted, .executeTransaction, .performAction,
            .actionTimedOut, .audioSessionActivated, .audioSessionDeactivated, .requestCompleted, .callChanged,
            .conversationChanged,
            .application, .audioSession, .directory:
            break  // Not a registry's.
        }
    }
}
