// SPDX-License-Identifier: MIT

/// What must hold in every world, whatever people, networks and phones do.
///
/// docs/invariants.md lists the cases in words; a test compares the two.
public enum Invariant: String, Hashable, Sendable, Codable, CaseIterable {
    /// A push that must be reported is reported by the effects of its own event, once (K3, R60).
    case pushReported
    /// Every push is completed once, unless its process dies first (R57).
    case pushCompletedOnce
    /// Every action that CallKit performs is completed once and in time, or times out and is left alone (R29, T8).
    case actionCompletedOnce
    /// CallKit never gets a second call with the id of a call that it has or had (R58, race 13).
    case oneCallPerID
    /// A session's audio switch is open only between didActivate and didDeactivate (R70).
    case audioInWindow
    /// No call rings, waits or connects for longer than its policy allows; none is left when all is quiet (R33, race 23).
    case noCallPastDeadline
    /// Phones and server agree on how a call ended (``CallWorld/agrees(_:with:)``).
    case sameOutcome
    /// A fulfilled answer was won at the server, and a call won at the server is shown as answered or ended (C1).
    case answerKept
    /// A decline reaches the server as long as that still rings, also after the process died (R88).
    case declineKept
    /// What was declined, cancelled or over never rings again, also after the process died (R65, R66).
    case neverRingsAgain
    /// Every operation has one result, the same one for every repeat of its id (R82).
    case oneResultPerOperation
    /// Every operation has its result by its deadline (R83).
    case operationInTime
    /// What was written to the disk can be read by the next process (R81, R88).
    case checkpointReadable
    /// A media session starts once, gets orders only while it lives, and stops once.
    case mediaReleased
    /// Only the caller's device and the winner's have audio in a call (race 2).
    case onlyWinnerTalks
    /// Nothing is asked of CallKit that it would refuse or ignore: no report on a call that it does not have.
    case callKitObeyed
    /// When all is quiet CallKit shows no call.
    case noPhantomCall
    /// The app hears of a call's end once in the life of a process, and of nothing after it.
    case endToldOnce
    /// The server decides a call's end once (race 27).
    case serverDecidesOnce
    /// A machine whose deadline has come moves on when it gets `tick`.
    case deadlineMoves
    /// A process first puts in order what an earlier one left: ends, then what the server is owed, then results (R88).
    case recoveryInOrder
}

/// A broken invariant.
public struct Breach: Hashable, Sendable {
    /// What was broken.
    public var invariant: Invariant
    /// When, in milliseconds from the world's beginning.
    public var at: Int
    /// On which phone; nil for the server.
    public var phone: Int?
    /// What was seen.
    public var note: String
}

extension Breach: CustomStringConvertible {
    /// One line for people.
    public var description: String {
        "\(invariant.rawValue) at \(at) ms on \(phone.map { "phone \($0)" } ?? "the server"): \(note)"
    }
}
