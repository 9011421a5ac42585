// SPDX-License-Identifier: MIT

import Foundation

/// The return of a push callback, told to the phone when it happens, or before a request that must not precede it.
///
/// A task that a callback starts races with the callback's return. A call it reports in time would be in time by luck,
/// and a test that passes by luck is of no use. So such a report is judged as made after the return (K3): the return is
/// told first. (A callback that waits for its own task is judged too hard by this; it should not wait.)
///
/// All requests of an async delegate method come after the return. Apple's bridge starts it as a task and returns at
/// once; the stand-in must start it inside the callback, to learn whether the delegate has the method at all
/// (``DelegateProbe``). The report of a conversation is the exception (L3): LiveCommunicationKit has no other form than
/// the async one, and an async push method that reports before it waits for anything is in time.
package final class CallbackReturn: Sendable {
    @TaskLocal static var current: CallbackReturn?

    private let tell: @Sendable () -> Void
    private let isAsync: Bool
    private let callbackThread = ObjectIdentifier(Thread.current)
    private let wasTold = Locked(false)

    /// Makes the return of the callback that runs on this thread.
    ///
    /// - Parameters:
    ///   - isAsync: Whether the callback is an async method; then its requests come after the return, but for the
    ///     report of a conversation (L3).
    ///   - tell: Tells the phone.
    package init(isAsync: Bool, tell: @escaping @Sendable () -> Void) {
        self.isAsync = isAsync
        self.tell = tell
    }

    /// Runs the callback.
    package func watch<Result>(_ body: () -> Result) -> Result {
        CallbackReturn.$current.withValue(self, operation: body)
    }

    /// A request is about to be made in the callback or in a task it started.
    func requestIsMade(_ request: AppRequest, countsInAsyncCallback: Bool) {
        // While the callback runs, its thread runs nothing else.
        let isInside = callbackThread == ObjectIdentifier(Thread.current)
        if isAsync {
            if !(isInside && countsInAsyncCallback) { happen() }
        } else if case .reportNewIncomingCall = request, !isInside {
            happen()
        }
    }

    /// Tells the phone, if it does not know yet: when this method returns, it knows.
    ///
    /// Two threads that come at the same time both tell it; the phone ignores what it knows. One that left the telling
    /// to the other could make its report first.
    package func happen() {
        guard !wasTold.withLock({ $0 }) else { return }
        CallbackReturn.$current.withValue(nil, operation: tell)
        wasTold.withLock { $0 = true }
    }
}
