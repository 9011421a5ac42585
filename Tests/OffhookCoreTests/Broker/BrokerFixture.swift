// SPDX-License-Identifier: MIT

import OffhookCore

/// One call from Alice's phone to Bob's devices, driven by hand.
struct BrokerFixture {
    static let start = Instant(milliseconds: 1_000_000)
    static let deadline = start + BrokerSettings.ringDuration

    let alice = BrokerParty(user: "alice", device: "a1")
    let aliceTablet = BrokerParty(user: "alice", device: "a2")
    let bob = BrokerParty(user: "bob", device: "b1")
    let bobTablet = BrokerParty(user: "bob", device: "b2")
    let bobWatch = BrokerParty(user: "bob", device: "b3")
    let mallory = BrokerParty(user: "mallory", device: "m1")
    var broker: BrokerMachine
    var now = BrokerFixture.start
    private var messages = 0

    /// A call that rings on these devices; `pushable` and `connected` say how each is reached.
    init(_ targets: [BrokerTarget] = [BrokerTarget(device: "b1", connected: true, pushable: false)]) {
        self.init(unplaced: ())
        _ = broker.handle(.placed(targets), at: now)
    }

    init(unplaced: Void) {
        let invitation = Invitation(
            call: CallID(high: 1, low: 2), callerName: "Alice", callerHandle: Handle(value: "alice"),
            issuedAt: BrokerFixture.start, expiresAt: BrokerFixture.deadline)
        broker = BrokerMachine(invitation: invitation, caller: alice, callee: "bob")
    }

    /// Bob has two connected devices.
    static var twoDevices: BrokerFixture {
        BrokerFixture([
            BrokerTarget(device: "b1", connected: true, pushable: false),
            BrokerTarget(device: "b2", connected: true, pushable: false),
        ])
    }

    /// Sends a message with an id of its own; `persist`, `decided` and the reply are left out of what comes back.
    mutating func send(_ command: BrokerCommand, from party: BrokerParty) -> [BrokerEffect] {
        messages += 1
        return send(command, from: party, message: "m\(messages)")
    }

    mutating func send(_ command: BrokerCommand, from party: BrokerParty, message: String) -> [BrokerEffect] {
        BrokerFixture.told(broker.handle(.received(command, from: party, message: message), at: now))
    }

    mutating func raw(_ event: BrokerEvent) -> [BrokerEffect] {
        broker.handle(event, at: now)
    }

    mutating func handle(_ event: BrokerEvent) -> [BrokerEffect] {
        BrokerFixture.told(broker.handle(event, at: now))
    }

    /// Goes to the machine's next deadline and tells it so.
    mutating func tick() -> [BrokerEffect] {
        guard let deadline = broker.deadline else { return [] }
        now = deadline
        return handle(.tick)
    }

    /// Offers, pushes and what devices are told.
    static func told(_ effects: [BrokerEffect]) -> [BrokerEffect] {
        effects.filter { effect in
            switch effect {
            case .persist, .reply, .decided, .finished: false
            case .offer, .push, .tell: true
            }
        }
    }

    static func replies(_ effects: [BrokerEffect]) -> [BrokerReply] {
        effects.compactMap { effect in
            if case .reply(_, _, let reply) = effect { return reply }
            return nil
        }
    }

    static func decisions(_ effects: [BrokerEffect]) -> [BrokerDecision] {
        effects.compactMap { effect in
            if case .decided(let decision) = effect { return decision }
            return nil
        }
    }
}
