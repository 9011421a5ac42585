// SPDX-License-Identifier: MIT

/// Why a call ended, seen from the device or record that holds it.
public enum EndReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The user of this device hung up.
    case localHangup
    /// The callee refused the call.
    case declined
    /// The other side hung up.
    case remoteEnded
    /// The caller gave up before an answer.
    case callerCancelled
    /// Nobody answered before the ring deadline.
    case unanswered
    /// Every device of the callee was in another call.
    case busy
    /// Something broke: network, media, the phone's refusal.
    case failed
    /// Another device of the same user answered.
    case answeredElsewhere
    /// Another device of the same user declined.
    case declinedElsewhere
    /// No device of the callee could be reached.
    case unreachable
}
