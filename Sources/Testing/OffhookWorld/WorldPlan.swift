// SPDX-License-Identifier: MIT

import OffhookCore

/// All that a world depends on: the same plan gives the same world, event for event.
public struct WorldPlan: Hashable, Sendable, Codable {
    /// An act and its time.
    public struct Move: Hashable, Sendable, Codable {
        /// When, in milliseconds from the world's beginning.
        public var at: Int
        /// What.
        public var act: WorldAct

        /// Makes a move.
        public init(_ at: Int, _ act: WorldAct) {
            self.at = at
            self.act = act
        }
    }

    /// The user of each phone, as a number; several phones may be one user's.
    public var users: [Int]
    /// How many calls and groups a phone takes at once.
    public var groups = 1
    /// Whether an answer is fulfilled before the server confirms it.
    public var answersAtOnce = false
    /// What happens, in the order of time.
    public var moves: [Move]

    /// Makes a plan; by default a phone of user 0 and one of user 1.
    public init(users: [Int] = [0, 1], groups: Int = 1, answersAtOnce: Bool = false, moves: [Move]) {
        self.users = users
        self.groups = groups
        self.answersAtOnce = answersAtOnce
        self.moves = moves
    }

    /// The rules of the plan's phones.
    var policy: CallPolicy {
        var policy = CallPolicy()
        policy.maximumCallGroups = groups
        policy.maximumCallsPerCallGroup = groups > 1 ? 3 : 1
        policy.canPlayTones = true
        policy.canShowVideo = true
        if answersAtOnce { policy.answer = .immediately }
        return policy
    }
}
