// SPDX-License-Identifier: MIT

import Dispatch
import Foundation
import OffhookCore

#if canImport(CallKit) && !os(macOS)
    import Intents

    extension Engine {
        /// Takes a user activity that asks for a call.
        func handle(_ activity: NSUserActivity) -> Bool {
            guard let intent = CallIntent(activity, receivedAt: clock.now) else { return false }
            queue.async { self.intents.put(intent) }
            return true
        }
    }
#endif

extension Engine {
    /// The wish that is held, or the next one; nil when somebody else waits now, or the task was cancelled.
    func nextIntent() async -> CallIntent? {
        let wait = IntentWait(engine: self)
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { wait.begin { continuation.resume(returning: $0) } }
            }
        } onCancel: {
            queue.async { wait.cancel() }
        }
    }
}

/// One wait for a wish; a cancellation may come before it has begun.
private final class IntentWait {
    private let engine: Engine
    private var id: Int?
    private var isCancelled = false

    init(engine: Engine) {
        self.engine = engine
    }

    func begin(_ take: @escaping @Sendable (CallIntent?) -> Void) {
        guard !isCancelled, engine.phase != .stopped else { return take(nil) }
        id = engine.intents.take(at: engine.clock.now, take)
    }

    func cancel() {
        isCancelled = true
        if let id { engine.intents.cancel(id) }
    }
}

// Bound to the engine queue.
extension IntentWait: @unchecked Sendable {}
