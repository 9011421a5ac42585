// SPDX-License-Identifier: MIT

import Synchronization

/// The return of a callback, told to the phone once: when it is said to happen, or before the callback's first request.
///
/// Apple's bridge starts an async delegate method as a task and returns at once, so nothing the method does comes before
/// the return. The stand-in must start the method inside the callback to learn whether the delegate has it at all
/// (``DelegateProbe``). Requests the method makes there are still judged as made after the return, because the return is
/// told first.
package final class CallbackReturn: Sendable {
    @TaskLocal static var current: CallbackReturn?

    private let tell: @Sendable () -> Void
    private let wasTold = Mutex(false)

    /// Makes a return that is told by a closure.
    package init(tell: @escaping @Sendable () -> Void) {
        self.tell = tell
    }

    /// Runs code, and the tasks it starts, whose requests come after the return.
    package func precedesRequests(in body: () -> Void) {
        CallbackReturn.$current.withValue(self, operation: body)
    }

    /// Tells the phone, if it was not told yet.
    package func happen() {
        let isFirst = wasTold.withLock { wasTold in
            defer { wasTold = true }
            return !wasTold
        }
        if isFirst { tell() }
    }
}
