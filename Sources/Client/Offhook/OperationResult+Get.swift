// SPDX-License-Identifier: MIT

import Foundation
public import OffhookCore

extension OperationID {
    /// Makes a random identifier (a version 4 UUID): a new operation.
    public init() {
        self.init(UUID())
    }
}

extension OperationResult {
    /// The call, if the operation was applied; what went wrong as an error otherwise.
    ///
    /// ```swift
    /// let call = try await calls.startCall(to: Handle(value: "bob")).get()
    /// ```
    ///
    /// - Returns: The operation's call.
    /// - Throws: ``OffhookError``: the failure's code for an operation that was rejected, `deadlineExceeded` for one
    ///   that ran out of time, `outcomeUnknown` for one whose outcome nobody knows.
    @discardableResult
    public func get() throws(OffhookError) -> CallID {
        switch status {
        case .applied:
            return call
        case .rejected:
            throw failure.map { OffhookError($0) } ?? OffhookError(.invalidState, "It was not done.")
        case .timedOut:
            throw OffhookError(.deadlineExceeded, failure?.message ?? "It was not done in time.")
        case .unknown:
            throw OffhookError(.outcomeUnknown, failure?.message ?? "Nobody can tell whether it was done.")
        }
    }
}
