// SPDX-License-Identifier: MIT

import OffhookCore

/// A server with its calls, small enough to look at every order in which things can happen to it.
///
/// Devices say anything that their side can say, at any time at which they have a connection: every order, and every
/// loss, is among the worlds that are looked at. How often a message comes twice, the server restarts and a device is
/// signed out is bounded.
struct ModelWorld: Hashable, Sendable {
    /// One call and what has come of it.
    struct Call: Hashable, Sendable {
        var machine: BrokerMachine
        /// Which of its messages have come, one bit each.
        var delivered: UInt32 = 0
        /// The devices whose push has no outcome yet, one bit each.
        var pushing: UInt8 = 0
        /// The parties that were told the end, one bit each: the caller, then the callee's devices.
        var toldEnd: UInt8 = 0
        /// Whether `finished` has come.
        var isFinished = false
        /// Whether the invitation has come.
        var isInvited = false
        /// Whether it made a call of its own; else it goes on in the other one.
        var isPlaced = false
        /// The stored form before the last change, for mistakes.
        var stale: BrokerMachine?
    }

    var calls: [Call]
    var now: Instant
    /// Which parties have a connection, one bit each, in the order of the plan's parties.
    var connected: UInt8
    /// How many messages may still come twice.
    var duplicates: Int
    /// How many times the server may still restart.
    var restarts: Int
    /// How many devices may still be signed out.
    var removals: Int
    /// The steps that led here, as places in the plan's steps.
    var path: [UInt8] = []

    /// What tells worlds apart: all but the way, and the order in which old messages came.
    func hash(into hasher: inout Hasher) {
        for call in calls {
            hasher.combine(call.machine.state)
            hasher.combine(call.machine.legs)
            hasher.combine(call.machine.milestones)
            hasher.combine(call.machine.joined)
            hasher.combine(call.delivered)
            hasher.combine(call.pushing)
            hasher.combine(call.toldEnd)
            hasher.combine(call.isInvited)
            hasher.combine(call.isPlaced)
        }
        hasher.combine(now)
        hasher.combine(connected)
        hasher.combine(duplicates)
        hasher.combine(restarts)
        hasher.combine(removals)
    }
}

/// One thing that can happen in a world.
enum ModelStep: Hashable, Sendable {
    /// The call's invitation comes.
    case invite(call: Int)
    /// A message of a call comes; the number is its place in the plan.
    case deliver(call: Int, message: Int)
    /// A party gets a connection.
    case connect(party: Int)
    /// A party loses its connection.
    case disconnect(party: Int)
    /// APNs answers the push to a device of a call's callee.
    case push(call: Int, device: Int, accepted: Bool)
    /// Time goes on to the next deadline.
    case tick
    /// The server dies and comes back from its store.
    case restart
    /// A party is signed out.
    case remove(party: Int)
}

/// Who is in a world and what can happen there.
public struct ModelPlan: Sendable {
    /// A call that is going to be placed.
    struct Placing: Sendable {
        var caller: BrokerParty
        var callee: String
    }

    /// The plan's name.
    public let name: String
    let parties: [BrokerParty]
    let placings: [Placing]
    /// The messages of each call.
    let messages: [[(command: BrokerCommand, party: Int)]]
    let steps: [ModelStep]

    static let start = Instant(milliseconds: 1_000_000)

    init(name: String, parties: [BrokerParty], placings: [Placing]) {
        self.name = name
        self.parties = parties
        self.placings = placings
        messages = placings.map { placing in
            let caller: [BrokerCommand] = [
                .cancel, .hangup(.localHangup), .connected, .media(MediaSignal(kind: .offer, body: "o")),
            ]
            let callee: [BrokerCommand] = [.ringing, .answer, .decline, .busy, .hangup(.localHangup)]
            return parties.indices.flatMap { index -> [(command: BrokerCommand, party: Int)] in
                if parties[index] == placing.caller { return caller.map { ($0, index) } }
                return parties[index].user == placing.callee ? callee.map { ($0, index) } : []
            }
        }
        var steps: [ModelStep] = [.tick, .restart]
        for party in parties.indices {
            steps += [.connect(party: party), .disconnect(party: party), .remove(party: party)]
        }
        for call in placings.indices {
            steps.append(.invite(call: call))
            steps += messages[call].indices.map { .deliver(call: call, message: $0) }
            for device in parties.indices where parties[device].user == placings[call].callee {
                steps += [true, false].map { .push(call: call, device: device, accepted: $0) }
            }
        }
        self.steps = steps
    }

    /// Two callers call two callees with two devices each, who share nothing but the server and its time.
    public static let apart = ModelPlan(
        name: "apart",
        parties: [
            BrokerParty(user: "anna", device: "a"), BrokerParty(user: "ben", device: "b"),
            BrokerParty(user: "xenia", device: "x1"), BrokerParty(user: "xenia", device: "x2"),
            BrokerParty(user: "yuri", device: "y1"), BrokerParty(user: "yuri", device: "y2"),
        ],
        placings: [
            Placing(caller: BrokerParty(user: "anna", device: "a"), callee: "xenia"),
            Placing(caller: BrokerParty(user: "ben", device: "b"), callee: "yuri"),
        ])

    /// Two users with two devices each call each other.
    public static let glare = ModelPlan(
        name: "glare",
        parties: [
            BrokerParty(user: "xenia", device: "x1"), BrokerParty(user: "xenia", device: "x2"),
            BrokerParty(user: "yuri", device: "y1"), BrokerParty(user: "yuri", device: "y2"),
        ],
        placings: [
            Placing(caller: BrokerParty(user: "xenia", device: "x1"), callee: "yuri"),
            Placing(caller: BrokerParty(user: "yuri", device: "y1"), callee: "xenia"),
        ])

    /// The world before anything has happened: every first device is connected, and every device can be pushed.
    func world(duplicates: Int, restarts: Int, removals: Int) -> ModelWorld {
        let calls = placings.indices.map { index in
            ModelWorld.Call(
                machine: BrokerMachine(
                    invitation: Invitation(
                        call: CallID(high: 1, low: UInt64(index)), callerName: "",
                        callerHandle: Handle(value: placings[index].caller.user), issuedAt: ModelPlan.start,
                        expiresAt: ModelPlan.start + BrokerSettings.ringDuration),
                    caller: placings[index].caller, callee: placings[index].callee))
        }
        let connected = parties.indices.filter { !parties[$0].device.hasSuffix("2") }.reduce(UInt8(0)) { $0 | 1 << $1 }
        return ModelWorld(
            calls: calls, now: ModelPlan.start, connected: connected, duplicates: duplicates, restarts: restarts,
            removals: removals)
    }
}
