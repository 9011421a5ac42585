// SPDX-License-Identifier: MIT

public import OffhookCore

/// One run of a table: the scenario with one thing that went wrong, and the world as it was at the end.
public struct TableRow: Sendable {
    /// What went wrong, for people: which phone, what, and which one.
    public let name: String
    /// Which one of its kind, from 1.
    public let number: Int
    /// The world in the moment in which an app died; nil when none did.
    public let death: CallWorld?
    /// The world at its end.
    public let world: CallWorld
}

extension TableRow: CustomStringConvertible {
    /// What went wrong, and what was broken by that.
    public var description: String {
        ([name] + world.breaches.map { "  \($0)" }).joined(separator: "\n")
    }
}

extension WorldScenario {
    /// The scenario as it goes when nothing fails.
    public func run() -> CallWorld {
        var world = CallWorld(plan)
        world.run()
        return world
    }
}

extension CallWorld {
    /// The reasons for which a phone's calls ended, in the order of the calls' numbers.
    public func ends(of phone: Int) -> [EndReason] {
        phones[phone].records.compactMap { record in
            if case .ended(let reason)? = record.last?.state { reason } else { nil }
        }
    }

    /// Why the server ended a call, from 0 in the order of their making; nil when it never had it.
    public func cause(of call: Int) -> BrokerEnd.Cause? {
        guard calls.indices.contains(call), case .ended(let end)? = calls[call].machine?.state else { return nil }
        return end.cause
    }
}
