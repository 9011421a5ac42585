// SPDX-License-Identifier: MIT

/// Why the checkpoint is written; the shell answers each with `saved`.
public enum SavePoint: Hashable, Sendable, Codable {
    /// A push waits for it before it is completed (C8).
    case push(PushID)
    /// An operation waits for it before it is tried.
    case operation(OperationID)
    /// Something changed that nobody waits for.
    case change
}
