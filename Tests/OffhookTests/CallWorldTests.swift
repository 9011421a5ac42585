// SPDX-License-Identifier: MIT

import Offhook
import OffhookTesting
import Testing

/// The rules of phone and server against each other, in virtual time.
@Suite(.timeLimit(.minutes(2))) struct CallWorldTests {
    private let call = CallID(high: 1, low: 1)

    /// Alice's phone and some of Bob's.
    private func world(seed: UInt64 = 1, bobs: Int = 1, network: NetworkPlan = NetworkPlan()) -> CallWorld {
        var world = CallWorld(seed: seed, network: network)
        _ = world.addDevice("alice", of: "alice")
        for number in 0..<bobs { _ = world.addDevice("bob-\(number)", of: "bob") }
        world.plan(after: .zero, 0, .call("bob", as: call))
        return world
    }

    /// What must hold when nothing is left to happen.
    private func check(_ world: CallWorld, _ note: String = "") {
        #expect(world.complaints.isEmpty, "\(note) \(world.complaints.prefix(3))")
        for (index, device) in world.devices.enumerated() {
            #expect(device.shown.isEmpty, "\(note): device \(index) still shows a call")
            #expect(device.phone.calls.isEmpty, "\(note): device \(index) still has a call")
            #expect(device.openSessions == 0, "\(note): device \(index) still has media")
            #expect(device.pendingActions == 0, "\(note): device \(index) did not complete an action")
        }
        let winner = world.brokers[call]?.winner
        for device in world.devices.dropFirst() where device.states[call]?.contains(.active) ?? false {
            #expect(device.party.device == winner, "\(note): only the winner talks")
        }
        let living = world.brokers.values.filter { !$0.isEnded }
        #expect(living.isEmpty, "\(note): a call lives on the server")
    }

    @Test("A whole call: ring, answer, voice, hang up") func wholeCall() {
        var world = world()
        world.plan(after: .seconds(3), 1, .answer)
        world.plan(after: .seconds(10), 0, .mute(true))
        world.plan(after: .seconds(12), 1, .hold(true))
        world.plan(after: .seconds(14), 1, .hold(false))
        world.plan(after: .seconds(20), 1, .end)
        let isOver = world.run()
        #expect(isOver)
        #expect(world.devices[0].states[call] == [.outgoing, .connecting, .active, .ended(.remoteEnded)])
        #expect(
            world.devices[1].states[call]
                == [.incoming, .connecting, .active, .held, .active, .ended(.localHangup)])
        #expect(world.devices[1].calls[call]?.peer.muted == true)
        #expect(world.devices[0].calls[call]?.peer.held == false)
        check(world)
    }

    @Test(
        "races 1, 10: cancel and answer cross, in both orders and every distance",
        arguments: Array(stride(from: -20, through: 20, by: 1)))
    func cancelCrossesAnswer(_ distance: Int) {
        var world = world()
        world.plan(after: .milliseconds(3000), 1, .answer)
        world.plan(after: .milliseconds(3000 + distance), 0, .end)
        let isOver = world.run()
        #expect(isOver)
        let bob = world.devices[1].states[call]?.last
        let answered = world.brokers[call]?.winner != nil
        #expect(bob == .ended(answered ? .remoteEnded : .callerCancelled))
        check(world, "distance \(distance)")
    }

    @Test(
        "race 2: two devices answer: one wins, the other hears it",
        arguments: Array(stride(from: -12, through: 12, by: 3)))
    func twoAnswer(_ distance: Int) {
        var world = world(bobs: 3)
        world.plan(after: .milliseconds(3000), 1, .answer)
        world.plan(after: .milliseconds(3000 + distance), 2, .answer)
        world.plan(after: .seconds(10), 0, .end)
        let isOver = world.run()
        #expect(isOver)
        let ends = world.devices.dropFirst().map { $0.states[call]?.last }
        #expect(ends.count { $0 == .ended(.remoteEnded) } == 1)
        #expect(ends.count { $0 == .ended(.answeredElsewhere) } == 2)
        check(world, "distance \(distance)")
    }

    @Test("races 3, 4: an answer and a decline on two devices", arguments: Array(stride(from: -12, through: 12, by: 3)))
    func answerAgainstDecline(_ distance: Int) {
        var world = world(bobs: 2)
        world.plan(after: .milliseconds(3000), 1, .answer)
        world.plan(after: .milliseconds(3000 + distance), 2, .end)
        world.plan(after: .seconds(10), 0, .end)
        let isOver = world.run()
        #expect(isOver)
        let ends = world.devices.dropFirst().map { $0.states[call]?.last }
        if world.brokers[call]?.winner == nil {
            #expect(ends == [.ended(.declinedElsewhere), .ended(.declined)])
        } else {
            #expect(ends.first == .ended(.remoteEnded))
            #expect(ends.last == .ended(.declined) || ends.last == .ended(.answeredElsewhere))
        }
        check(world, "distance \(distance)")
    }

    @Test("race 10: nobody answers: both sides end as unanswered") func unanswered() {
        var world = world(bobs: 2)
        let isOver = world.run()
        #expect(isOver)
        for device in world.devices { #expect(device.states[call]?.last == .ended(.unanswered)) }
        check(world)
    }

    @Test("R43, race 6: every device is in another call: the caller hears busy") func busy() {
        var world = world()
        world.plan(after: .seconds(3), 1, .answer)
        let carol = world.addDevice("carol", of: "carol")
        let second = CallID(high: 1, low: 2)
        world.plan(after: .seconds(10), carol, .call("bob", as: second))
        world.plan(after: .seconds(20), 0, .end)
        let isOver = world.run()
        #expect(isOver)
        #expect(world.devices[carol].states[second]?.last == .ended(.busy))
        #expect(world.devices[1].states[call] == [.incoming, .connecting, .active, .ended(.remoteEnded)])
        #expect(world.devices[1].states[second] == nil)
        check(world)
    }

    @Test("race 21: the caller's connection is gone for good while it rings: the ringing ends") func callerGone() {
        var network = NetworkPlan()
        network.absence = 600_000...600_000
        var world = world(network: network)
        let early = world.run(for: .seconds(5))
        #expect(!early)
        world.cut(0)
        let isOver = world.run()
        #expect(isOver)
        #expect(world.devices[1].states[call] == [.incoming, .ended(.callerCancelled)])
        check(world)
    }

    /// A world with every fault, in which everybody does something, and hangs up in the end.
    private func rough(_ seed: UInt64) -> CallWorld {
        let bobs = Int(seed % 3) + 1
        var world = world(seed: seed, bobs: bobs, network: .rough)
        var random = seed &* 0x2545_F491_4F6C_DD1D | 1
        func roll(_ sides: UInt64) -> UInt64 {
            random ^= random << 13
            random ^= random >> 7
            random ^= random << 17
            return random % sides
        }
        for _ in 0..<8 {
            let acts: [UserAct] = [.answer, .answer, .end, .mute(roll(2) == 0), .hold(roll(2) == 0)]
            let device = Int(roll(UInt64(bobs + 1)))
            world.plan(after: .milliseconds(Int64(roll(20_000))), device, acts[Int(roll(UInt64(acts.count)))])
        }
        for device in world.devices.indices { world.plan(after: .seconds(120), device, .end) }
        return world
    }

    @Test("Rough networks and restless people: everything ends, and nothing is left", arguments: 0..<300)
    func everythingEnds(_ seed: UInt64) {
        var world = rough(seed)
        let isOver = world.run()
        #expect(isOver, "seed \(seed)")
        check(world, "seed \(seed)")
    }

    @Test("The rough worlds are no empty ones") func roughWorldsTalk() {
        var reasons: Set<EndReason> = []
        var talks = 0
        for seed: UInt64 in 0..<300 {
            var world = rough(seed)
            world.run()
            for device in world.devices {
                guard let states = device.states[call] else { continue }
                if states.contains(.active) { talks += 1 }
                if case .ended(let reason)? = states.last { reasons.insert(reason) }
            }
        }
        #expect(talks > 50)
        #expect(
            reasons.isSuperset(of: [
                .localHangup, .remoteEnded, .declined, .declinedElsewhere, .answeredElsewhere, .callerCancelled,
            ]))
    }

    @Test("The same seed gives the same world") func deterministic() {
        var first = world(seed: 9, bobs: 3, network: .rough)
        var second = world(seed: 9, bobs: 3, network: .rough)
        for device in 1...3 {
            first.plan(after: .seconds(Int64(device)), device, .answer)
            second.plan(after: .seconds(Int64(device)), device, .answer)
        }
        first.run()
        second.run()
        #expect(first.devices.map(\.states) == second.devices.map(\.states))
    }

    @Test(
        "P22, races 7, 8: two call each other, in both orders: they talk, with one call each, and nothing is busy",
        arguments: Array(stride(from: -20, through: 20, by: 2)))
    func glare(_ distance: Int) {
        let back = CallID(high: 2, low: 2)
        for bobs in 1...2 {
            var world = CallWorld(seed: 1)
            _ = world.addDevice("alice", of: "alice")
            for number in 0..<bobs { _ = world.addDevice("bob-\(number)", of: "bob") }
            world.plan(after: .milliseconds(100), 0, .call("bob", as: call))
            world.plan(after: .milliseconds(100 + distance), 1, .call("alice", as: back))
            world.plan(after: .seconds(20), 0, .end)
            let isOver = world.run()
            #expect(isOver)
            let winner = world.brokers.values.first { $0.winner != nil }?.call
            // Up to the way of one message apart they cross; farther, the second one rings or is refused here.
            guard abs(distance) <= 8, let winner else { continue }
            #expect(world.brokers.count == 1, "distance \(distance)")
            #expect(world.devices[0].states[winner]?.contains(.active) == true, "distance \(distance)")
            #expect(world.devices[1].states[winner]?.contains(.active) == true, "distance \(distance)")
            check(world, "distance \(distance)")
        }
    }
}
