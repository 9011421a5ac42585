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
        if callWithMetadata() || callTyped() || callPlain() || callTypedAsync() { return }
        process.send(.pushNotHandled(push: push.id))
    }

    private func callWithMetadata() -> Bool {
        guard let mustReport = push.mustReport, payload.type == .voIP else { return false }
        let metadata = PKVoIPPushMetadata(mustReport: mustReport)
        let called = call(.metadata) {
            delegate.pushRegistry(
                registry, didReceiveIncomingVoIPPushWith: payload, metadata: metadata,
                withCompletionHandler: completion)
        }
        return called
            || callAsync(.metadataAsync) { call in
                await call.delegate.pushRegistry(
                    call.registry, didReceiveIncomingVoIPPushWith: call.payload, metadata: metadata)
            }
    }

    private func callTyped() -> Bool {
        call(.typed) {
            delegate.pushRegistry(
                registry, didReceiveIncomingPushWith: payload, for: payload.type, completion: completion)
        }
    }

    /// Before the async form, although older: Swift lets a plain method stand for the async one too.
    private func callPlain() -> Bool {
        call(.plain) {
            delegate.pushRegistry(registry, didReceiveIncomingPushWith: payload, for: payload.type)
        }
    }

    private func callTypedAsync() -> Bool {
        callAsync(.typedAsync) { call in
            await call.delegate.pushRegistry(
                call.registry, didReceiveIncomingPushWith: call.payload, for: call.payload.type)
        }
    }

    private func call(_ method: PushMethod, _ body: () -> Void) -> Bool {
        let callback = makeReturn(isAsync: false)
        guard callback.watch({ DelegateProbe.call(method.rawValue, of: delegate, body) }) else { return false }
        callback.happen()
        return true
    }

    private func callAsync(_ method: PushMethod, _ body: @escaping @Sendable (AsyncCall) async -> Void) -> Bool {
        let probe = DelegateProbe(method.rawValue, of: delegate)
        let callback = makeReturn(isAsync: true)
        let call = AsyncCall(delegate: delegate, registry: registry, payload: payload)
        let completion = completion
        probe.watch {
            callback.watch {
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

    private func makeReturn(isAsync: Bool) -> CallbackReturn {
        CallbackReturn(isAsync: isAsync) { [process, push] in process.send(.pushHandlerReturned(push: push.id)) }
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
