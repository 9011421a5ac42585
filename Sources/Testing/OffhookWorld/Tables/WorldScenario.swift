// SPDX-License-Identifier: MIT

public import OffhookCore

/// A short story with a name, to be told again with one thing in it that goes wrong.
public struct WorldScenario: Sendable {
    /// What happens, in a few words.
    public let name: String
    /// The people, their phones and what they do.
    public let plan: WorldPlan
    /// How each phone's calls end when nothing goes wrong: for each phone the reasons in the order of the calls' numbers,
    /// without the calls that the phone never had.
    public let ends: [[EndReason]]

    /// Makes a scenario; after its last move everything is left alone for long enough that calls end by themselves.
    init(
        _ name: String, users: [Int] = [0, 1], groups: Int = 1, answersAtOnce: Bool = false,
        _ moves: [(Int, WorldAct)], ends: [[EndReason]]
    ) {
        self.name = name
        self.ends = ends
        var moves = moves.map { WorldPlan.Move($0.0, $0.1) }
        // An act on a phone that is not there: until then nothing is healed, and what fails stays failed.
        moves.append(WorldPlan.Move((moves.last?.at ?? 0) + WorldScenario.rest, .end(users.count)))
        plan = WorldPlan(users: users, groups: groups, answersAtOnce: answersAtOnce, moves: moves)
    }

    /// How long a scenario is left alone after its last act, in milliseconds: longer than any deadline but that of a
    /// start action.
    static let rest = 120_000

    /// All scenarios.
    public static var all: [WorldScenario] {
        plain + unanswered + asleep + inCall + severalCalls + troubled
    }
}

extension WorldScenario: CustomStringConvertible {
    /// The name.
    public var description: String { name }
}
