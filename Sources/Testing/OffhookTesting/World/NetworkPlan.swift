// SPDX-License-Identifier: MIT

/// How the network of a ``CallWorld`` behaves.
public struct NetworkPlan: Hashable, Sendable {
    /// The shortest and longest way of a message, in milliseconds.
    public var delay: ClosedRange<Int> = 5...5
    /// How many messages of a hundred arrive twice.
    public var duplicates = 0
    /// How many messages of a hundred cut the connection they are sent on; what is on its way is lost with it.
    public var drops = 0
    /// How long a cut connection stays away, in milliseconds.
    public var absence: ClosedRange<Int> = 100...3000
    /// How many returns of a hundred find their session gone, so that the server's snapshot stands in for it.
    public var lostSessions = 50
    /// The shortest and longest way of a push, in milliseconds.
    public var pushDelay: ClosedRange<Int> = 100...2000

    /// Makes a network without faults.
    public init() {}

    /// A network with every fault, often.
    public static var rough: NetworkPlan {
        var plan = NetworkPlan()
        plan.delay = 1...800
        plan.duplicates = 20
        plan.drops = 5
        return plan
    }
}
