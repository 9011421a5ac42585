// SPDX-License-Identifier: MIT

extension WorldPlan {
    /// The shortest plan found that breaks the same invariant.
    ///
    /// Moves are left out, in ever smaller runs; then times, phones and choices are made simpler. At most `limit` worlds
    /// are tried.
    public func shrunk(breaking invariant: Invariant, sabotage: Sabotage? = nil, limit: Int = 4000) -> WorldPlan {
        var best = self
        var tries = 0
        func breaks(_ plan: WorldPlan) -> Bool {
            guard tries < limit else { return false }
            tries += 1
            var world = CallWorld(plan, sabotage: sabotage)
            return world.run().contains { $0.invariant == invariant }
        }
        func take(_ change: (inout WorldPlan) -> Void) -> Bool {
            var candidate = best
            change(&candidate)
            guard candidate != best, breaks(candidate) else { return false }
            best = candidate
            return true
        }
        var isSmaller = true
        while isSmaller && tries < limit {
            isSmaller = false
            var run = max(1, best.moves.count / 2)
            while run >= 1 {
                var first = 0
                while first < best.moves.count {
                    let end = min(first + run, best.moves.count)
                    if take({ $0.moves.removeSubrange(first..<end) }) { isSmaller = true } else { first += run }
                }
                run /= 2
            }
            if take({ $0.groups = 1 }) { isSmaller = true }
            if take({ $0.answersAtOnce = false }) { isSmaller = true }
            while best.users.count > 2, take({ $0.users.removeLast() }) { isSmaller = true }
            for index in best.moves.indices {
                // What comes after a move keeps its distance.
                let before = index == 0 ? 0 : best.moves[index - 1].at
                let gap = best.moves[index].at - before
                for shorter in [0, 10, 100, 1000, 5000, 30_000] where shorter < gap {
                    let cut = gap - shorter
                    if take({ plan in for later in index..<plan.moves.count { plan.moves[later].at -= cut } }) {
                        isSmaller = true
                        break
                    }
                }
            }
        }
        return best
    }

    /// The plan as Swift source, to be put into a test.
    public var literal: String {
        var text =
            "WorldPlan(\n    users: \(users), groups: \(groups), answersAtOnce: \(answersAtOnce),\n    moves: [\n"
        for move in moves { text += "        WorldPlan.Move(\(move.at), \(move.act.literal)),\n" }
        return text + "    ])"
    }
}

extension WorldAct {
    /// The act as Swift source.
    var literal: String {
        switch self {
        case .ask(let phone, let wish, let line): ".ask(\(phone), .\(wish.rawValue), line: \(line))"
        case .push(let phone, let fate): ".push(\(phone), .\(fate))"
        case .fail(let phone, let fault, let nth): ".fail(\(phone), .\(fault.rawValue), nth: \(nth))"
        case .surroundings(let phone, let change): ".surroundings(\(phone), .\(change.rawValue))"
        case .call, .callAgain, .answer, .end, .mute, .hold, .swap, .group, .tone, .askAgain, .askConflicting, .kill,
            .killAfter, .open, .cut, .delay, .repeatUp, .lateDown, .repeatDown, .loseSession, .junkPush,
            .restartServer, .restartServerAfter, .signOut, .slowPhone, .loseActivation, .reset, .interruptMedia,
            .breakMedia:
            ".\(self)"
        }
    }
}
