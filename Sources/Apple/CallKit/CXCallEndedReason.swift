// SPDX-License-Identifier: MIT

/// Why a call ended, as the app reports it (E3).
public enum CXCallEndedReason: Int, Sendable {
    /// An error ended the call.
    case failed = 1
    /// The other side ended the call.
    case remoteEnded = 2
    /// The call was never answered: it never began to connect, or it timed out.
    case unanswered = 3
    /// The call was answered on another device of the user's.
    case answeredElsewhere = 4
    /// The call was declined on another device of the user's.
    case declinedElsewhere = 5
}
