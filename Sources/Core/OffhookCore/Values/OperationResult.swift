// SPDX-License-Identifier: MIT

/// What became of an operation (R83).
public struct OperationResult: Hashable, Sendable, Codable {
    /// How an operation came out.
    public enum Status: String, Hashable, Sendable, Codable, CaseIterable {
        /// It was done.
        case applied
        /// It was not done; the failure says why.
        case rejected
        /// Its deadline passed first; a late success does not count (R84).
        case timedOut
        /// Nobody can tell any more: the process died in between (R85).
        case unknown
    }

    /// The operation.
    public var id: OperationID
    /// The call it is about.
    public var call: CallID
    /// How it came out.
    public var status: Status
    /// Why it was not done; nil when it was applied.
    public var failure: CallFailure?
    /// When that was decided.
    public var completedAt: Instant

    /// Makes a result.
    public init(
        _ id: OperationID, call: CallID, _ status: Status, failure: CallFailure? = nil, at completedAt: Instant
    ) {
        self.id = id
        self.call = call
        self.status = status
        self.failure = failure
        self.completedAt = completedAt
    }
}
