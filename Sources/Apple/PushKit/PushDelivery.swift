// SPDX-License-Identifier: MIT

import Foundation
import VirtualPhone

/// Hands one push to the method of the delegate that the system would choose (K8), on the registry's queue.
struct PushDelivery {
    private let push: PushValue
    private let process: AppProcess
    private let registry: PKPushRegistry
    private let delegate: any PKPushRegistryDelegate
    private let payload: PKPushPayload

    init(
        push: PushValue, process: AppProcess, registry: PKPushRegistry, delegate: any PKPushRegistryDelegate
    ) {
        self.push = push
        self.process = process
        self.registry = registry
        self.delegate = delegate
        payload = PKPushPayload(type: PKPushType(rawValue: push.type), json: push.payload)
    }

    /// Calls the delegate; the phone hears of the return at once, and of each call of the completion handler.
    func run() {
        if callWithMetadata() || callTyped() { return }
        process.send(.pushNotHandled(push: push.id))
    }

    private func callWithMetadata() -> Bool {
        guard let mustReport = push.mustReport, payload.type == .voIP else { return false }
        let metadata = PKVoIPPushMetadata(mustReport: mustReport)
        let called = DelegateProbe.call(PushMethod.metadata.rawValue, of: delegate) {
            delegate.pushRegistry(
                registry, didReceiveIncomingVoIPPushWith: payload, metadata: metadata,
                withCompletionHandler: completion)
        }
        if called { return returned() }
        return callAsync(.metadataAsync) { call in
            await call.delegate.pushRegistry(
                call.registry, didReceiveIncomingVoIPPushWith: call.payload, metadata: metadata)
        }
    }

    private func callTyped() -> Bool {
        let called = DelegateProbe.call(PushMethod.typed.rawValue, of: delegate) {
            delegate.pushRegistry(
                registry, didReceiveIncomingPushWith: payload, for: payload.type, completion: completion)
        }
        return called ? returned() : callPlain() || callTypedAsync()
    }

    /// Before the async form, although older: Swift lets a plain method stand for the async one too.
    private func callPlain() -> Bool {
        let called = DelegateProbe.call(PushMethod.plain.rawValue, of: delegate) {
            delegate.pushRegistry(registry, didReceiveIncomingPushWith: payload, for: payload.type)
        }
        return called && returned()
    }

    private func callTypedAsync() -> Bool {
        callAsync(.typedAsync) { call in
            await call.delegate.pushRegistry(
                call.registry, didReceiveIncomingPushWith: call.payload, for: call.payload.type)
        }
    }

    /// Starts an async method as a task; what it asks of the phone comes after the return (see ``CallbackReturn``).
    private func callAsync(_ method: PushMethod, _ body: @escaping @Sendable (AsyncCall) async -> Void) -> Bool {
        let probe = DelegateProbe(method.rawValue, of: delegate)
        let callback = CallbackReturn { [process, push] in process.send(.pushHandlerReturned(push: push.id)) }
        let call = AsyncCall(delegate: delegate, registry: registry, payload: payload)
        let completion = completion
        probe.watch {
            callback.precedesRequests {
                _ = Task(executorPreference: InlineStartExecutor()) {
                    await body(call)
                    if !probe.defaultWasReached { completion() }
                }
            }
        }
        guard !probe.defaultWasReached else { return false }
        callback.happen()
        return true
    }

    /// The handler that the delegate calls when it is done with the push.
    private var completion: @Sendable () -> Void {
        let push = push.id
        return { [process] in process.send(.pushCompleted(push: push)) }
    }

    private func returned() -> Bool {
        process.send(.pushHandlerReturned(push: push.id))
        return true
    }
}

/// What an async delegate method takes along to its task.
private struct AsyncCall {
    let delegate: any PKPushRegistryDelegate
    let registry: PKPushRegistry
    let payload: PKPushPayload
}

// Handed over once, as Apple's bridge does; the registry has a lock of its own, the payload never changes.
extension AsyncCall: @unchecked Sendable {}
