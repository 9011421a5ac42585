// SPDX-License-Identifier: MIT

package import Foundation

/// Tells whether a delegate implements an optional method.
///
/// Apple's frameworks ask `respondsToSelector`. Swift on Linux has nothing like it: an optional method is a requirement
/// whose default lives in a protocol extension, and every delegate has it. So the default body says that it was
/// reached. A probe is set as a task-local value around the call; the default finds it there and marks it, if it was
/// reached on the probed delegate for the probed method. A default reached in another way (a proxy that passes calls
/// on, a method that calls another one) marks nothing.
package final class DelegateProbe: Sendable {
    @TaskLocal private static var current: DelegateProbe?

    private let method: String
    private let delegate: ObjectIdentifier
    private let reached = Locked(false)

    /// Watches one method of one delegate, which must live as long as the probe.
    package init(_ method: String, of delegate: any NSObjectProtocol) {
        self.method = method
        self.delegate = ObjectIdentifier(delegate)
    }

    /// Calls a method of a delegate.
    ///
    /// - Returns: Whether the delegate has the method; if not, nothing happened.
    package static func call(_ method: String, of delegate: any NSObjectProtocol, _ body: () -> Void) -> Bool {
        let probe = DelegateProbe(method, of: delegate)
        probe.watch(body)
        return !probe.defaultWasReached
    }

    /// Runs code under this probe; tasks started in it are watched too.
    package func watch(_ body: () -> Void) {
        DelegateProbe.$current.withValue(self, operation: body)
    }

    /// Whether the default was reached until now.
    package var defaultWasReached: Bool {
        reached.withLock { $0 }
    }

    /// What every recognisable default body calls.
    package static func markDefault(_ method: String, of delegate: any NSObjectProtocol) {
        guard let current, current.method == method, current.delegate == ObjectIdentifier(delegate) else { return }
        current.reached.withLock { $0 = true }
    }
}
