// SPDX-License-Identifier: MIT

import OffhookCore

/// A mistake put between the machine and the model, to see that the model finds it out.
public enum ModelMistake: String, Hashable, Sendable, CaseIterable {
    /// A restart brings back the call as it was before its last change.
    case restartsFromOldState
    /// A change is not stored before others are told.
    case forgetsToStore
    /// The devices that lost a call are not told.
    case forgetsLosers
    /// Ticks are lost.
    case losesTicks
    /// A message that comes again is taken for a new one.
    case takesRepeatsAsNew
    /// Who lost is told that it won.
    case tellsLosersTheyWon
    /// A user's call to a user who is calling here is placed as well.
    case ignoresGlare
    /// Offers go out although the call is over.
    case offersAfterTheEnd
}

/// What holds in every world of the model.
public enum ModelInvariant: String, Hashable, Sendable, CaseIterable {
    /// A call that has a winner has it for ever (race 2).
    case oneWinner
    /// A call never goes back: created, ringing, answered, ended; and an end stays as it is (races 16, 27).
    case forwardOnly
    /// A change is stored before anybody is told (R98).
    case storedFirst
    /// Only the caller and the winner are told that the call is answered (race 2).
    case onlyWinnerIsTold
    /// Nobody outside a call is told of it (race 25).
    case noStrangers
    /// Signals go between the caller and the winner alone.
    case onlyWinnerTalks
    /// Nothing is offered or pushed when the call is answered or over (races 12, 15, 16).
    case noLateOffers
    /// A message that comes again changes nothing and passes nothing on (race 19).
    case repeatsChangeNothing
    /// `finished` comes once, with the end (race 27).
    case oneEnd
    /// When a call is over, the caller and every device that was in it have been told (races 2, 4).
    case everybodyIsTold
    /// Caller and winner see the same call: both answered, or both ended.
    case sameView
    /// A ringing call has a deadline, not after its ring deadline; when everybody leaves, time alone ends it (race 23).
    case endsInTime
    /// In an answered call a side without a connection has a deadline to come back (race 22).
    case awayIsBounded
    /// A call that comes back from the store is the same call with the same ring deadline (race 23).
    case survivesRestart
    /// Two users' calls to each other never both ring (race 7).
    case oneCallRings
}

/// A world in which an invariant does not hold, and how to get there.
public struct ModelBreach: Hashable, Sendable, CustomStringConvertible {
    /// What does not hold.
    public let invariant: ModelInvariant
    /// The steps, from the beginning.
    public let steps: [String]

    /// The invariant, then a line a step.
    public var description: String {
        "\(invariant.rawValue), after\n" + steps.map { "  \($0)" }.joined(separator: "\n")
    }
}
