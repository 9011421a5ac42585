// SPDX-License-Identifier: MIT

import OffhookCore

/// Looks at every world that a plan's steps can lead to, up to a number of steps.
///
/// Breadth first, so that the first breach is one of the shortest ways to it. Worlds that were seen before are
/// recognised by a fingerprint of 128 bits and not looked at again.
public struct ModelCheck: Sendable {
    /// What a check found.
    public struct Result: Sendable {
        /// The plan's name.
        public var plan: String
        /// The most steps from the beginning.
        public var depth: Int
        /// How many different worlds were seen.
        public var states = 1
        /// How many steps were taken and judged.
        public var steps = 0
        /// Whether there is no world beyond the depth that was not seen.
        public var isComplete = false
        /// The first breach.
        public var breach: ModelBreach?
    }

    private struct Fingerprint: Hashable {
        var high: Int
        var low: Int

        init(_ world: ModelWorld) {
            var (first, second) = (Hasher(), Hasher())
            second.combine(0x5EED)
            world.hash(into: &first)
            world.hash(into: &second)
            high = first.finalize()
            low = second.finalize()
        }
    }

    /// Who is in the worlds and what can happen.
    public var plan: ModelPlan
    /// The most steps from the beginning.
    public var depth: Int
    /// How many messages may come twice.
    public var duplicates = 1
    /// How many times the server may restart.
    public var restarts = 1
    /// How many devices may be signed out.
    public var removals = 1
    /// A mistake to be found; nil: the machine as it is.
    public var mistake: ModelMistake?

    /// Makes a check of a plan to a depth.
    public init(plan: ModelPlan, depth: Int) {
        self.plan = plan
        self.depth = depth
    }

    /// Looks at the worlds; stops at the first breach.
    public func run() -> Result {
        var result = Result(plan: plan.name, depth: depth)
        var judge = ModelJudge(plan: plan, mistake: mistake)
        let first = plan.world(duplicates: duplicates, restarts: restarts, removals: removals)
        var seen: Set<Fingerprint> = [Fingerprint(first)]
        var worlds = [first]
        for _ in 0..<depth {
            var next: [ModelWorld] = []
            for world in worlds {
                for (number, step) in plan.steps.enumerated() {
                    guard var after = judge.take(step, in: world) else { continue }
                    result.steps += 1
                    let isNew = seen.insert(Fingerprint(after)).inserted
                    if isNew { judge.judge(after) }
                    guard isNew || judge.broken != nil else { continue }
                    after.path.append(UInt8(number))
                    if let broken = judge.broken {
                        result.breach = ModelBreach(
                            invariant: broken, steps: after.path.map { words(plan.steps[Int($0)]) })
                        result.states = seen.count
                        return result
                    }
                    next.append(after)
                }
            }
            worlds = next
            if worlds.isEmpty { break }
        }
        result.states = seen.count
        result.isComplete = worlds.isEmpty
        return result
    }

    private func words(_ step: ModelStep) -> String {
        switch step {
        case .invite(let call): "the invitation of call \(call) comes"
        case .deliver(let call, let message):
            "\(plan.parties[plan.messages[call][message].party].device) says \(plan.messages[call][message].command) "
                + "of call \(call)"
        case .connect(let party): "\(plan.parties[party].device) connects"
        case .disconnect(let party): "\(plan.parties[party].device) loses its connection"
        case .push(let call, let device, let accepted):
            "APNs \(accepted ? "takes" : "refuses") the push of call \(call) to \(plan.parties[device].device)"
        case .tick: "time goes on to the next deadline"
        case .restart: "the server restarts"
        case .remove(let party): "\(plan.parties[party].device) is signed out"
        }
    }
}
