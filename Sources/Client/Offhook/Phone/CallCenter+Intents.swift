// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    public import Foundation
#else
    public import Intents
#endif

extension CallCenter {
    #if canImport(CallKit) && !os(macOS)
        /// Takes a user activity, if it asks for a call.
        ///
        /// Call it in `application(_:continue:restorationHandler:)` or `scene(_:continue:)`, and at launch with the
        /// activities of the connection options; ``start()`` need not have been called. The wish comes through
        /// ``callIntents``. Any thread.
        ///
        /// - Returns: Whether it asks for a call; else it is for somebody else.
        /// - Rule: R123, P46
        public func handle(_ activity: NSUserActivity) -> Bool {
            engine.handle(activity)
        }
    #endif

    /// Whom the user asks to call, as it comes; for one consumer.
    ///
    /// Only the latest wish is kept, and for 60 s: one that came before anybody listened, as at a cold launch, is the
    /// first element. A second stream takes over from the first, which ends.
    ///
    /// ```swift
    /// for await intent in calls.callIntents {
    ///     try await calls.startCall(to: intent.handle, displayName: intent.name, video: intent.video)
    /// }
    /// ```
    /// - Rule: R124
    public var callIntents: AsyncStream<CallIntent> {
        AsyncStream(unfolding: { [engine] in await engine.nextIntent() })
    }
}
